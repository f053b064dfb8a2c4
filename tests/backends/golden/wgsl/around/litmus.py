"""Runs the WGSL shaders of this folder by the package wgpu. README.md says how to use it.

A device that hangs can't be asked to stop. So each test runs in a child, in a process group of its own, that is killed
from outside when a launch takes too long. The parent writes a request to the child. The child prepares the test, then
launches it again and again, and writes a line of JSON for each launch, or why it can't. It ends with its parent,
however that ends: or a device that hangs would be held for ever.

Importing wgpu takes seconds. With --serve, a child whose launches have all ended goes on with the next test.
"""

import argparse
import collections
import contextlib
import itertools
import json
import os
import pathlib
import queue
import select
import signal
import subprocess
import sys
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ALL = json.loads((FOLDER / "tests.json").read_text("utf-8"))
CANARY = ALL[-1]  # one thread that stores and ends: whether the device still works after a launch that hung
TESTS = {test["id"]: test for test in ALL[:-1]}
PREPARATION = 120  # seconds that a child may take until it is ready
LONGEST_END = 5  # seconds that a killed child may take to end
MOST_LAUNCHES = 1000  # of one process
ORDER = "relaxed device"  # memory order and scope of all accesses
KILLED = []  # children that are still to be waited for


def arguments(words=None):
    parser = argparse.ArgumentParser(
        description="Runs progress litmus tests, or those with these ids, and prints a line for each process of a test."
    )

    def whole(least, most):
        def read(text):
            if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
                raise argparse.ArgumentTypeError(f"found {text!r}, expected a number from {least} to {most}")
            return int(text)

        return read

    def option(name, metavar, default, meaning, **more):
        parser.add_argument(name, metavar=metavar, default=default, help=f"{meaning} (default: {default})", **more)

    parser.error = lambda message: parser.exit(2, f"{message}\n")
    option("--iterations", "N", 20, "launch each test N times", type=whole(1, 1000000))
    option("--timeout", "S", 2, "give a launch up that takes more than S seconds", type=whole(1, 1000000))
    option("--device", "K", 0, "use device K, counted from 0", type=whole(0, 1000))
    again = "after the first launch that does not end, launch the test N more times"
    option("--after-hang", "N", 0, again, type=whole(0, 1000000))
    numbered = "number the launches of each test from N on"
    option("--first", "N", 0, numbered, type=whole(0, 100000000))
    canary = "don't check after a launch that hung whether the device still works"
    parser.add_argument("--no-canary", action="store_true", help=canary)
    option("--expect", "VERDICT", "none", "exit with status 1 if a test that has this verdict did not terminate")
    pinned = "use the device whose driver has TEXT in what it says of itself, in place of --device"
    parser.add_argument("--driver", metavar="TEXT", help=pinned)
    served = f"read requests from standard input, a line each, such as {REQUEST}, until a launch does not end"
    parser.add_argument("--serve", action="store_true", help=served)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(device=None)  # the first device, and the program says so if there are others
    parser.add_argument("ids", nargs="*", metavar="ID")
    found = parser.parse_args(words)
    for unknown in [word for word in found.ids if word not in TESTS]:
        parser.error(f"found {unknown}, expected the id of a test")
    if found.expect != "none" and not any(found.expect in test["expected"] for test in TESTS.values()):
        parser.error(f"--expect: found {found.expect!r}, expected a verdict of these tests; expected.json has them")
    return found


def system():
    """What the system says of itself, without the name of the machine."""
    found = os.uname()
    return f"{found.sysname} {found.release} {found.machine}"


REQUEST = '{"id":"ID","iterations":20,"timeout_s":2}'  # an example


# The child


class NoDeviceError(Exception):
    """There is no device to run tests on."""


