"""A device behind `command` that lies or limps in one way, or that really starves somebody.

    python limping_device.py FILE --mapping M --instances N --iterations N --timeout S ID

FILE is JSON, with what is special about the device:

- `flags` says whether the host sees flags during a launch, and `order` is the memory order.
- `hangs` are the ids of tests that hang. They hang from so many instances on as `from` says, and from the launch
  `launch` on, counted from 1 in each process.
- `slow` has the seconds of a launch for each instance, `power` is the power of instances with which they grow, and
  `waiting` says that only tests with a jump backwards are slow.
- `poison` is a file: directly after a launch that did not end, a test with a jump backwards does not end. The canary
  changes nothing.
- `lie` is the name of a method of `Lies`, which changes the lines of the tests in `of`, or of all tests.

It waits for `pace` seconds for each second that it says it has waited.
"""

import json
import sys
import time
from pathlib import Path

DRIVER = "limping device, driver 1"
CANARY = "0011"


def jumps_backwards(test):
    return any(int(thread[at + 3], 36) <= at // 4 for thread in test.split("-") for at in range(0, len(thread), 4))


class Device:
    def __init__(self, given, mapping, instances, timeout):
        self.given, self.mapping, self.instances, self.timeout = given, mapping, instances, timeout
        self.poison = Path(given["poison"]) if "poison" in given else None

    def seconds(self, test):
        """How many seconds a launch takes; None if it never ends."""
        is_hung = test in self.given.get("hangs", ()) and self.instances >= self.given.get("from", 1)
        is_poisoned = self.poison and self.poison.exists() and jumps_backwards(test)
        if is_hung or is_poisoned:
            return None
        is_slow = jumps_backwards(test) or not self.given.get("waiting")
        return 0.001 + self.given.get("slow", 0) * self.instances ** self.given.get("power", 1) * is_slow

    def line(self, test, launches):
        found, threads = [], test.count("-") + 1
        for number in range(1, launches + 1):
            takes = self.seconds(test) if number >= self.given.get("launch", 1) else 0.001
            is_over = takes is None or takes > self.timeout
            found.append(self.timeout if is_over else takes)
            time.sleep(found[-1] * self.given["pace"])
            if is_over:
                break
        if self.poison and test != CANARY:
            self.poison.unlink(missing_ok=True)
            if is_over:
                self.poison.touch()
        flags = self.given.get("flags")
        finished = {"1" * threads: self.instances}
        if is_over:
            finished = {"0" * threads: self.instances} if flags else {}
        quiet = (0.01 if takes else self.timeout) if flags else None
        return {
            "format": 2, "id": test, "name": test, "target": "command", "mapping": self.mapping, "threads": threads,
            "instances": self.instances, "stress": 0, "workgroups": threads * self.instances, "iterations": launches,
            "timeout_s": self.timeout, "synth": "0", "order": self.given.get("order", "seq_cst device"),
            "expected": {}, "driver": DRIVER, "device": {}, "process": 1,
            "result": "hung" if is_over else "terminated", "iteration": len(found), "seconds": found, "started": {},
            "finished": finished, **({"quiet_s": quiet} if is_over else {}),
        }  # fmt: skip


class Lies:
    """Each method changes a line. The device has waited for as long as the line said before."""

    def other_mapping(self, line):
        return [line | {"mapping": "round-robin" if line["mapping"] != "round-robin" else "chunked"}]

    def other_size(self, line):
        return [line | {"instances": line["instances"] + 1, "finished": {}}]

    def other_stress(self, line):
        return [line | {"stress": 5}]

    def other_width(self, line):
        return [line | {"width": 64}]

    def other_test(self, line):
        return [line | {"id": "0011-00_0"}]

    def late_test(self, line):  # as if the results of two tests came in the wrong order
        return [line | {"id": "0011", "threads": 1, "finished": {}}]

    def long_hang(self, line):
        return [_hung(line, [1000.0], 1000.0)]

    def long_end(self, line):
        return [line | {"seconds": [1000.0] * len(line["seconds"])}]

    def hang_of_no_time(self, line):
        return [_hung(line, [None], 1000.0)]

    def early_hang(self, line):
        return [_hung(line, [0.001], 0.001)]

    def lost(self, line):
        return [line | {"finished": {"1" * line["threads"]: line["instances"]}}]

    def unfinished(self, line):
        return [line | {"finished": {"0" * line["threads"]: line["instances"]}}]

    def some_unfinished(self, line):
        threads = "1" * line["threads"]
        return [line | {"finished": {"0" + threads[1:]: 1, threads: line["instances"] - 1}}]

    def doubled(self, line):
        return [line, line]

    def many_launches(self, line):
        return [line | {"seconds": line["seconds"] * 9, "iteration": 9 * len(line["seconds"])}]

    def left_early(self, line):
        return [line | {"result": "left early", "finished": {"0" * line["threads"]: line["instances"]}}]

    def later_format(self, line):
        return [line | {"format": 3}]

    def no_order(self, line):
        return [line | {"order": "" if line["result"] == "hung" else "seq_cst device"}]

    def other_driver(self, line):
        return [line | {"driver": f"{DRIVER} (OpenGL)"}]

    def lost_device(self, line):
        return [line | {"result": "lost", "code": "-4", "reason": "the driver took the device away"}]

    def failed(self, line):
        return [line | {"result": "failed", "reason": "out of memory"}]

    def not_run(self, line):
        return [line | {"result": "not run", "reason": "no such test", "seconds": [], "iteration": 0, "finished": {}}]

    def nothing(self, _line):
        return []

    def no_json(self, _line):
        return ["hung"]

    def too_many_instances_finished(self, line):
        return [line | {"finished": {"1" * line["threads"]: line["instances"] + 1}}]


def _hung(line, seconds, quiet):
    finished = {"0" * line["threads"]: line["instances"]}
    return line | {"result": "hung", "seconds": seconds, "iteration": 1, "quiet_s": quiet, "finished": finished}


def main():
    given = json.loads(Path(sys.argv[1]).read_text())
    options = dict(zip(sys.argv[2:-1:2], sys.argv[3:-1:2], strict=True))
    test = sys.argv[-1]
    device = Device(given, options["--mapping"], int(options["--instances"]), float(options["--timeout"]))
    lines = [device.line(test, int(options["--iterations"]))]
    if "lie" in given and test in given.get("of", [test]):
        lines = getattr(Lies(), given["lie"])(*lines)
    for line in lines:
        sys.stdout.write(f"{json.dumps(line)}\n")


if __name__ == "__main__":
    main()
