"""What answers about kernels rest on, each premise in a few words. The page docs/understand/kernels.md explains them.

The front end finds some, and keeps them in `Kernel.premises`. Others come from the launch and the options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Each premise by a name. Braces stand for what differs from answer to answer.
PREMISES = {
    # of a launch
    "sizes": "local size {}, groups {}",
    "launches": "{} of local size {}",
    "offset": "global offset {}",
    "scalar": "{} = {}",
    "argument": "{}={}",
    "array size": "{} of {} bytes",
    "null": "{} = null",
    "not null": "{} not null",
    # of what the source means
    "defined": "{} defined",
    "pointers": "{}-bit pointers",
    "wraps": "signed arithmetic wraps",
    "unchecked": "no overflow in constants, vectors, left shifts and functions of the language",
    "24 bits": "factors of mul24 and mad24 of at most 24 bits",
    "arrays": "arrays of less than 2^31 bytes",
    "inside": "no access outside its array",
    "overlap": "no overlap of {}",
    "pixels": "writes inside images of at most 65,536 pixels in each direction",
    "no body": "{}, which has no body, touches no memory and waits at no barrier",
    "declared": "{} does what its contract says, and has no race with itself in one call",
    "optimised": "accesses as LLVM leaves them",
    "floats": "{} as computed here",
    "numbers": "floating-point numbers as {}",
    "small launches": "larger launches do as small ones: local sizes up to 12, scalars up to 11",
    "no divergence": "no barrier diverges",
    "bank 0": "each local array begins at bank 0",
    # of what is looked at
    "ends": "each thread ends",
    "assumed": "what the kernel assumes",
    "callers": "callers keep its contract",
    "equal writes": "writes of one value to one place are no race ({})",
    "no races": "races are not looked at",
    "no races between groups": "races between groups are not looked at",
    "no annotations": "annotations are ignored",
    "only requires": "annotations but preconditions are ignored",
    "no ensures": "__ensures is not checked",
    "candidates": "invariants of the source that do not hold are ignored",
    "rounds": "no loop makes more than {} rounds",
    "run": "an execution of the launch",
    "invented": "a state that no execution has shown",
    # of what a device does
    "warps": "warps of {} in lockstep",
    "waits": "a wait for a copy orders it",
    "one barrier": "barriers of a group are one object",
    "memory": "sequentially consistent memory",
    "fair lanes": "each lane is taken to be scheduled fairly within its workgroup; hardware that runs a warp as one may"
    " hang",
    "lockstep": "lanes of a subgroup of {} in lockstep, whose accesses come in any order",
    "subgroup": "subgroups of {} lanes",
    "leave": "barriers do not wait for threads that have ended",
    "volatile": "volatile accesses to {} taken as atomic",
    "raced": "racing accesses to {} taken as atomic",
    "plain": "accesses to {} taken as atomic, whether they race or not",
    "no chance": "no compare-exchange fails by chance",
}


#: Those that leave executions out. What is shown by an execution does not rest on them.
LIMITING = {
    *("sizes", "offset", "scalar", "array size", "null", "not null"),
    *("24 bits", "arrays", "inside", "overlap", "pixels"),
    *("no body", "declared", "ends", "assumed", "callers", "equal writes", "no races", "no races between groups"),
    *("rounds", "small launches", "no divergence"),
}


class Premise(NamedTuple):
    """What an answer rests on, by its name and in words."""

    name: str
    text: str


def premise(name: str, *parts: object) -> Premise:
    """Return a premise, with what differs."""
    return Premise(name, PREMISES[name].format(*parts))


def premises_text(premises: Sequence[str]) -> str:
    """Return the line that ends an answer."""
    return f"Rests on: {'; '.join(premises)}."
