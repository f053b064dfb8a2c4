"""A device behind `command`, which does with each test what a file says: ends, hangs, or misbehaves in many ways.

    python fake_device.py FILE --mapping M --instances N --iterations N --timeout S ID

FILE is JSON:

- `tests` has the behaviour of each test by id;
- `log` is a file, to which each launch is written as `ATTEMPT NUMBER ID`;
- `order` is the order of its memory;
- `pace` is how long the device waits for each second that it says it has waited.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

DRIVER = "fake device, driver 1"
#: The id of the test that is launched after a hang.
CANARY = "0011"
#: Words that clear a terminal, forge a line, or turn the direction of writing.
RUDE = "GPU \x1b[2J\x07\nfair.strong consistent with\r\u202e\u200f\x9b31m"


#: How tests are launched, as the arguments say.
ASKED = {"mapping": "plain", "instances": 1, "order": "seq_cst device"}


def line(test, result, launches, **more):
    threads = test.count("-") + 1
    finished = {"0" * threads: ASKED["instances"]} if "quiet_s" in more else {}
    return {
        "format": 2, "id": test, "name": test, "target": "command", "mapping": ASKED["mapping"], "threads": threads,
        "instances": ASKED["instances"], "stress": 0, "workgroups": threads * ASKED["instances"],
        "iterations": launches, "timeout_s": 1, "synth": "0", "order": ASKED["order"], "expected": {},
        "driver": DRIVER, "device": {}, "process": 1, "result": result, "iteration": launches,
        "seconds": [0.001] * launches, "started": {}, "finished": finished, **more,
    }  # fmt: skip


def tell(text, file=sys.stdout):
    file.write(f"{text}\n")
    file.flush()


def say(*lines):
    for fields in lines:
        tell(json.dumps(fields))


class Fake:
    """Each method is a behaviour. It gets the test, how many launches are asked for, and the time-out."""

    def __init__(self, log, pace):
        self.log = log
        self.pace = pace

    def wait(self, seconds):
        time.sleep(seconds * self.pace)

    def launch(self, test, number):
        attempt = os.environ["SYNTH_ATTEMPT"].partition(":")[2].rstrip(";")
        with Path(self.log).open("a") as file:  # one small write, so whole even if we are killed
            file.write(f"{attempt} {number} {test}\n")

    def ends(self, test, launches, _timeout):
        for number in range(1, launches + 1):
            self.launch(test, number)
            time.sleep(0.005)
        say(line(test, "terminated", launches))

    def hangs(self, test, _launches, timeout):
        self.launch(test, 1)
        self.wait(timeout)
        say(line(test, "hung", 1, seconds=[timeout], quiet_s=timeout))
        Path(self.log).with_name("hung").touch()

    def moves(self, test, _launches, timeout):
        self.wait(timeout)
        say(line(test, "hung", 1, seconds=[timeout], quiet_s=0.01))

    def is_slow(self, test, _launches, timeout):
        seconds = 1.5
        self.wait(min(seconds, timeout))
        if timeout < seconds:
            say(line(test, "hung", 1, seconds=[timeout], quiet_s=timeout))
        else:
            say(line(test, "terminated", 1, seconds=[seconds]))

    def leaves_early(self, test, _launches, _timeout):
        say(line(test, "left early", 1, finished={"0" * (test.count("-") + 1): ASKED["instances"]}))

    def is_silent(self, *_):
        time.sleep(60)

    def ignores_sigterm(self, *_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)

    def leaves_a_child(self, test, launches, timeout):
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
        self.ends(test, launches, timeout)

    def leaves_a_session(self, test, launches, timeout):
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"], start_new_session=True)
        self.ends(test, launches, timeout)

    def prints_much(self, *_):
        with contextlib.suppress(BrokenPipeError):
            for _ in range(100):
                sys.stdout.write("x" * 1_000_000)
        os._exit(0)

    def prints_half_a_line(self, test, launches, _timeout):
        sys.stdout.write(json.dumps(line(test, "terminated", launches))[:50])
        sys.stdout.flush()

    def names_another_test(self, _test, launches, _timeout):
        say(line("0011", "terminated", launches))

    def prints_twice(self, test, launches, _timeout):
        say(*[line(test, "terminated", launches)] * 2)

    def prints_nothing(self, *_):
        tell("there is no device", sys.stderr)
        sys.exit(3)

    def counts_too_many(self, test, launches, _timeout):
        say(line(test, "terminated", launches + 1))

    def stops_itself(self, *_):
        os.kill(os.getpid(), signal.SIGSTOP)

    def crashes(self, *_):
        os.kill(os.getpid(), signal.SIGSEGV)

    def dies_after_another_hung(self, test, launches, timeout):
        if Path(self.log).with_name("hung").exists():
            os.abort()
        self.ends(test, launches, timeout)

    def is_lost(self, test, _launches, _timeout):
        say(line(test, "lost", 1, code="-4", reason="the driver took the device away"))

    def is_another_device(self, test, launches, _timeout):
        say(line(test, "terminated", launches, driver="llvmpipe"))

    def speaks_to_the_terminal(self, test, launches, _timeout):
        say(line(test, "lost", launches, driver=RUDE, device={"name": RUDE}, code=RUDE, reason=RUDE))

    def complains_to_the_terminal(self, *_):
        tell(RUDE.replace("\n", " "), sys.stderr)
        sys.exit(3)

    def names_a_test_of_controls(self, _test, launches, _timeout):
        say({**line("0011", "terminated", launches), "id": RUDE})

    def is_stuck(self, *_):
        ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # PR_SET_PTRACER, PR_SET_PTRACER_ANY
        tracer = [sys.executable, "-S", __file__, "--trace", str(os.getpid())]
        with subprocess.Popen(tracer, env={}, start_new_session=True, stdout=subprocess.PIPE) as process:
            tell(f"traced: {process.stdout.readline().decode().strip()}", sys.stderr)
            time.sleep(60)


def trace(pid):
    """Be the tracer of a process, and never look at it: even when it is killed, it stays until this process ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long] * 4
    found = libc.ptrace(0x4206, pid, 0, 0)  # PTRACE_SEIZE
    tell("yes" if found == 0 else os.strerror(ctypes.get_errno()))
    time.sleep(8)


def run_canary(given):
    """Do with the canary what the file says."""
    how = given["canary"]
    if how == "unknown":
        tell("there is no such test", sys.stderr)
        sys.exit(2)
    reason = {"reason": "there is no such test"} if how == "not run" else {}
    seconds = [] if how == "not run" else [0.001]
    say(line(CANARY, how, len(seconds), seconds=seconds, **reason))


def main():
    if sys.argv[1] == "--trace":
        trace(int(sys.argv[2]))
        return
    given = json.loads(Path(sys.argv[1]).read_text())
    options = dict(zip(sys.argv[2:-1:2], sys.argv[3:-1:2], strict=True))
    test = sys.argv[-1]
    ASKED.update(order=given["order"], mapping=options["--mapping"], instances=int(options["--instances"]))
    if test == CANARY:
        run_canary(given)
        return
    behave = getattr(Fake(given["log"], given["pace"]), given["tests"].get(test, "ends"))
    behave(test, int(options["--iterations"]), float(options["--timeout"]))


if __name__ == "__main__":
    main()
