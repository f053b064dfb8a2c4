"""Runs the WGSL shaders of this folder by the package wgpu. README.md says how to use it.

A device that hangs can't be asked to stop. So each test runs in a child, in a process group of its own, that is killed
from outside when an iteration takes too long. The child prepares the test, then runs its iterations, and writes a line
of JSON for each, or why it can't. It ends with its parent, however that ends: or a device that hangs would be held for
ever.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
TESTS = {test["id"]: test for test in json.loads((FOLDER / "tests.json").read_text("utf-8"))}
PREPARATION = 120  # seconds


def arguments():
    parser = argparse.ArgumentParser(
        description="Runs progress litmus tests, or those with these ids, and prints a line for each. An iteration "
        "that takes more than SECONDS counts as hung and is the last."
    )

    def whole(least, most):
        def read(text):
            if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
                raise argparse.ArgumentTypeError(f"found {text!r}, expected a number from {least} to {most}")
            return int(text)

        return read

    parser.error = lambda message: parser.exit(2, f"{message}\n")
    parser.add_argument("--iterations", type=whole(1, 1000000), default=20, metavar="N")
    parser.add_argument("--timeout", type=whole(1, 1000000), default=2, metavar="SECONDS")
    parser.add_argument("--device", type=whole(0, 1000), default=0, metavar="K")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("ids", nargs="*", metavar="ID")
    found = parser.parse_args()
    for unknown in [word for word in found.ids if word not in TESTS]:
        parser.error(f"found {unknown}, expected the id of a test")
    return found


def workgroups(test):
    return test["threads"] * test["instances"] + test["stress"]


# The child


def run_iterations(test, options):
    """Write a line when the test could be launched, and then a line with what had finished after each iteration."""
    try:
        import wgpu
    except ImportError as error:
        fail(f"{error}; to install the package: pip install wgpu")

    adapters = wgpu.gpu.enumerate_adapters_sync()
    if not adapters:
        fail("found no device with a driver that wgpu can use")
    if options.device >= len(adapters):
        found = f"--device: found {options.device}, expected a number below {len(adapters)}"
        fail(f"{found}, which is how many there are")
    adapter = adapters[options.device]
    device = adapter.request_device_sync()
    module = device.create_shader_module(code=(FOLDER / test["source"]).read_text("utf-8"))
    pipeline = device.create_compute_pipeline(
        layout="auto", compute={"module": module, "entry_point": test["entry_point"]}
    )
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
    flags = test["threads"] * test["instances"]
    buffers = [device.create_buffer(size=4 * words, usage=usage) for words in (test["words"], flags)]
    entries = [{"binding": k, "resource": {"buffer": buffer}} for k, buffer in enumerate(buffers)]
    group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    info = adapter.info
    driver = (info["device"], info["description"], info["backend_type"], f"wgpu {wgpu.__version__}")
    tell({"driver": ", ".join(part for part in driver if part)})
    for _ in range(options.iterations):
        encoder = device.create_command_encoder()
        for buffer in buffers:
            encoder.clear_buffer(buffer)
        compute = encoder.begin_compute_pass()
        compute.set_pipeline(pipeline)
        compute.set_bind_group(0, group)
        compute.dispatch_workgroups(workgroups(test))
        compute.end()
        device.queue.submit([encoder.finish()])
        finished = device.queue.read_buffer(buffers[1]).cast("I").tolist()
        tell({"finished": counted(finished, test["threads"])})


def counted(flags, threads):
    """How many instances have left which threads finished: "01" stands for thread 1 alone."""
    found = collections.Counter(
        "".join("1" if flag else "0" for flag in flags[first : first + threads])
        for first in range(0, len(flags), threads)
    )
    return dict(sorted(found.items()))


def fail(reason):
    tell({"reason": reason})
    os._exit(3)


def tell(message):
    print(json.dumps(message), flush=True)


def end_with_parent():
    """Standard input is a pipe into which the parent writes nothing, and which is closed when it ends."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


# The parent


def outcome(test, options):
    """What comes of a test: driver, result, last iteration, what had finished in it, and why if it went wrong."""
    given = [f"--iterations={options.iterations}", f"--device={options.device}"]
    command = [sys.executable, __file__, "--child", *given, test["id"]]
    driver, result, iteration, finished = "", "not run", 0, {}
    with started(command, stdin=subprocess.PIPE) as child:
        line = told_by(child, PREPARATION)
        if line and "driver" in line:
            driver, result = line["driver"], "terminated"
        while result == "terminated" and iteration < options.iterations:
            iteration += 1
            line = told_by(child, options.timeout)
            finished = line.get("finished", {}) if line else {}
            if line is None:
                result = "hung"
            elif "finished" not in line:
                result = "failed"
            elif set(finished) != {"1" * test["threads"]}:
                result = "left early"
        reason = reason_of(child, line) if result in {"not run", "failed"} else ""
    return driver, result, iteration, finished, reason


def told_by(child, seconds):
    """What the next line of the child says; nothing, `{}`, if it has ended, and None if no line comes in time."""
    line = heard(child, seconds)
    return json.loads(line or "{}") if line is not None else None


def reason_of(child, line):
    """Why a test has failed or was not run, by the last line that was heard of the child."""
    if line is None:
        return f"found no device ready after {PREPARATION} seconds"
    return line["reason"] if line else end_of(child)


@contextlib.contextmanager
def started(command, **pipes):
    """A child, in a process group of its own, of which nothing is left behind."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, **pipes) as child:
        try:
            yield child
        finally:
            # A group whose processes have all ended is none or, on a Mac, nobody's to kill.
            with contextlib.suppress(PermissionError, ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)


def heard(child, seconds):
    """The next line of the child; nothing if it has ended, and None if no line comes in time."""
    end, text = time.monotonic() + seconds, b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([child.stdout], [], [], max(0, end - time.monotonic()))
        if not ready:
            return None
        read = os.read(child.stdout.fileno(), 1)
        if not read:
            return ""
        text += read
    return text.decode("utf-8", "replace")


def end_of(child):
    """How a child has ended that did not say why."""
    code = child.wait()
    return f"its process was ended by signal {-code}" if code < 0 else f"its process ended with exit code {code}"


def run(test, options):
    """Run a test and print its result line. Returns whether the device did what was asked of it, be it to hang."""
    driver, result, iteration, finished, reason = outcome(test, options)
    if reason:
        print(f"test {test['id']}: {reason}", file=sys.stderr)
    launched = {name: test[name] for name in ("id", "name")} | {"target": "wgsl"}
    launched |= {name: test[name] for name in ("mapping", "instances", "stress")} | {"workgroups": workgroups(test)}
    launched |= {"iterations": options.iterations, "timeout_s": options.timeout, "driver": driver}
    told = launched | {"result": result, "iteration": iteration, "finished": finished}
    told |= {"reason": reason} if reason else {}
    print(json.dumps(told, separators=(",", ":")), flush=True)
    return not reason


def main():
    options = arguments()
    if options.child:
        threading.Thread(target=end_with_parent, daemon=True).start()
        try:
            run_iterations(TESTS[options.ids[0]], options)
        except Exception as error:
            fail(f"{type(error).__name__}: {error}")
        os._exit(0)  # to close a device can take for ever
    is_well = [run(TESTS[name], options) for name in options.ids or TESTS]
    sys.exit(0 if all(is_well) else 3)


if __name__ == "__main__":
    main()
