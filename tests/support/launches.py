"""Launches of kernels, and their states."""

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


def machine_of(text, workgroups, local=1, arguments=(), *, reduces=True, rules=None, case=None):
    """Return the machine of a launch of a kernel, or of the text of a typed program."""
    sizes, given = sizes_of(workgroups, local), read_arguments(arguments)
    kernel = parse(text) if isinstance(text, str) else text
    return Machine(kernel, sizes, list(threads(sizes)), given, reduces=reduces, rules=rules, case=case)


def space_of(*launch, most=100_000, **how):
    """Return the space of a launch, as `machine_of` takes it."""
    return explore(machine_of(*launch, **how), most)


#: For each kernel of the gallery: the local size, the arguments, and what it needs in launches of 2 to 4 workgroups.
GALLERY_NEEDS = {
    "lock-cas": (1, "lock=0:1 sum=0:1", ("OBE.weak",)),
    "lock-ttas": (1, "lock=0:1 sum=0:1", ("OBE.weak",)),
    "lock-ticket": (1, "next=0:1 served=0:1 sum=0:1", ("OBE.weak",)),
    "producer-consumer": (1, "flag=0:1 data=0:1 out=0:1", ("fair.weak",)),
    "barrier-xf": (2, "arrived=0:4 released=0:4", ("fair.weak",)),
    "barrier-xf-wrong": (2, "arrived=0:4 released=0:4", ()),
    "barrier-grid": (1, "arrived=0:1 round=0:1", ("fair.weak",)),
    "barrier-wrong": (1, "arrived=0:1", ()),
    "look-back-id": (1, "in=1:4 ready=0:4 sums=0:4", ("HSA.weak",)),
    "look-back-ticket": (1, "in=1:4 next=0:1 ready=0:4 sums=0:4", ("OBE.weak",)),
    "look-back-dealt": (1, "in=1:8 ready=0:8 sums=0:8", ("fair.weak",)),
    "stream-k-earlier": (1, "ready=0:4 parts=0:4 out=0:1", ("HSA.weak",)),
    "stream-k-later": (1, "ready=0:4 parts=0:4 out=0:1", ("fair.weak",)),
    "work-queue": (1, "lock=0:1 head=0:1 done=0:3", ("OBE.weak",)),
    "work-queue-polled": (1, "lock=0:1 head=0:1 done=0:1", ("OBE.strong",)),
    "look-back-packed": (2, "in=1:8 next=0:1 tiles=0:4 out=0:8", ("OBE.weak",)),
    "fallback-one-word": (2, "in=1:8 next=0:1 tiles=0:4 sums=0:4 looks=1", ("unfair",)),
    "fallback-two-words": (2, "in=1:8 next=0:1 tiles=0:8 sums=0:4 looks=1", ("OBE.weak",)),
    "philosophers": (1, "forks=0:4 meals=0:4", ()),
    "philosophers-ordered": (1, "forks=0:4 meals=0:4", ("OBE.weak",)),
}
#: Those of which launches of 4 workgroups have millions of states; for them, tests stop at 3 or at 2.
LARGE = {"look-back-packed", "fallback-one-word", "fallback-two-words"}
