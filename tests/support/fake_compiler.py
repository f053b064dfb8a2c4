"""A compiler that is on the PATH under the name of another one: it makes programs that say what they are told to say.

    fake_compiler.py [OPTION...] -o PROGRAM SOURCE

The variable FAKE_DEVICES is a JSON array with an object for each device: keys of its result line that differ, and under
`tests` those of some tests by id.
"""

import os
import sys
from pathlib import Path

import fake_device

if "--version" in sys.argv:
    print("fake compiler driver\nCopyright (c) 2025\nfake compilation tools, release 7.5")  # noqa: T201
    sys.exit(0)

PROGRAM = """#!{python} -S
import json, os, sys, time
sys.path.insert(0, {support!r})
import fake_device
devices = json.loads(os.environ["FAKE_DEVICES"])
number, test = int(sys.argv[sys.argv.index("--device") + 1]), sys.argv[-1]
if not devices:
    wrong = "found no device: no device is detected"
elif number >= len(devices):
    wrong = f"--device: found {{number}}, expected a number below {{len(devices)}}, which is how many there are"
else:
    wrong = devices[number].pop("reason", "")
if wrong:
    fake_device.say(fake_device.line(test, "not run", 1, driver="", iteration=0, seconds=[], reason=wrong))
    sys.exit(3)
launches = int(sys.argv[sys.argv.index("--iterations") + 1])
fields = {{"result": "terminated", "launches": launches}} | devices[number]
fields |= fields.pop("tests", {{}}).get(test, {{}})
time.sleep(fields.pop("sleep", 0))
fake_device.say(fake_device.line(test, **fields))
"""

out = Path(sys.argv[sys.argv.index("-o") + 1])
out.write_text(PROGRAM.format(python=sys.executable, support=os.path.dirname(fake_device.__file__)))  # noqa: PTH120
out.chmod(0o755)
