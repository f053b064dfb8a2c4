"""Runs the AmberScript of this folder by Amber. README.md says how to use it.

Amber is started anew for each launch of each test, with a script of that test alone, in a process group of its own. It
logs each command before it begins it, so it is known what it was doing when it failed or was killed.
"""

import argparse
import contextlib
import itertools
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
ALL = json.loads((FOLDER / "tests.json").read_text("utf-8"))
CANARY = ALL[-1]  # one thread that stores and ends: whether the device still works after a launch that hung
TESTS = {test["id"]: test for test in ALL[:-1]}
PREPARATION = 120  # seconds that a child may take until it is ready
LONGEST_END = 5  # seconds that a killed child may take to end
MOST_LAUNCHES = 1000  # of one process
ORDER = "acq_rel device"  # memory order and scope of all accesses
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


AMBER = shlex.split(os.environ.get("AMBER") or "amber")
LAUNCH, EXPECTATION = "ComputeCommand", "CompareBufferCommand"  # as Amber logs them
GRACE = 1  # seconds, in which Amber may say that its fence was not signalled in time


def outcome(test, options, launches, _first):
    """What comes of a test: what Amber says of the device, the result, and how long each launch took."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "litmus.amber")
        script.write_text(script_of(test), "utf-8")
        told, seconds = {"result": "terminated"}, []
        while told["result"] == "terminated" and len(seconds) < launches:
            began = time.monotonic()
            told = ran(script, options)
            if told["result"] != "not run" or seconds:
                seconds.append(time.monotonic() - began)
    if told["result"] == "not run" and seconds:  # Amber has run it before
        told["result"] = "failed"
    if told["result"] == "terminated":
        told["started"] = told["finished"] = {"1" * test["threads"]: test["instances"]}
    return told | {"seconds": seconds}


def script_of(test):
    """A script of one test: what stands before the shaders of its file, and its part."""
    head, *parts = re.split("^(?=SHADER )", (FOLDER / test["source"]).read_text("utf-8"), flags=re.MULTILINE)
    (part,) = [part for part in parts if f"\nRUN {test['entry_point']} " in part]
    return head + part


@contextlib.contextmanager
def started(command, **pipes):
    """A child that is killed at the end."""
    child = start(command, **pipes)
    try:
        yield child
    finally:
        kill(child)


def ran(script, options):
    """Start Amber once. Returns what it says of the device, the result, and why if it went wrong.

    How long it took includes the start of Amber and the compilation of the shader.
    """
    begun, said = "", []
    given = ["--log-execute-calls", "-V", "-f", str(1000 * options.timeout), "-D", str(options.device)]
    with started([*AMBER, *given, str(script)], stderr=subprocess.STDOUT) as child:
        while line := heard(child, options.timeout + GRACE if begun == LAUNCH else PREPARATION):
            if found := re.fullmatch(r"[0-9]+: (\w+Command)\n", line):
                begun = found[1]
            else:
                said.append(line.strip())
        end = None if line is None else end_of(child)
    device = described(said)
    if begun == LAUNCH and (end is None or any("Fences Timeout" in line for line in said)):
        return device | {"result": "hung"}
    if begun == EXPECTATION and any("Buffers have different values" in line for line in said):
        return device | {"result": "left early"}
    if begun == EXPECTATION and child.returncode == 0:
        return device | {"result": "terminated"}
    told = [line.removeprefix(f"{script}: ") for line in said if line.startswith(f"{script}: ")]
    if end is None:
        reason = f"Amber said nothing for {PREPARATION} seconds"
    elif child.returncode == 0:
        reason = "Amber ended without running anything"
    else:
        reason = next(iter(told or [line for line in reversed(said) if line and "Summary" not in line]), end)
    if begun and "DEVICE_LOST" in reason:
        return device | {"result": "lost", "code": "VK_ERROR_DEVICE_LOST", "reason": reason}
    return device | {"result": "failed" if begun else "not run", "reason": reason}


def described(said):
    """What Amber says of the device."""
    keys = {"deviceName": "name", "apiVersion": "api", "driverVersion": "driver_version"}
    found = dict(re.findall(rf"^({'|'.join(keys)}): (.+)$", "\n".join(said), flags=re.MULTILINE))
    if len(found) != len(keys):
        return {"driver": "", "device": {}}
    found["apiVersion"] = f"Vulkan {found['apiVersion']}"
    driver = "{deviceName}, {apiVersion}, driver {driverVersion}".format(**found)
    return {"driver": driver, "device": {keys[key]: text for key, text in found.items()}}


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
    line = {"format": 2} | {name: test[name] for name in ("id", "name")} | {"target": "amber"}
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
    if shutil.which(AMBER[0]) is None:
        print(f"{AMBER[0]}: not found, so nothing is run; set AMBER to where Amber is", file=sys.stderr)
        sys.exit(3)
    canaries = itertools.count(1)
    sys.exit(max(run(TESTS[name], options, canaries) for name in options.ids or TESTS))


if __name__ == "__main__":
    main()
