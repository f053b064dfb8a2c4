"""Runs the AmberScript of this folder by Amber. README.md says how to use it.

Amber is started anew for each iteration of each test, with a script of that test alone, in a process group of its own.
It logs each command before it begins it, so it is known what it was doing when it failed or was killed.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
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
    parser.add_argument("ids", nargs="*", metavar="ID")
    found = parser.parse_args()
    for unknown in [word for word in found.ids if word not in TESTS]:
        parser.error(f"found {unknown}, expected the id of a test")
    return found


def workgroups(test):
    return test["threads"] * test["instances"] + test["stress"]


AMBER = shlex.split(os.environ.get("AMBER") or "amber")
LAUNCH, EXPECTATION = "ComputeCommand", "CompareBufferCommand"  # as Amber logs them
GRACE = 1  # seconds, in which Amber may say that its fence was not signalled in time


def outcome(test, options):
    """What comes of a test: driver, result, last iteration, what had finished in it, and why if it went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "litmus.amber")
        script.write_text(script_of(test), "utf-8")
        driver, result, iteration = "", "terminated", 0
        while result == "terminated" and iteration < options.iterations:
            driver, result, reason = ran(script, options)
            iteration += result != "not run"
    if result == "not run" and iteration:  # Amber has run it before
        iteration, result = iteration + 1, "failed"
    finished = {"1" * test["threads"]: test["instances"]} if result == "terminated" else {}
    return driver, result, iteration, finished, reason


def script_of(test):
    """A script of one test: what stands before the shaders of its file, and its part."""
    head, *parts = re.split("^(?=SHADER )", (FOLDER / test["source"]).read_text("utf-8"), flags=re.MULTILINE)
    (part,) = [part for part in parts if f"\nRUN {test['entry_point']} " in part]
    return head + part


def ran(script, options):
    """Start Amber once. Returns what it says of the device, the result, and why if it went wrong."""
    begun, said = "", []
    given = ["--log-execute-calls", "-V", "-f", str(1000 * options.timeout), "-D", str(options.device)]
    with started([*AMBER, *given, str(script)], stderr=subprocess.STDOUT) as child:
        while line := heard(child, options.timeout + GRACE if begun == LAUNCH else PREPARATION):
            if found := re.fullmatch(r"[0-9]+: (\w+Command)\n", line):
                begun = found[1]
            else:
                said.append(line.strip())
        end = None if line is None else end_of(child)
    driver = driver_in(said)
    if begun == LAUNCH and (end is None or any("Fences Timeout" in line for line in said)):
        return driver, "hung", ""
    if begun == EXPECTATION and any("Buffers have different values" in line for line in said):
        return driver, "left early", ""
    if begun == EXPECTATION and child.returncode == 0:
        return driver, "terminated", ""
    told = [line.removeprefix(f"{script}: ") for line in said if line.startswith(f"{script}: ")]
    if end is None:
        reason = f"Amber said nothing for {PREPARATION} seconds"
    elif child.returncode == 0:
        reason = "Amber ended without running anything"
    else:
        reason = next(iter(told or [line for line in reversed(said) if line and "Summary" not in line]), end)
    return driver, "failed" if begun else "not run", reason


def driver_in(said):
    """What Amber says of the device."""
    found = dict(re.findall(r"^(deviceName|apiVersion|driverVersion): (.+)$", "\n".join(said), flags=re.MULTILINE))
    return "{deviceName}, Vulkan {apiVersion}, driver {driverVersion}".format(**found) if len(found) == 3 else ""


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
    launched = {name: test[name] for name in ("id", "name")} | {"target": "amber"}
    launched |= {name: test[name] for name in ("mapping", "instances", "stress")} | {"workgroups": workgroups(test)}
    launched |= {"iterations": options.iterations, "timeout_s": options.timeout, "driver": driver}
    told = launched | {"result": result, "iteration": iteration, "finished": finished}
    told |= {"reason": reason} if reason else {}
    print(json.dumps(told, separators=(",", ":")), flush=True)
    return not reason


def main():
    options = arguments()
    if shutil.which(AMBER[0]) is None:
        print(f"{AMBER[0]}: not found, so nothing is run; set AMBER to where Amber is", file=sys.stderr)
        sys.exit(3)
    is_well = [run(TESTS[name], options) for name in options.ids or TESTS]
    sys.exit(0 if all(is_well) else 3)


if __name__ == "__main__":
    main()
