"""What the walk of two threads knows of what arrays hold: the state abstractions of GPUVerify (Betts et al. 2012).

- *adversarial*: what a thread reads is arbitrary, and another value for each thread and each read.
- *equality*: an array is one map, the same for both threads. It holds anything at first. Stores change it, and a
  barrier that fences it makes it arbitrary again, because other threads have stored to it.
- *auto*: equality for arrays that are never written, and for those from which a value may flow into a branch, an
  offset, or a claim. Others are adversarial.

The arrays of atomic operations are adversarial in each case, because other threads may change them at any time.

We deviate in two points. A thread that is frozen, because it has left a loop, repeats its last round. By then, it may
itself have stored to what it read in that round, or other threads of the walk have. So it reads arbitrary values from
arrays that the loop changes. And a private array is a map, too, one for each thread, which no barrier changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH, Access, Barrier, Claim, Compute, Opaque
from synth_kernels.terms import INDEX_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_kernels.pair.options import Abstraction
    from synth_kernels.program import Instruction, Kernel, Operand
    from synth_kernels.terms import Term, Terms


def followed(kernel: Kernel, abstraction: Abstraction) -> set[str]:
    """Return the arrays for which the walk follows what they hold."""
    kinds: dict[str, set[str]] = {array.name: set() for array in kernel.arrays}
    for access in _accesses(kernel):
        kinds[access.array].add(access.kind)
    found = {name for name, of in kinds.items() if "atomic" not in of and abstraction != "adversarial"}
    if abstraction == "auto":
        found &= {name for name, of in kinds.items() if "write" not in of} | _deciding(kernel)
    return found


def _accesses(kernel: Kernel) -> list[Access]:
    return [one for block in kernel.blocks for one in block.instructions if isinstance(one, Access)]


def _deciding(kernel: Kernel) -> set[str]:
    """Return the arrays from which a value may flow into a branch, an offset, a length or a claim."""
    sources = _sources(kernel)
    todo: list[Operand] = [block.end.test for block in kernel.blocks]
    for block in kernel.blocks:
        todo += [one.value for one in block.instructions if isinstance(one, Claim)]
        todo += [place for one in block.instructions if isinstance(one, Access) for place in (one.offset, one.count)]
    reached: set[Operand] = set()
    while todo:
        if (name := todo.pop()) not in reached:
            reached.add(name)
            todo += sources.get(name, ())
    return {array.name for array in kernel.arrays if _memory(array.name) in reached}


def _sources(kernel: Kernel) -> dict[Operand, set[Operand]]:
    """Return for each value, and for each array, the values that it is computed from."""
    found: dict[Operand, set[Operand]] = {}
    for block in kernel.blocks:
        for target in block.end.targets:
            for (name, _), value in zip(kernel.block(target.block).parameters, target.arguments, strict=True):
                found.setdefault(name, set()).add(value)
        for one in block.instructions:
            if isinstance(one, Compute | Opaque):
                found.setdefault(one.name, set()).update(one.operands)
            elif isinstance(one, Access):
                to, value = (_memory(one.array), one.value) if one.kind == "write" else (one.name, _memory(one.array))
                found.setdefault(to, set()).add(value)
    return found


def _memory(array: str) -> str:
    """Return a name for what an array holds, which no value has."""
    return f"[{array}]"


class Contents:
    """What the arrays of a kernel hold. Thread 2 has local arrays of its own unless it is in the `same_group`."""

    def __init__(self, terms: Terms, kernel: Kernel, abstraction: Abstraction, same_group: Term) -> None:
        self._terms = terms
        self._arrays = {array.name: array for array in kernel.arrays}
        self._written = {one.array for one in _accesses(kernel) if one.kind == "write"}
        self._same_group = same_group
        self._maps = {
            name: terms.map(f"contents of {name}", self._arrays[name].width)
            for name in sorted(followed(kernel, abstraction))
        }

    def changed(self, instructions: Iterable[Instruction]) -> set[str]:
        """Return the followed arrays that some instructions may change."""
        found: set[str] = set()
        for one in instructions:
            if isinstance(one, Access) and one.kind == "write":
                found |= {one.array} & self._maps.keys()
            elif isinstance(one, Barrier):
                found |= self._fenced(one)
        return found

    def _fenced(self, barrier: Barrier) -> set[str]:
        return {name for name in self._maps if name in self._written and self._arrays[name].space in barrier.fences}

    def load(self, thread: int, access: Access, offset: Term) -> Term | None:
        """Return what a thread reads, or None if that is arbitrary."""
        here = self._maps.get(access.array)
        if here is None or access.count:
            return None
        terms = self._terms
        parts = [terms.loaded(here, index) for index in self._indices(thread, access, offset)]
        found = terms.extended(parts[0], access.width)
        for number, part in enumerate(parts[1:], 1):
            bits = terms.constant(number * here.width, access.width)
            moved = terms.apply("shl", (terms.extended(part, access.width), bits))
            found = terms.apply("or", (found, moved))
        return found

    def store(self, thread: int, access: Access, offset: Term, value: Term, live: Term) -> None:
        """Store a value, if the thread is live. What a copy of several places stores is arbitrary."""
        before = self._maps.get(access.array)
        if before is None:
            return
        if access.count:
            self.forget([access.array], live)
            return
        terms, after = self._terms, before
        for number, index in enumerate(self._indices(thread, access, offset)):
            bits = terms.constant(number * before.width, access.width)
            part = value if access.width == before.width else terms.apply("lshr", (value, bits))
            narrow = part if access.width == before.width else terms.apply("trunc", (part,), before.width)
            after = terms.stored(after, index, narrow)
        self._maps[access.array] = terms.merged(live, after, before)

    def fence(self, barrier: Barrier, some: Term) -> None:
        """Make what a barrier fences arbitrary, if some thread is there."""
        self.forget(self._fenced(barrier), some)

    def forget(self, arrays: Iterable[str], when: Term) -> None:
        """Make what arrays hold arbitrary, under a condition."""
        for name in sorted(arrays):
            fresh = self._terms.map(f"contents of {name}", self._arrays[name].width)
            self._maps[name] = self._terms.merged(when, fresh, self._maps[name])

    def _indices(self, thread: int, access: Access, offset: Term) -> list[Term]:
        """Return where a thread finds each element of an access. The highest bit tells arrays of one name apart."""
        terms, array = self._terms, self._arrays[access.array]
        other = {"private": terms.true, "local": terms.no(self._same_group)}.get(array.space, terms.false)
        high = terms.constant(1 << ID_WIDTH, INDEX_WIDTH)
        found = []
        for number in range(access.width // array.width):
            place = terms.apply("add", (offset, terms.constant(number, ID_WIDTH)))
            index = terms.extended(place, INDEX_WIDTH)
            found.append(terms.choose(other, terms.apply("add", (index, high)), index) if thread else index)
        return found
