"""What is known of a loop: the values that it changes and how, its tests, its accesses and its barriers.

A rule (`rules`) makes candidates of this. A candidate is a formula over names that have a value at the header of the
loop, and over the words of claims such as `enabled` and `write.A`.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.candidates.values import add_sums, names_in, scale_sum
from synth_kernels.pair.touches import changed_keys, keys_of, logged_keys
from synth_kernels.program import ID_WIDTH, Access, Barrier, Call, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.candidates.values import Sum, Values
    from synth_kernels.flow import Flow, Loop
    from synth_kernels.pair.touches import Key
    from synth_kernels.program import Block, Instruction, Kernel, Operand
    from synth_kernels.terms import Term


@dataclass(frozen=True, slots=True)
class LoopCounter:
    """A value that a loop changes: its value at entry, if it is the same on all ways there, and after each round."""

    value: Term
    initial: Term | None
    steps: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class ReachingAccess:
    """An access that may be pending at the header of a loop, with its offset and its tests.

    `guards` are the branches that each way from the beginning to the access takes, each as what holds there.
    """

    access: Access
    block: str
    offset: Term
    guards: tuple[Term, ...]


#: A sum modulo a number; 0 stands for no modulus.
Congruence: TypeAlias = "tuple[Sum, int]"


class Loops:
    """All loops of a kernel, with what they share."""

    def __init__(self, kernel: Kernel, flow: Flow, values: Values) -> None:
        self.kernel, self.flow, self.values = kernel, flow, values
        #: The arrays and kinds of which accesses are logged.
        self.keys = logged_keys(kernel)
        self.asserts = any(instruction.kind == "assert" for instruction in kernel.claims)
        self.counters = {counter.value.name: counter for header in flow.loops for counter in self._counters(header)}

    def _counters(self, header: str) -> Iterator[LoopCounter]:
        ways = [
            (block.name, target.arguments)
            for block in self.kernel.blocks
            if block.name in self.flow.order
            for target in block.end.targets
            if target.block == header
        ]
        for number, (name, _) in enumerate(self.kernel.block(header).parameters):
            before = {
                self.values.of(arguments[number]) for source, arguments in ways if not self.flow.is_back(source, header)
            }
            after = {
                self.values.of(arguments[number]) for source, arguments in ways if self.flow.is_back(source, header)
            }
            initial = before.pop() if len(before) == 1 else None
            yield LoopCounter(self.values.of(name), initial, tuple(sorted(after, key=lambda step: step.number)))

    def __iter__(self) -> Iterator[LoopFacts]:
        for header in self.flow.order:
            if header in self.flow.loops:
                facts = LoopFacts(self, self.flow.loops[header])
                if facts.matters:
                    yield facts


class LoopFacts:
    """What is known of one loop. The formulas that it gives have names that are known at the header."""

    def __init__(self, loops: Loops, loop: Loop) -> None:
        self._loops = loops
        self.loop = loop
        self.kernel, self.flow, self.values = loops.kernel, loops.flow, loops.values
        self.terms = loops.values.terms
        self.header = self.kernel.block(loop.header)
        self.body: list[Block] = [self.kernel.block(name) for name in self.flow.order if name in loop.blocks]
        steps = [instruction for block in self.body for instruction in block.instructions]
        self.barriers = [step for step in steps if _may_wait(step)]
        self.changed = {name for block in self.body for name in names_in(block)}
        self.counters = [loops.counters[name] for name, width in self.header.parameters if width > 1]
        #: The kinds of accesses that the loop may log, by array.
        self.keys = sorted(changed_keys(steps, loops.keys) & loops.keys)

    @property
    def matters(self) -> bool:
        """Whether candidates may help: because of a logged access, a barrier, or an assertion of the kernel."""
        return bool(self.keys or self.parts_threads or self._loops.asserts)

    @functools.cached_property
    def parts_threads(self) -> bool:
        """Whether it matters that threads part: `is_together`, or several ways out lead to a barrier."""
        ways = [(block, target.block) for block in self.body for target in block.end.targets]
        exits = {target for _, target in ways if target not in self.loop.blocks}
        if self.is_together or len(exits) < 2:
            return self.is_together
        waits = [block for block in self.kernel.blocks if any(map(_may_wait, block.instructions))]
        return any(self.loop.header in self.flow.leading_to(wait.name) for wait in waits)

    # --- names ---

    def is_known(self, term: Term) -> bool:
        """Whether a formula has a value at the header: all its names are defined before it, or are its parameters."""
        return all(self._is_known(name) for name in self.values.leaves(term))

    def _is_known(self, name: str) -> bool:
        block = self.values.block_of(name)
        if block is None:
            return True
        if block == self.loop.header:
            return name in dict(self.header.parameters)
        return block not in self.loop.blocks and self.flow.comes_before(block, self.loop.header)

    def is_fixed(self, term: Term) -> bool:
        """Whether a formula is known at the header, and the loop does not change it."""
        return self.is_known(term) and not self.values.leaves(term) & self.changed

    @property
    def warp(self) -> int:
        """How many threads run in lockstep, or 0."""
        return self.values.warp

    @property
    def is_together(self) -> bool:
        """Whether threads go through the loop together: it has a barrier, or they run in lockstep."""
        return bool(self.barriers or self.warp)

    # --- what claims say ---

    def word(self, name: str, width: int = 1) -> Term:
        """Return a word of claims, such as `enabled`."""
        return self.values.of_word(name, width)

    @property
    def watched(self) -> Term:
        """The watched location."""
        return self.word("watched", ID_WIDTH)

    def pending(self, key: Key) -> Term:
        """Return that thread 1 has such an access to the watched location."""
        return self.word(f"{key[1]}.{key[0]}")

    def uniform(self, term: Term) -> Term:
        """Return that both threads have the same value."""
        return self.terms.related("uniform", term)

    def number(self, value: int, width: int = ID_WIDTH) -> Term:
        """Return a number."""
        return self.terms.constant(value & ((1 << width) - 1), width)

    def for_both(self, meaning: Term) -> Iterator[Term]:
        """Yield that something holds if both threads are in the loop, and the same for threads of one group."""
        enabled = self.word("enabled")
        both = self.terms.all(enabled, self.terms.related("other", enabled))
        yield self.terms.implies(both, meaning)
        yield self.terms.implies(self.terms.all(both, self.word("same_group")), meaning)

    # --- tests and accesses ---

    @functools.cached_property
    def tests(self) -> list[Term]:
        """What lets a thread stay in the loop, at each branch out of it."""
        return self.tests_of(self.loop)

    @functools.cached_property
    def inner_tests(self) -> list[Term]:
        """The same, and for the loops in this one."""
        inner = [loop for loop in self.flow.loops.values() if loop.blocks < self.loop.blocks]
        return [*self.tests, *(test for loop in inner for test in self.tests_of(loop))]

    def tests_of(self, loop: Loop) -> list[Term]:
        """Return what lets a thread stay in any loop, at each branch out of it."""
        blocks = [self.kernel.block(name) for name in self.flow.order if name in loop.blocks]
        return [test for block in blocks for test in self._tests(block, loop)]

    def _tests(self, block: Block, loop: Loop) -> Iterator[Term]:
        ways = [target.block in loop.blocks for target in block.end.targets]
        if len(ways) == 2 and ways[0] != ways[1]:
            test = self.values.of(block.end.test)
            yield test if ways[0] else self.terms.no(test)
            for number, (name, _) in enumerate(block.parameters):
                if name == block.end.test:
                    yield from self._parts(block.name, number, loop, ways[0])

    def _parts(self, block: str, number: int, loop: Loop, stays: bool) -> Iterator[Term]:  # noqa: FBT001
        """Yield the parts of a test such as `a && b`, which is a parameter of its block: a jump there decides it."""
        for source in (self.kernel.block(name) for name in sorted(loop.blocks)):
            for place, target in enumerate(source.end.targets):
                if target.block == block:
                    value = self.values.of(target.arguments[number])
                    if value.value is None:
                        yield value if stays else self.terms.no(value)
                    elif value.value != stays and len(source.end.targets) == 2:
                        test = self.values.of(source.end.test)
                        yield test if place else self.terms.no(test)

    @functools.cached_property
    def tested(self) -> list[LoopCounter]:
        """The changed values on which leaving the loop, or a loop in it, depends."""
        names = {name for test in self.inner_tests for name in self.values.leaves(test)}
        return [counter for counter in self.counters if counter.value.name in names]

    @functools.cached_property
    def deciding(self) -> list[LoopCounter]:
        """The changed values on which a branch, an offset or an assertion in the loop depends."""
        names: set[str] = set()
        todo = [
            self.values.of(operand)
            for block in self.body
            for operand in (
                block.end.test,
                *(part for instruction in block.instructions for part in _deciding_operands(instruction)),
            )
            if operand
        ]
        parameters = {name: (block, place) for block in self.body for place, (name, _) in enumerate(block.parameters)}
        while todo:
            fresh = (self.values.leaves(todo.pop()) & parameters.keys()) - names
            names |= fresh
            for block, place in (parameters[name] for name in fresh):
                ways = [target for other in self.body for target in other.end.targets if target.block == block.name]
                todo += [self.values.of(target.arguments[place]) for target in ways]
        return [counter for counter in self.counters if counter.value.name in names]

    @functools.cached_property
    def reaching(self) -> list[ReachingAccess]:
        """The accesses in the loop, and those from which a way leads to it."""
        before = self.flow.leading_to(self.loop.header)
        return [
            ReachingAccess(instruction, block.name, self.values.of(instruction.offset), self._guards(block.name))
            for block in self.kernel.blocks
            if block.name in before or block.name in self.loop.blocks
            for instruction in block.instructions
            if isinstance(instruction, Access) and (instruction.array, instruction.flag) in self._loops.keys
        ]

    def accesses(self, key: Key) -> list[ReachingAccess]:
        """Return the accesses of an array and a kind that may be pending at the header."""
        return [reach for reach in self.reaching if key in keys_of([reach.access])]

    def in_loop(self, reaches: Iterable[ReachingAccess]) -> list[ReachingAccess]:
        """Return those accesses that lie in the loop."""
        return [reach for reach in reaches if reach.block in self.loop.blocks]

    def _guards(self, name: str) -> tuple[Term, ...]:
        """Return what holds at a block because of the branches on each way to it."""
        guards = []
        for block in self.kernel.blocks:
            if len(block.end.targets) == 2 and block.name in self.flow.order and self.flow.dominates(block.name, name):
                test = self.values.of(block.end.test)
                for number, target in enumerate(block.end.targets):
                    if self.flow.is_guarded(block.name, target.block, name):
                        guards.append(self.terms.no(test) if number else test)
        return tuple(guards)

    # --- strides ---

    def counter(self, name: str) -> LoopCounter | None:
        """Return the counter of any loop that has this name, or None if it is no counter."""
        return self._loops.counters.get(name)

    def stride(self, term: Term) -> tuple[Term, Sum] | None:
        """Return the value at entry of a counter of any loop, and what each round adds, if it is always the same.

        The low bits of a counter are a counter, too.
        """
        if term.operator == "trunc" and (whole := self.stride(term.operands[0])) is not None:
            first, delta = whole[0], self.values.term(whole[1], term.operands[0].width)
            first, delta = (self.terms.apply("trunc", (value,), term.width) for value in (first, delta))
            return first, self.values.sum(delta)
        counter = self._loops.counters.get(term.name)
        if counter is None or counter.initial is None or not counter.steps:
            return None
        sums = [self.values.sum(step) for step in counter.steps]
        own: Sum = {(term,): 1}
        limit = (1 << term.width) - 1
        deltas = [add_sums(sum_, own, limit, -1) for sum_ in sums]
        if any(delta != deltas[0] for delta in deltas) or any(term in product for product in deltas[0]):
            return None
        return counter.initial, deltas[0]

    def congruence(self, sum_: Sum, *, always: bool = False) -> Congruence | None:
        """Return a sum of fixed values that is equal to a sum, if need be modulo a number. None if only modulo 1.

        With `always`, it stays equal in all rounds of the loops around this one, too.
        """
        limit, modulus = (1 << ID_WIDTH) - 1, 0
        for _ in range(2 * len(self._loops.counters) + 1):
            loose = next((product for product in sum_ if any(self._is_loose(term, always) for term in product)), None)
            if loose is None:
                return sum_, modulus
            factor = sum_[loose]
            sum_ = {product: by for product, by in sum_.items() if product != loose}
            step = self.stride(loose[0]) if len(loose) == 1 else None
            if step is not None and set(step[1]) == {()}:
                initial, delta = step[0], step[1][()]
                sum_ = add_sums(sum_, scale_sum(self.values.sum(initial), factor, limit), limit)
                factor = factor * min(delta, limit + 1 - delta)
            modulus = math.gcd(modulus, min(factor & limit, (limit + 1 - factor) & limit) or limit + 1)
            if modulus == 1:
                return None
        return None

    def _is_loose(self, term: Term, always: bool) -> bool:  # noqa: FBT001
        return not self.is_fixed(term) or (always and self.stride(term) is not None)

    def remainder(self, term: Term, modulus: int) -> Term:
        """Return a value modulo a number: by a mask if that is a power of two."""
        if modulus & (modulus - 1) == 0:
            return self.terms.apply("and", (term, self.number(modulus - 1, term.width)))
        return self.terms.apply("urem", (term, self.number(modulus, term.width)))


def _may_wait(instruction: Instruction) -> bool:
    """Return whether threads may wait at an instruction: at a barrier, or in a call."""
    return isinstance(instruction, Barrier) or (isinstance(instruction, Call) and bool(instruction.fences))


def _deciding_operands(instruction: Instruction) -> tuple[Operand, ...]:
    """Return the operands of an instruction that decide where it acts, or whether it holds."""
    match instruction:
        case Access():
            return instruction.offset, instruction.count, instruction.step, instruction.event
        case Barrier():
            return (*instruction.same, *instruction.waits)
        case KernelClaim(kind="assert"):
            return (instruction.value,)
    return ()
