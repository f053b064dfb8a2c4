"""Files for tests of commands: a published table with its description, result lines, kernels, and a machine."""

from pathlib import Path
from shutil import copy

from corpora import of, write

_LOCK = Path(__file__).parents[2] / "docs" / "progress" / "lock-cas.cl"
TABLE, DESCRIPTION, LINES = "phone.csv", "phone.toml", "results.jsonl"
KERNEL = "race.kernel"
_RACE = "kernel k\nlocal T: i32\nentry:\n  write i32 T[0:i32] = lid.0\n  return\n"
_COUNTER = """context limits constants most axioms @axm1 most ∈ ℕ1 end
machine counter sees limits variables x invariants @inv1 x ∈ 0 ‥ most
events event INITIALISATION then @act1 x ≔ 0 end event up where @grd1 x < most then @act1 x ≔ x + 1 end end
"""
_LINE = (
    '{"format":2,"id":"00_0-0011","name":"x","target":"cpp","mapping":"plain","threads":2,"instances":1,"stress":0,'
    '"workgroups":2,"iterations":1,"timeout_s":2,"synth":"0","order":"relaxed","expected":{},"driver":"a device",'
    '"device":{},"process":1,"result":"terminated","iteration":1,"seconds":[0.1],"started":{},"finished":{}}\n'
)
_DESCRIPTION = """
device = "X"
framework = "Y"
source = "Z"
tests = "row.corpus"

[cells]
P = "ended"
F = "given up"
launches = 20

[columns.a]
run = true
mapping = "chunked"
"""


def lay(folder):
    """Write the files into a folder."""
    (folder / TABLE).write_text("Test File Name,a,All Passed\n0,F (2/20),F\nTotal failures:,2,1")
    (folder / DESCRIPTION).write_text(_DESCRIPTION)
    write(folder / "row.corpus", of({"00_0-0011": (1, {"aliases": ["s/0"]})}))
    (folder / LINES).write_text(_LINE)
    (folder / KERNEL).write_text(_RACE)
    (folder / "scan.cl").write_text("__kernel void scan(__local int *a) { a[get_local_id(0)] = 1; }")
    copy(_LOCK, folder / "lock.cl")
    (folder / "counter.eventb").write_text(_COUNTER)
