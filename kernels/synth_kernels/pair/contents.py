"""What the walk of two threads knows of what arrays hold: the state abstractions of GPUVerify (Betts et al. 2012).

- *adversarial*: what a thread reads is arbitrary, and another value for each thread and each read.
- *equality*: an array is one map, the same for both threads. It holds anything at first. Stores change it, and a
  barrier that fences it makes it arbitrary again, because other threads have stored to it.
- *auto*: equality for arrays that are never written, and for those from which a value may flow into a branch, an
  offset, or a claim. Others are adversarial.

The arrays of atomic operations are adversarial in each case, because other threads may change them at any time.

A claim only peeks at an array, which is no access, so it finds no race. Between two accesses or barriers of a thread,
all its peeks look at memory at one moment: equal places hold equal values. A peek finds what the map has if no other
thread may have changed the place, and else anything. No other thread has changed it in these cases:

- the kernel never writes the array, or the array is private;
- the thread itself has accessed the place since the last barrier that fenced the array: a store to it would be a race;
- the peek is for an assumption, which says so.

We deviate in two points. A thread that is frozen, because it has left a loop, repeats its last round. By then, it may
itself have stored to what it read in that round, or other threads of the walk have. So it reads arbitrary values from
arrays that the loop changes. And a private array is a map, too, one for each thread, which no barrier changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.program import ID_WIDTH, Access, ArrayUnset, Barrier, Call, Compute, KernelClaim, Opaque, Peek
from synth_kernels.terms import INDEX_WIDTH

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from synth_kernels.pair.options import Abstraction
    from synth_kernels.pair.touches import Key
    from synth_kernels.program import Instruction, Kernel, Operand, Space
    from synth_kernels.terms import Term, Terms


def followed_arrays(kernel: Kernel, abstraction: Abstraction, apart: Collection[Space] = ()) -> set[str]:
    """Return the arrays for which the walk follows what they hold.

    In some spaces, the two threads may see memory `apart`, since others may store there at any time. Of these, only
    arrays are followed that the kernel does not write, and none in a function, whose callers may write them.
    """
    kinds: dict[str, set[str]] = {array.name: set() for array in kernel.arrays}
    for access in _accesses(kernel):
        kinds[access.array].add(access.kind)
    for array, flag in _changed_by_calls(kernel):
        kinds[array].add(flag)
    arrays = {name for name, used in kinds.items() if "atomic" not in used and abstraction != "adversarial"}
    is_function = kernel.function is not None
    arrays -= {
        array.name for array in kernel.arrays if array.space in apart and (is_function or "write" in kinds[array.name])
    }
    if abstraction == "auto":
        arrays &= {name for name, used in kinds.items() if "write" not in used} | _deciding_arrays(kernel)
    return arrays


def _accesses(kernel: Kernel) -> list[Access]:
    return kernel.accesses


def _changed_by_calls(kernel: Kernel, *, before: bool = False) -> set[Key]:
    """Return which accesses calls make and, if asked, what ran `before` a function is called."""
    calls = [instruction for instruction in kernel.steps if isinstance(instruction, Call)]
    return {key for call in calls if call.unit or before for key in call.flags}


def _deciding_arrays(kernel: Kernel) -> set[str]:
    """Return the arrays from which a value may flow into a branch, an offset, a length or a claim."""
    sources = _sources(kernel)
    todo: list[Operand] = [block.end.test for block in kernel.blocks]
    for block in kernel.blocks:
        todo += [instruction.value for instruction in block.instructions if isinstance(instruction, KernelClaim)]
        todo += [argument for step in block.instructions if isinstance(step, Call) for argument in step.arguments]
        for instruction in block.instructions:
            if isinstance(instruction, Access):
                todo += [instruction.offset, instruction.count, instruction.step, instruction.event]
            elif isinstance(instruction, Barrier):
                todo += [*instruction.same, *instruction.waits]
    reached: set[Operand] = set()
    while todo:
        if (name := todo.pop()) not in reached:
            reached.add(name)
            todo += sources.get(name, ())
    return {array.name for array in kernel.arrays if _memory(array.name) in reached}


def _sources(kernel: Kernel) -> dict[Operand, set[Operand]]:
    """Return for each value, and for each array, the values that it is computed from."""
    sources: dict[Operand, set[Operand]] = {}
    for block in kernel.blocks:
        for target in block.end.targets:
            for (name, _), value in zip(kernel.block(target.block).parameters, target.arguments, strict=True):
                sources.setdefault(name, set()).add(value)
        for instruction in block.instructions:
            if isinstance(instruction, Compute | Opaque):
                sources.setdefault(instruction.name, set()).update(instruction.operands)
            elif isinstance(instruction, Peek):
                sources.setdefault(instruction.name, set()).update((_memory(instruction.array), instruction.offset))
            elif isinstance(instruction, Access):
                to, value = (
                    (_memory(instruction.array), instruction.value)
                    if instruction.kind == "write"
                    else (instruction.name, _memory(instruction.array))
                )
                sources.setdefault(to, set()).add(value)
    return sources


def _memory(array: str) -> str:
    """Return a name for what an array holds, which no value has."""
    return f"[{array}]"


@dataclass(frozen=True, slots=True)
class _AccessedPlace:
    """A place in an array that a thread accesses, if this `happens`."""

    index: Term
    happens: Term


@dataclass(frozen=True, slots=True)
class PeekedValue:
    """What a thread sees. It is `sure` if it is what the map has, and `agrees` says that it is, sure or not."""

    value: Term
    sure: Term
    agrees: Term


class ArrayContents:
    """What the arrays of a kernel hold. Thread 2 has local arrays of its own unless it is in the `same_group`."""

    def __init__(
        self, terms: Terms, kernel: Kernel, abstraction: Abstraction, same_group: Term, apart: Collection[Space] = ()
    ) -> None:
        self._terms = terms
        self._arrays = {array.name: array for array in kernel.arrays}
        self._written = {access.array for access in _accesses(kernel) if access.kind == "write"}
        self._written |= {array for array, flag in _changed_by_calls(kernel, before=True) if flag == "write"}
        self._same_group = same_group
        self._maps = {
            name: terms.map(f"contents of {name}", self._arrays[name].width)
            for name in sorted(followed_arrays(kernel, abstraction, apart))
        }
        peeked = {instruction.array for instruction in kernel.steps if isinstance(instruction, Peek)}
        #: The places that each thread has accessed since the last fence, of arrays where peeks depend on this.
        self._own: dict[str, tuple[list[_AccessedPlace], list[_AccessedPlace]]] = {
            name: ([], [])
            for name in sorted(peeked & self._maps.keys() & self._written)
            if self._arrays[name].space != "private"
        }
        #: What each thread sees at this moment of arrays that others may change.
        self._seen: dict[tuple[int, str], Term] = {}

    def changed(self, instructions: Iterable[Instruction]) -> set[str]:
        """Return the followed arrays that some instructions may change."""
        arrays: set[str] = set()
        for instruction in instructions:
            if isinstance(instruction, ArrayUnset) or (isinstance(instruction, Access) and instruction.kind == "write"):
                arrays |= {instruction.array} & self._maps.keys()
            elif isinstance(instruction, Barrier):
                arrays |= self._fenced(instruction)
            elif isinstance(instruction, Call):
                stored = {array for array, flag in instruction.flags if flag != "read"}
                arrays |= (stored & self._maps.keys()) | self._fenced(instruction)
        return arrays

    def _fenced(self, barrier: Barrier | Call) -> set[str]:
        return {name for name in self._maps if name in self._written and self._arrays[name].space in barrier.fences}

    def load(self, thread: int, access: Access, offset: Term) -> Term | None:
        """Return what a thread reads, or None if that is arbitrary."""
        here = self._maps.get(access.array)
        if here is None or access.count:
            return None
        indices = self._indices(thread, access, offset)
        return self._joined([self._terms.loaded(here, index) for index in indices], access)

    def _joined(self, parts: list[Term], access: Access | Peek) -> Term:
        terms, width = self._terms, parts[0].width
        result = terms.extended(parts[0], access.width)
        for number, part in enumerate(parts[1:], 1):
            bits = terms.constant(number * width, access.width)
            moved = terms.apply("shl", (terms.extended(part, access.width), bits))
            result = terms.apply("or", (result, moved))
        return result

    def peek(self, thread: int, peek: Peek, offset: Term, still: Term) -> PeekedValue:
        """Return what a thread sees. The map only helps if the thread is `still` in the loops that change the array."""
        terms, here = self._terms, self._maps.get(peek.array)
        parts, sure, agree = [], [], []
        for index in self._indices(thread, peek, offset):
            seen = terms.loaded(self._snapshot(thread, peek.array), index)
            if here is None:
                parts.append(seen)
                sure.append(terms.false)
                continue
            held = terms.loaded(here, index)
            is_sure = terms.all(still, self._is_unchanged(thread, peek.array, index))
            parts.append(terms.choose(is_sure, held, seen))
            sure.append(is_sure)
            agree.append(terms.any(is_sure, terms.no(still), terms.equal(held, seen)))
        return PeekedValue(self._joined(parts, peek), terms.all(*sure), terms.all(*agree))

    def _snapshot(self, thread: int, array: str) -> Term:
        if (thread, array) not in self._seen:
            snapshot = self._terms.map(f"{array} as thread {thread + 1} sees it", self._arrays[array].width)
            self._seen[thread, array] = snapshot
        return self._seen[thread, array]

    def _is_unchanged(self, thread: int, array: str, index: Term) -> Term:
        """Return whether no other thread may have changed a place since the last fence."""
        if (own := self._own.get(array)) is None:
            return self._terms.true
        terms = self._terms
        return terms.any(*(terms.all(write.happens, terms.equal(write.index, index)) for write in own[thread]))

    def move_on(self) -> None:
        """Let time pass, in which other threads may change what a thread sees."""
        self._seen.clear()

    def touch(self, thread: int, access: Access, offset: Term, live: Term) -> None:
        """Note that a thread, if it is live, accesses a place, so that no other one may change it."""
        if access.array in self._own and not access.count:
            self._own[access.array][thread].extend(
                _AccessedPlace(index, live) for index in self._indices(thread, access, offset)
            )

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

    def unset(self, unset: ArrayUnset, live: tuple[Term, Term]) -> None:
        """Make what a private array holds arbitrary, if some thread is there. Both threads have one map."""
        self.forget(self.changed([unset]), self._terms.any(*live))

    def fence(self, barrier: Barrier, live: tuple[Term, Term]) -> None:
        """Make what a barrier fences arbitrary, if some thread is there."""
        fenced = self._fenced(barrier)
        self.forget(fenced, self._terms.any(*live))
        self._disown(fenced, live)

    def call(self, call: Call, live: tuple[Term, Term]) -> None:
        """Make arbitrary what a call may change, if some thread makes it."""
        changed = self.changed([call])
        self.forget(changed, self._terms.any(*live))
        self._disown(changed, live)

    def enter(self, body: Iterable[Instruction], condition: Term) -> None:
        """Make arbitrary what some rounds of a loop may change, if some thread enters it."""
        body = list(body)
        self.forget(self.changed(body), condition)
        for barrier in body:
            if isinstance(barrier, Call):
                self._disown(self.changed([barrier]), (condition, condition))
            if isinstance(barrier, Barrier):
                self._disown(self._fenced(barrier), (condition, condition))

    def _disown(self, arrays: Iterable[str], when: tuple[Term, Term]) -> None:
        """Forget which places each thread has accessed, under a condition."""
        for name in self._own.keys() & set(arrays):
            for places, condition in zip(self._own[name], when, strict=True):
                passed = self._terms.no(condition)
                places[:] = [_AccessedPlace(place.index, self._terms.all(place.happens, passed)) for place in places]

    def forget(self, arrays: Iterable[str], when: Term) -> None:
        """Make what arrays hold arbitrary, under a condition."""
        for name in sorted(arrays):
            fresh = self._terms.map(f"contents of {name}", self._arrays[name].width)
            self._maps[name] = self._terms.merged(when, fresh, self._maps[name])

    def _indices(self, thread: int, access: Access | Peek, offset: Term) -> list[Term]:
        """Return where a thread finds each element of an access. The highest bit tells arrays of one name apart."""
        terms, array = self._terms, self._arrays[access.array]
        other = {"private": terms.true, "local": terms.no(self._same_group)}.get(array.space, terms.false)
        high = terms.constant(1 << ID_WIDTH, INDEX_WIDTH)
        indices = []
        for number in range(access.width // array.width):
            place = terms.apply("add", (offset, terms.constant(number, ID_WIDTH)))
            index = terms.extended(place, INDEX_WIDTH)
            indices.append(terms.choose(other, terms.apply("add", (index, high)), index) if thread else index)
        return indices