def chosen_adapter(options):
    """The adapter that the options choose."""
    try:
        import wgpu
    except ImportError as error:
        raise NoDeviceError(f"{error}; to install the package: pip install wgpu") from error
    adapters = wgpu.gpu.enumerate_adapters_sync()
    if not adapters:
        raise NoDeviceError("found no device with a driver that wgpu can use")
    said = [driver_of(adapter) for adapter in adapters]
    if options.driver is None:
        if options.device is None and len(adapters) > 1:
            taken = f"using device 0 of {len(adapters)}: {said[0]}"
            print(f"{taken}; --device or --driver chooses: {'; '.join(said[1:])}", file=sys.stderr)
        place = options.device or 0
        if place >= len(adapters):
            found = f"--device: found {place}, expected a number below {len(adapters)}"
            raise NoDeviceError(f"{found}, which is how many there are")
        return adapters[place]
    found = [place for place, text in enumerate(said) if text == options.driver]
    found = found or [place for place, text in enumerate(said) if options.driver.lower() in text.lower()]
    if len(found) != 1:
        wrong = f"found {len(found)} devices with {options.driver!r} in their drivers"
        raise NoDeviceError(f"{wrong}, expected one of: {'; '.join(said)}")
    return adapters[found[0]]


def driver_of(adapter):
    """What the driver of a device says of itself, as one line."""
    import wgpu

    info = adapter.info
    words = (info["device"], info["description"], info["backend_type"], f"wgpu {wgpu.__version__}")
    return ", ".join(word for word in words if word)


def answer(options):
    """Answer the requests of the parent."""
    requests = queue.SimpleQueue()
    threading.Thread(target=read_requests, args=[requests], daemon=True).start()
    adapter = chosen_adapter(options)
    device = adapter.request_device_sync()
    while True:
        request = requests.get()
        launch_again_and_again(ALL[request["place"]], request["launches"], request["first"], adapter, device)


def read_requests(requests):
    """Standard input is a pipe into which the parent writes requests, and which is closed when it ends."""
    for line in sys.stdin:
        requests.put(json.loads(line))
    os._exit(1)


def launch_again_and_again(test, launches, first, adapter, device):
    """Write a line when the test could be launched, and then a line with what came of each launch."""
    from wgpu import BufferUsage

    module = device.create_shader_module(code=(FOLDER / test["source"]).read_text("utf-8"))
    pipeline = device.create_compute_pipeline(
        layout="auto", compute={"module": module, "entry_point": test["entry_point"]}
    )
    usage = BufferUsage.STORAGE | BufferUsage.COPY_SRC | BufferUsage.COPY_DST
    flags = test["threads"] * test["instances"]
    buffers = [device.create_buffer(size=4 * words, usage=usage) for words in (test["words"], flags + 1)]
    entries = [{"binding": k, "resource": {"buffer": buffer}} for k, buffer in enumerate(buffers)]
    group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)

    tell({"driver": driver_of(adapter), "device": described(adapter.info)})
    for number in range(first, first + launches):
        began = time.monotonic()
        encoder = device.create_command_encoder()
        encoder.clear_buffer(buffers[0])
        encoder.clear_buffer(buffers[1], 0, 4 * flags)
        device.queue.write_buffer(buffers[1], 4 * flags, number.to_bytes(4, sys.byteorder))  # behind the flags
        compute = encoder.begin_compute_pass()
        compute.set_pipeline(pipeline)
        compute.set_bind_group(0, group)
        compute.dispatch_workgroups(test["workgroups"])
        compute.end()
        device.queue.submit([encoder.finish()])
        found = device.queue.read_buffer(buffers[1]).cast("I").tolist()[:flags]
        seconds = time.monotonic() - began
        started, finished = (sets_in(found, test["threads"], least) for least in (1, 2))
        tell({"seconds": seconds, "started": started, "finished": finished})


def sets_in(flags, threads, least):
    """In how many instances which threads have come so far: "01" stands for thread 1 alone.

    A flag is 0 before its thread starts, 1 when it has started, and 2 when it has finished.
    """
    found = collections.Counter(
        "".join("1" if flag >= least else "0" for flag in flags[first : first + threads])
        for first in range(0, len(flags), threads)
    )
    return dict(sorted(found.items()))


