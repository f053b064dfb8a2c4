"""Result lines of a device elsewhere, as its programs print them."""

import json

SPINNER, MUTEX = "00_0-0011", "01100002-01100002"
DRIVER = "GPU X, driver 1"


def line(test=SPINNER, result="terminated", seconds=(0.1, 0.1), **more):
    instances = more.get("instances", 10)
    hung = {"quiet_s": 30, "finished": {"10": instances}}
    end = hung if result == "hung" else {"code": "-4"} if result == "lost" else {}
    reason = {"reason": "it broke"} if result in {"lost", "failed", "not run"} else {}
    return {
        "format": 2, "id": test, "name": test, "target": "cuda", "mapping": "chunked", "threads": 2,
        "instances": instances, "stress": 0, "workgroups": 2 * instances, "iterations": 2, "timeout_s": 30,
        "synth": "0.1.0", "order": "seq_cst device", "expected": {}, "driver": DRIVER, "device": {"name": "GPU X"},
        "process": 1, "result": result, "iteration": len(seconds), "seconds": list(seconds), "started": {},
        "finished": {}, **end, **reason, **more,
    }  # fmt: skip


def put(place, lines):
    place.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return place
