"""Execute one thread symbolically, with the numbers of a launch and any contents of memory.

Blocks are executed in an order in which loops are contiguous, each under its *guard*: the condition under which the
thread gets there. A guard is a set of ways, and each way is a set of tests. Where ways meet again, they become one. A
value that is assigned under a guard keeps its old value elsewhere. So tests may depend on what memory holds. But a
thread must pass barriers, and rounds of a loop must end, whatever memory holds.

What a thread does to memory is up to the caller (`MemoryEffects`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from synth_checker.errors import UserError
from synth_kernels.deadline import check
from synth_kernels.launch import words_of
from synth_kernels.operators import BINARY, RELATING, is_undefined
from synth_kernels.program import Access, Arbitrary, ArrayUnset, Barrier, Compute, Constant, KernelClaim, Opaque, Peek

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_kernels.flow import Flow, Loop
    from synth_kernels.launch import Thread
    from synth_kernels.program import Block, Instruction, Kernel, Operand
    from synth_kernels.terms import Term, Terms

#: A loop makes at most so many rounds, and a block is reached in at most so many ways.
MOST_ROUNDS, MOST_WAYS = 5_000, 64
Way: TypeAlias = "frozenset[Term]"


class TooHardError(UserError):
    """A kernel that can't be executed like this: the message says why, and `line` where."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class MemoryEffects(Protocol):
    """What threads do to memory, and what they claim."""

    def access(self, thread: Thread, access: Access, guard: Term, offset: Term, value: Term | None) -> Term | None:
        """Make an access under a guard. Return what a read or an atomic operation gives."""
        ...

    def unset(self, thread: Thread, array: str, guard: Term) -> None:
        """Let the elements of a private array hold anything, under a guard."""
        ...

    def peek(self, thread: Thread, peek: Peek, offset: Term) -> Term:
        """Return what an array holds."""
        ...

    def claim(self, thread: Thread, claim: KernelClaim, guard: Term, value: Term) -> None:
        """Note an assertion or an assumption."""
        ...