def described(info):
    """What wgpu says of the device, as far as it says anything."""
    import wgpu

    words = {"name": info.get("device"), "vendor": info.get("vendor"), "driver": info.get("description")}
    words |= {f"{key}_id": f"0x{info[f'{key}_id']:04x}" for key in ("vendor", "device") if info.get(f"{key}_id")}
    words |= {"api": f"{info['backend_type']} by wgpu {wgpu.__version__}"}
    return {key: word for key, word in words.items() if word}


def fail(reason, **more):
    tell({"reason": reason} | more)
    os._exit(3)


def tell(message):
    print(json.dumps(message), flush=True)


# The parent


KEPT = []  # with --serve, the child that goes on with the next test


def outcome(test, options, launches, first):
    """What comes of a test in one process: what the device says of itself, the result, the seconds of each launch."""
    told = {"result": "not run"}
    child = KEPT.pop() if KEPT else begun(options)
    try:
        told = launched_by(child, test, options, launches, first)
    finally:
        if options.serve and told["result"] == "terminated":
            KEPT.append(child)
        else:
            kill(child)
    return told


def begun(options):
    named = {"device": options.device, "driver": options.driver}
    given = [f"--{name}={value}" for name, value in named.items() if value is not None]
    options.device = options.device or 0  # only the first child says that there are others
    return start([sys.executable, __file__, "--child", *given], stdin=subprocess.PIPE)


def launched_by(child, test, options, launches, first):
    told, seconds, result = {}, [], "not run"
    request = json.dumps({"place": ALL.index(test), "launches": launches, "first": first})
    with contextlib.suppress(BrokenPipeError):  # the child has ended, which is seen when it is listened to
        child.stdin.write(request.encode() + b"\n")
        child.stdin.flush()
    line = told_by(child, PREPARATION)
    if line and "driver" in line:
        told, result = line, "terminated"
    while result == "terminated" and len(seconds) < launches:
        began = time.monotonic()
        line = told_by(child, options.timeout)
        seconds.append(line["seconds"] if line and "seconds" in line else time.monotonic() - began)
        if line is None:
            result = "hung"
        elif "finished" not in line:
            result = "lost" if "code" in line else "failed"
        elif set(line["finished"]) != {"1" * test["threads"]}:
            result = "left early"
    if result in {"not run", "lost", "failed"}:
        told = told | {"reason": reason_of(child, line)} | ({"code": line["code"]} if result == "lost" else {})
    elif result != "hung":
        told = told | {name: line[name] for name in ("started", "finished")}
    return told | {"result": result, "seconds": seconds}


def told_by(child, seconds):
    """What the next line of the child says; nothing, `{}`, if it has ended, and None if no line comes in time."""
    line = heard(child, seconds)
    return json.loads(line or "{}") if line is not None else None


def reason_of(child, line):
    """Why a test has failed or was not run, by the last line that was heard of the child."""
    if line is None:
        return f"found no device ready after {PREPARATION} seconds"
    return line["reason"] if line else end_of(child)


def serve(options):
    """Answer requests with a result line each, until there are no more or a launch does not end. Returns the exit code.

    After a launch that hung, the line of the canary follows.
    """
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            words = [f"--iterations={asked['iterations']}", f"--timeout={asked['timeout_s']}", str(asked["id"])]
            words.append(f"--first={asked.get('first', 0)}")
        except (ValueError, TypeError, KeyError):
            print(f"found {line[:100]!r}, expected a request such as {REQUEST}", file=sys.stderr)
            return 2
        wanted = arguments(words)
        options.iterations, options.timeout = min(wanted.iterations, MOST_LAUNCHES), wanted.timeout
        options.first = wanted.first
        result = run_process(TESTS[asked["id"]], options, 1, 0, options.iterations)["result"]
        if result in {"hung", "lost"} and not options.no_canary:
            run_process(CANARY, options, 1, 0, 1)
        if result != "terminated":
            break
    return 0


