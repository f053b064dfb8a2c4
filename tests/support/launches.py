"""Launches of typed programs, and their states."""

from synth_kernels.launch import threads
from synth_kernels.progress.arguments import read_arguments
from synth_kernels.progress.machine import Machine
from synth_kernels.progress.space import explore
from synth_kernels.text import parse

#: Threads of a workgroup hand a value from one to the next behind a barrier, and the last workgroup waits for all.
HANDED = """
kernel handed
global flags: i32[4]
local T: i32[2]
entry:
  write i32 T[lid.0] = lid.0
  barrier group local
  other = xor lid.0, 1:i32
  x = read i32 T[other]
  first = eq lid.0, 0:i32
  branch first ? tell : wait
tell:
  old = atomic i32 flags[gid.0] add x
  jump wait
wait:
  is0 = eq gid.0, 0:i32
  branch is0 ? spin : end
spin:
  y = volatile read i32 flags[1:i32]
  go = eq y, 0:i32
  branch go ? spin : end
end:
  return
"""


#: Thread 0 waits at a barrier. The other threads end, or wait at another barrier.
DIVIDED = """
kernel k
entry:
  c = eq lid.0, 0:i32
  branch c ? a : b
a:
  barrier group local
  return
b:
  return
"""


def sizes_of(workgroups=1, local=1):
    """The sizes of a launch in one dimension."""
    sizes = {f"{word}.{number}": 1 for word in ("lsize", "groups") for number in range(3)}
    return sizes | {f"offset.{number}": 0 for number in range(3)} | {"lsize.0": local, "groups.0": workgroups}


def space_of(text, workgroups, local=1, arguments=(), *, reduces=True, rules=None):
    """Return the space of a launch of a typed program."""
    sizes = sizes_of(workgroups, local)
    given = read_arguments(arguments)
    return explore(Machine(parse(text), sizes, list(threads(sizes)), given, reduces=reduces, rules=rules), 100_000)