class SymbolicExecution:
    """The execution of one thread. `scalars` are terms."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        kernel: Kernel,
        flow: Flow,
        terms: Terms,
        thread: Thread,
        sizes: Mapping[str, int],
        scalars: Mapping[str, Term],
        shared: MemoryEffects,
        until: float,
    ) -> None:
        self._kernel, self._flow, self._terms, self._thread, self._shared = kernel, flow, terms, thread, shared
        self._until = until
        numbers = words_of(thread, dict(sizes))
        self._values = {name: terms.constant(value, 32) for name, value in numbers.items()} | dict(scalars)
        #: The ways that lead to blocks, each with the values of their parameters.
        self._jumps: dict[str, list[tuple[Way, list[Term]]]] = {}

    def run(self) -> Iterator[Barrier]:
        """Execute the thread; it stops at each barrier.

        Raises:
            TooHardError: it depends too much on what memory holds.
            OverdueError: the time was over.
        """
        self._jumps[self._flow.entry] = [(frozenset(), [])]
        yield from self._region(self._flow.order, None)

    def _region(self, names: list[str], header: str | None) -> Iterator[Barrier]:
        place = 0
        while place < len(names):
            loop = self._flow.loops.get(names[place]) if names[place] != header else None
            if loop is None:
                yield from self._block(self._kernel.block(names[place]))
                place += 1
            else:
                inside = [name for name in names[place:] if name in loop.blocks]
                yield from self._loop(loop, inside)
                place += len(inside)

    def _loop(self, loop: Loop, inside: list[str]) -> Iterator[Barrier]:
        rounds = 0
        while self._jumps.get(loop.header):
            check(self._until, f"{self._kernel.name} was executed")
            rounds += 1
            if rounds > MOST_ROUNDS:
                line = self._kernel.block(loop.header).first_line
                raise TooHardError(line, f"a loop makes more than {MOST_ROUNDS:,} rounds, or depends on open values")
            yield from self._region(inside, loop.header)

    def _block(self, block: Block) -> Iterator[Barrier]:
        jumps = self._jumps.pop(block.name, [])
        if not jumps:
            return
        ways = simplify_ways([way for way, _ in jumps])
        if len(ways) > MOST_WAYS:
            raise TooHardError(block.first_line, "too many tests depend on what memory holds")
        guard = self._guard(ways)
        for number, (name, _) in enumerate(block.parameters):
            value = jumps[0][1][number]
            for way, values in jumps[1:]:
                value = self._terms.choose(self._terms.all(*sorted_tests(way)), values[number], value)
            self._set(name, guard, value)
        for instruction in block.instructions:
            if isinstance(instruction, Barrier):
                if ways != [frozenset()]:
                    raise TooHardError(instruction.line, "whether a thread gets to this barrier depends on open values")
                yield instruction
            else:
                self._step(instruction, guard)
        self._jump(block, ways)

    def _jump(self, block: Block, ways: list[Way]) -> None:
        targets = block.end.targets
        tests = [self._terms.true]
        if len(targets) == 2:
            test = self._term(block.end.test)
            tests = [test, self._terms.no(test)]
        for target, test in zip(targets, tests, strict=False):
            if test.value == 0:
                continue
            values = [self._term(argument) for argument in target.arguments]
            for way in ways:
                if self._terms.no(test) not in way:
                    longer = way if test.value == 1 else way | {test}
                    self._jumps.setdefault(target.block, []).append((longer, values))

    def _guard(self, ways: list[Way]) -> Term:
        return self._terms.any(*(self._terms.all(*sorted_tests(way)) for way in ways))

    def _set(self, name: str, guard: Term, value: Term) -> None:
        old = self._values.get(name)
        self._values[name] = value if old is None else self._terms.choose(guard, value, old)

    def _term(self, operand: Operand) -> Term:
        if isinstance(operand, Constant):
            return self._terms.constant(operand.value, operand.width)
        return self._values[operand]

    def _are_known(self, *operands: Operand) -> bool:
        return all(isinstance(operand, Constant) or operand in self._values for operand in operands)

    def _step(self, instruction: Instruction, guard: Term) -> None:  # noqa: C901  (one for each kind)
        match instruction:
            case Compute() if instruction.operator not in RELATING and self._are_known(*instruction.operands):
                self._set(instruction.name, guard, self._computed(instruction))
            case Opaque() if self._are_known(*instruction.operands):
                operands = tuple(self._term(operand) for operand in instruction.operands)
                self._set(instruction.name, guard, self._terms.call(instruction.function, operands, instruction.width))
            case Arbitrary(is_unset=True):
                self._set(
                    instruction.name,
                    guard,
                    self._terms.variable(f"{instruction.name} of {self._thread}", instruction.width),
                )
            case ArrayUnset():
                self._shared.unset(self._thread, instruction.array, guard)
            case Arbitrary():
                raise TooHardError(instruction.line, "a value is arbitrary")
            case Access(count=""):
                values = (instruction.value,) if instruction.kind == "write" else instruction.operands
                value = self._term(values[0]) if len(values) == 1 else None
                result = self._shared.access(self._thread, instruction, guard, self._term(instruction.offset), value)
                if result is not None:
                    self._set(instruction.name, guard, result)
            case Access():
                raise TooHardError(instruction.line, "a copy of many places")
            case Peek() if self._are_known(instruction.offset):
                self._set(
                    instruction.name,
                    guard,
                    self._shared.peek(self._thread, instruction, self._term(instruction.offset)),
                )
            case KernelClaim(kind="assert" | "assume") if self._are_known(instruction.value):
                self._shared.claim(self._thread, instruction, guard, self._term(instruction.value))
            case KernelClaim(kind="assert" | "assume"):
                raise TooHardError(instruction.line, "a claim speaks of two threads")

    def _computed(self, compute: Compute) -> Term:
        operands = tuple(self._term(operand) for operand in compute.operands)
        operator = BINARY.get(compute.operator)
        if operator is not None and (operator.divides or operator.shifts) and operands[1].value is None:
            raise TooHardError(compute.line, "a division or a shift by an open value")
        if operator is not None and is_undefined(compute.operator, operands[1].value or 0, operands[1].width):
            raise TooHardError(compute.line, "a division by zero, or a shift by too much")
        return self._terms.apply(compute.operator, operands, compute.width)


def sorted_tests(way: Way) -> list[Term]:
    """Return the tests of a way in a fixed order."""
    return sorted(way, key=lambda term: term.number)


def simplify_ways(ways: list[Way]) -> list[Way]:
    """Return ways that together are the same condition, where two of them that differ in one test only become one."""
    kept_ways = list(dict.fromkeys(ways))
    changed = True
    while changed and len(kept_ways) > 1:
        changed = False
        for number, first in enumerate(kept_ways):
            for second in kept_ways[number + 1 :]:
                if (joined := _join(first, second)) is not None:
                    kept_ways = [way for way in kept_ways if way not in {first, second}]
                    kept_ways.append(joined)
                    changed = True
                    break
            if changed:
                break
    return kept_ways


def _join(first: Way, second: Way) -> Way | None:
    if first <= second:
        return first
    if second <= first:
        return second
    here, there = first - second, second - first
    if len(here) == len(there) == 1:
        (a,), (b,) = here, there
        if (a.operator == "not" and a.operands[0] is b) or (b.operator == "not" and b.operands[0] is a):
            return first & second
    return None