def start(command, **pipes):
    """A child, in a process group of its own."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, **pipes)


def kill(child):
    """Kill a child with its group. `reap` then waits for it."""
    # A group whose processes have all ended is none or, on a Mac, nobody's to kill.
    with contextlib.suppress(PermissionError, ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    KILLED.append(child)


def reap(test):
    """Wait until all killed children have ended. A child that its driver holds fast ends when its driver lets it."""
    while KILLED:
        child = KILLED.pop()
        for pipe in (child.stdin, child.stdout):
            if pipe:
                pipe.close()
        try:
            child.wait(LONGEST_END)
        except subprocess.TimeoutExpired:
            late = f"process {child.pid} has not ended {LONGEST_END} seconds after it was killed; not waiting for it"
            print(f"test {test['id']}: {late}", file=sys.stderr)


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


def run_process(test, options, number, before, launches):
    """Run a test in one process and print its line, before the process is waited for. Returns what came of it."""
    told = {"driver": "", "device": {}, "result": "not run", "seconds": [], "started": {}, "finished": {}}
    told |= outcome(test, options, launches, options.first + before)
    is_canary = test is CANARY
    if "reason" in told:
        print(f"test {test['id']}: {told['reason']}", file=sys.stderr)
    line = {"format": 2} | {name: test[name] for name in ("id", "name")} | {"target": "wgsl"}
    line |= {name: test[name] for name in ("mapping", "threads", "instances", "stress", "workgroups", "width")}
    line |= {"stress_shape": "add:256:1:1024"} if test["stress"] else {}
    line |= {"first": options.first} if "+" in test["mapping"] else {}
    line |= {"iterations": 1 if is_canary else options.iterations, "timeout_s": options.timeout}
    line |= {"synth": "1.2.3", "order": ORDER, "expected": test["expected"]}
    line |= {"driver": told["driver"], "device": told["device"] | {"os": system()}, "process": number}
    line |= {"canary": True} if is_canary else {}
    line |= {"result": told["result"], "iteration": before + len(told["seconds"])}
    line |= {"seconds": [round(seconds, 6) for seconds in told["seconds"]]}
    line |= {"quiet_s": None} if told["result"] == "hung" else {}  # no one sees flags while a launch runs
    line |= {name: told[name] for name in ("started", "finished", "code", "reason") if name in told}
    print(json.dumps(line, separators=(",", ":")), flush=True)
    reap(test)
    return told


def run(test, options, canaries):
    """Run a test: in one process, or in several if a launch did not end or if there are many launches.

    Returns the exit code, 0 if the device did what was asked of it, be it to hang.
    """
    last, before, number, code, has_hung = options.iterations, 0, 0, 0, False
    while before < last:
        number += 1
        told = run_process(test, options, number, before, min(last - before, MOST_LAUNCHES))
        before += len(told["seconds"])
        result = told["result"]
        if result == "terminated":
            continue
        if result in {"lost", "failed", "not run"}:
            code = 3
        elif test["expected"].get(options.expect) == "pass":
            code = max(code, 1)
        if result in {"hung", "lost"} and not options.no_canary:
            found = run_process(CANARY, options, next(canaries), 0, 1)["result"]
            if found in {"hung", "left early"}:
                text = "the canary did not end, so the device has not recovered"
                print(f"test {CANARY['id']}: {text}", file=sys.stderr)
            code = code if found == "terminated" else 3
        if result in {"failed", "not run"}:
            break
        if not has_hung:
            last, has_hung = before + options.after_hang, True
    return code


def main():
    options = arguments()
    if options.child:
        try:
            answer(options)
        except NoDeviceError as error:
            fail(str(error))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            # wgpu has no type of its own for the error of a device that is lost.
            fail(reason, **({"code": "lost"} if "lost" in str(error).lower() else {}))
    if options.serve:
        code = serve(options)
        for child in KEPT:
            kill(child)
        reap(CANARY)
        sys.exit(code)
    canaries = itertools.count(1)
    sys.exit(max(run(TESTS[name], options, canaries) for name in options.ids or TESTS))


if __name__ == "__main__":
    main()
