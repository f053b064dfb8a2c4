"""The values of two threads, and what each instruction does to them and to what they share."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_kernels.operators import BINARY, KEEP
from synth_kernels.pair.annotations import OF_BOTH, pair_values
from synth_kernels.pair.powers import BY_POWERS, choice_by_power, guessed_powers
from synth_kernels.pair.state import KernelCheck
from synth_kernels.pair.touches import ThreadAccess
from synth_kernels.program import (
    ID_WIDTH,
    Access,
    Arbitrary,
    ArrayUnset,
    Barrier,
    Call,
    Compute,
    Constant,
    KernelClaim,
    Opaque,
    Peek,
    operands_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_kernels.flow import Loop
    from synth_kernels.pair.contents import PeekedValue
    from synth_kernels.pair.state import Pair, ThreadPairState
    from synth_kernels.program import Instruction, Operand
    from synth_kernels.terms import Term


@dataclass(frozen=True, slots=True)
class Input:
    """A value that a thread, 0 or 1, gets from outside or stores at some line, if it `happens`.

    It is `invented` if it comes from outside and nothing is known of it.
    """

    thread: int
    line: int
    happens: Term
    value: Term
    invented: Term


@dataclass(slots=True)
class Cut:
    """A loop while its body is walked: which threads entered it live, and which are in the arbitrary round.

    `changed` are the arrays of which the loop changes what they hold. `checks` is the number of checks before the
    body.
    """

    loop: Loop
    entered: Pair
    inside: Pair
    candidates: list[KernelClaim]
    changed: set[str]
    checks: int


@dataclass(frozen=True, slots=True)
class LoopThreads:
    """The threads that entered a loop, those that are in it, and whether an invariant has to hold for some thread.

    After a round, `before` has the values that it began with.
    """

    entered: Pair
    inside: Pair
    applies: Term
    before: Sequence[dict[str, Term]] = ()


class Threads:
    """Two threads at some place of the walk, with what they share.

    `cuts` are the loops around this place, the outermost first. `inputs` has what each thread gets from each read,
    atomic operation and arbitrary value, and what it stores, in the order of the walk.
    """

    def __init__(self, state: ThreadPairState) -> None:
        self.state, self.terms = state, state.terms
        self.cuts: list[Cut] = []
        self.inputs: list[Input] = []
        self.values: tuple[dict[str, Term], dict[str, Term]] = (
            state.ids[0] | state.scalars,
            state.ids[1] | state.scalars,
        )
        self._of_pair = pair_values(state.kernel)
        self._powers = guessed_powers(state.kernel)
        #: The arrays whose contents the source gives, and of which a proof takes nothing.
        self._initial = {array.name for array in state.kernel.arrays if array.initial is not None}
        #: What each thread has seen, by the names of peeks.
        self._seen: dict[str, tuple[PeekedValue, PeekedValue]] = {}

    def keep(self, name: str, there: LoopThreads) -> None:
        """Let a thread that makes no further round keep what it saw in its last one."""
        for thread in (0, 1):
            now = self.values[thread][name]
            self.values[thread][name] = self.terms.choose(there.inside[thread], now, there.before[thread][name])

    def checked_meanings(self, claim: KernelClaim, there: LoopThreads) -> list[tuple[Term, Term]]:
        """Return what has to be checked of a claim. The pair is arbitrary, so it is enough to check thread 1."""
        return self.meanings(claim, there)[: 1 if self.state.options.asymmetric else None]

    def meanings(self, claim: KernelClaim, there: LoopThreads) -> list[tuple[Term, Term]]:
        """Return what a claim says, under the condition under which it has to hold.

        A claim about single threads says it of each thread that is there. A claim about both threads, or about the
        accesses of thread 1, says it once.
        """
        words = self._words(claim) - self._seen.keys()
        meaning = [self._word(thread, there.inside, claim.value) for thread in (0, 1)]
        if claim.once:
            return [(self.terms.true, meaning[0])]
        if not words - {"enabled"}:
            return list(zip(there.entered, meaning, strict=True))
        if not words & OF_BOTH:
            return [(there.entered[0], meaning[0])]
        return [(there.applies if "enabled" in words else self.terms.all(*there.entered), meaning[0])]

    def is_about_one(self, claim: KernelClaim) -> bool:
        """Return whether a claim is about single threads."""
        return not claim.once and not self._words(claim) & OF_BOTH

    def _words(self, claim: KernelClaim) -> frozenset[str]:
        """Return the words, operators and peeks that a claim uses."""
        return self._of_pair.get(claim.value, frozenset()) if isinstance(claim.value, str) else frozenset()

    def _compute(self, compute: Compute, live: Pair) -> None:
        if compute.operator == KEEP:
            for thread in (0, 1):
                self.values[thread][compute.name] = self._word(thread, live, compute.operands[0])
            return
        if compute.name in self._of_pair:
            self._relate(compute, live)
            return
        operands = [tuple(self.term(thread, operand) for operand in compute.operands) for thread in (0, 1)]
        for thread in (0, 1):
            self.values[thread][compute.name] = self._result(compute, operands[thread], f" of thread {thread + 1}")
        if compute.operator in BY_POWERS and all(operand.value is None for operand in operands[0]):
            # A solver would have to find this out from the bits of both results.
            same = self.terms.all(*itertools.starmap(self.terms.equal, zip(*operands, strict=True)))
            if compute.operator != "mul":
                zero = self.terms.constant(0, operands[0][1].width)
                same = self.terms.all(same, self.terms.no(self.terms.equal(operands[0][1], zero)))
            results = (values[compute.name] for values in self.values)
            self.state.learn(self.terms.implies(same, self.terms.equal(*results)))

    def _relate(self, compute: Compute, inside: Pair) -> None:
        """Compute a value that speaks of both threads or of logged accesses."""
        operands = self._operands(compute, inside)
        for thread in (0, 1):
            match compute.operator:
                case "uniform":
                    result = self.terms.equal(operands[0][0], operands[1][0])
                case "other":
                    result = operands[1 - thread][0]
                case _:
                    result = self._result(compute, operands[thread], f" of thread {thread + 1}")
            self.values[thread][compute.name] = result

    def _operands(self, compute: Compute | Opaque | Peek, inside: Pair) -> list[tuple[Term, ...]]:
        """Return the operands of an instruction in each thread. Those of a claim may use the words of claims."""
        return [tuple(self._word(thread, inside, operand) for operand in operands_of(compute)) for thread in (0, 1)]

    def step(self, instruction: Instruction, live: Pair) -> None:  # noqa: C901  (one for each kind)
        """Let both threads execute an instruction, as far as they are live."""
        if isinstance(instruction, Access | Barrier):
            self.state.contents.move_on()
        match instruction:
            case Compute():
                self._compute(instruction, live)
            case Arbitrary():
                self._arbitrary(instruction, live)
            case Opaque():
                self._opaque(instruction, live)
            case Peek():
                self._peek(instruction, live)
            case Access():
                self._access(instruction, live)
            case Barrier():
                same, events = (
                    list(map(self._both, waited_for)) for waited_for in (instruction.same, instruction.waits)
                )
                self.state.barrier(instruction, live, same, events, in_loop=bool(self.cuts))
            case KernelClaim(kind="assert" | "assume"):
                self._assert_or_assume(instruction, live)
            case KernelClaim(kind="observe"):
                self._observe(instruction, live)
            case KernelClaim(kind="guarantee"):
                self._guarantee(instruction, live)
            case ArrayUnset():
                self.state.contents.unset(instruction, live)
            case Call():
                self.state.contents.move_on()
                self.state.call(instruction, live)

    def _observe(self, claim: KernelClaim, live: Pair) -> None:
        """Check whether a candidate can fail here. One that compares the threads is checked where both are."""
        both = self.terms.all(*live)
        words, meanings = self._words(claim), self.checked_meanings(claim, LoopThreads(live, live, both))
        here = both if claim.once or words & OF_BOTH else self.terms.true
        for condition, holds in meanings:
            fails = self.terms.all(self.state.known, here, condition, self.terms.no(holds))
            self.state.check(KernelCheck("step", fails, claim.line, candidate=True))

    def _assert_or_assume(self, claim: KernelClaim, live: Pair) -> None:
        """Check an assertion. From here on, what it says is known, as is what an assumption says.

        An assumption also says that no other thread has changed what it peeks at. If bounds are checked, each access
        has a check of its own, and that an index is not too large is checked, and not assumed.
        """
        is_bound = bool(claim.inside) and self.state.options.check_bounds
        if is_bound and claim.inside == "access":
            return
        here = LoopThreads(live, live, self.terms.any(*live))
        holds = self.terms.all(*itertools.starmap(self.terms.implies, self.meanings(claim, here)))
        if claim.kind == "assert" or is_bound:
            checked = self.terms.all(*itertools.starmap(self.terms.implies, self.checked_meanings(claim, here)))
            kind: Literal["assertion", "base", "bounds", "overflow"] = (
                "bounds" if is_bound else "base" if claim.line in self.state.invariants else "assertion"
            )
            if claim.is_overflow:
                kind = "overflow"
            self.state.check(KernelCheck(kind, self.terms.all(self.state.known, self.terms.no(checked)), claim.line))
        about_one = self.is_about_one(claim)
        self.state.learn(holds if about_one else self.terms.implies(self.state.both_entered, holds))
        if claim.kind == "assume":
            for name in sorted(self._words(claim) & self._seen.keys()):
                for there, seen in zip(live, self._seen[name], strict=True):
                    self.state.learn(self.terms.implies(there, seen.agrees))

    def contract_meanings(self, claim: KernelClaim, live: Pair) -> list[tuple[Term, Term]]:
        """Return what a claim of a contract says, under the condition under which it has to hold."""
        anyone = self.terms.any(*live)
        meanings = self.meanings(claim, LoopThreads(live, live, anyone))
        return [(anyone if claim.once else condition, holds) for condition, holds in meanings]

    def _guarantee(self, claim: KernelClaim, live: Pair) -> None:
        """Check a claim of a contract. From here on, it is known, unless it may be refuted."""
        agreed = self.contract_meanings(claim, live)
        broken = self.terms.any(*(self.terms.all(here, self.terms.no(holds)) for here, holds in agreed))
        kind: Literal["step", "assertion"] = "step" if claim.candidate else "assertion"
        fails = self.terms.all(self.state.known, broken)
        self.state.check(KernelCheck(kind, fails, claim.line, candidate=claim.candidate))
        for condition, holds in () if claim.candidate else agreed:
            self.state.learn(self.terms.implies(condition, holds))

    def _access(self, access: Access, live: Pair) -> None:
        """Log and check an access, and give what is read to each thread: an arbitrary value if nothing is known."""
        offsets = self._both(access.offset)
        values = self._both(access.value) if access.kind == "write" else None
        first, second = (
            ThreadAccess(
                access,
                live[thread],
                offsets[thread],
                None if values is None else values[thread],
                self.term(thread, access.count) if access.count else None,
                self.term(thread, access.step) if access.step else None,
                self.terms.variable(f"place of a copy by thread {thread + 1}", ID_WIDTH) if access.step else None,
                self.term(thread, access.event) if access.event else None,
            )
            for thread in (0, 1)
        )
        self.state.access((first, second))
        for thread in (0, 1):
            self.state.contents.touch(thread, access, offsets[thread], live[thread])
            if values is not None:
                self.state.contents.store(thread, access, offsets[thread], values[thread], live[thread])
                self.inputs.append(Input(thread, access.line, live[thread], values[thread], self.terms.false))
                continue
            value = self.values[thread][access.name] = self._load(thread, access, offsets[thread])
            is_invented = (value.operator == "variable" and not access.event) or access.array in self._initial
            invented = live[thread] if is_invented else self.terms.false
            self.inputs.append(Input(thread, access.line, live[thread], value, invented))

    def _peek(self, peek: Peek, live: Pair) -> None:
        """Give each thread what it sees in an array."""
        offsets = self._operands(peek, live)
        first, second = (
            self.state.contents.peek(thread, peek, offsets[thread][0], self._is_inside(thread, peek.array))
            for thread in (0, 1)
        )
        self._seen[peek.name] = first, second
        for thread, seen in enumerate((first, second)):
            self.values[thread][peek.name] = seen.value
            invented = self.terms.all(live[thread], self.terms.no(seen.sure))
            self.inputs.append(Input(thread, peek.line, live[thread], seen.value, invented))

    def _is_inside(self, thread: int, array: str) -> Term:
        """Return whether a thread is still in the innermost loop around that may change what an array holds."""
        inside = [cut.inside[thread] for cut in self.cuts if array in cut.changed]
        return inside[-1] if inside else self.terms.true

    def _load(self, thread: int, access: Access, offset: Term) -> Term:
        """Return what a thread reads. If it is frozen, it repeats a read from an array that may have changed since."""
        arbitrary = self.terms.variable(f"{access.name} of thread {thread + 1}", access.width)
        held = self.state.contents.load(thread, access, offset)
        if held is None:
            return arbitrary
        return self.terms.choose(self._is_inside(thread, access.array), held, arbitrary)

    def _arbitrary(self, arbitrary: Arbitrary, live: Pair) -> None:
        """Give a name any value. If it is uniform, live threads of one group get the same."""
        values = [self.terms.variable(f"{arbitrary.name} of thread {thread}", arbitrary.width) for thread in (1, 2)]
        if arbitrary.is_uniform or arbitrary.is_event:
            together = self.terms.all(*live, self.state.same_group)
            values[1] = self.terms.choose(together, *values)
        for thread in (0, 1):
            if arbitrary.is_event:
                self.state.learn(
                    self.terms.no(self.terms.equal(values[thread], self.terms.constant(0, arbitrary.width)))
                )
            self.values[thread][arbitrary.name] = values[thread]
            self.inputs.append(Input(thread, arbitrary.line, live[thread], values[thread], live[thread]))

    def _opaque(self, opaque: Opaque, live: Pair) -> None:
        """Give a name the result of a function, of which only is known that it gives both threads the same."""
        terms, operands = self.terms, self._operands(opaque, live)
        results = [terms.opaque(opaque.function, arguments, opaque.width) for arguments in operands]
        if results[0] is not results[1]:
            same = terms.all(*itertools.starmap(terms.equal, zip(*operands, strict=True)))
            self.state.learn(terms.implies(same, terms.equal(*results)))
        for thread in (0, 1):
            self.values[thread][opaque.name] = results[thread]

    def _both(self, operand: Operand) -> Pair:
        return self.term(0, operand), self.term(1, operand)

    def _result(self, compute: Compute, operands: tuple[Term, ...], whose: str) -> Term:
        """Return the result of an operator, which is arbitrary where it is undefined."""
        result = self._defined_result(compute, operands)
        operator = BINARY.get(compute.operator)
        if operator is None or not (operator.divides or operator.shifts):
            return result
        second, width = operands[1], operands[1].width
        bad = (
            self.terms.equal(second, self.terms.constant(0, width))
            if operator.divides
            else self.terms.no(self.terms.apply("ult", (second, self.terms.constant(width, width))))
        )
        if bad.value == 0:
            return result
        return self.terms.choose(bad, self.terms.variable(f"{compute.name}{whose}", compute.width), result)

    def _defined_result(self, compute: Compute, operands: tuple[Term, ...]) -> Term:
        """Return the result of an operator where it is defined."""
        if compute.operator in BY_POWERS and all(operand.value is None for operand in operands):
            powers = [operand in self._powers for operand in compute.operands]
            if powers[1] or (powers[0] and compute.operator == "mul"):
                first, power = operands if powers[1] else operands[::-1]
                otherwise = self.state.products.unknown(compute.operator, operands[0], operands[1])
                return choice_by_power(self.terms, compute.operator, first, power, otherwise)
        if compute.operator == "mul":
            return self.state.products.of(*operands)
        if compute.operator == "urem" and self.state.is_open(operands[1]):
            remainder, fact = self.state.products.remainder(*operands)
            self.state.learn(fact)
            return remainder
        return self.terms.apply(compute.operator, operands, compute.width)

    def _word(self, thread: int, inside: Pair, operand: Operand) -> Term:
        """Return the value of an operand of a claim, which may be a word such as `enabled`."""
        if isinstance(operand, Constant) or operand in self.values[thread]:
            return self.term(thread, operand)
        return self.state.words(thread, inside[thread])[operand]

    def term(self, thread: int, operand: Operand) -> Term:
        """Return the value of an operand."""
        if isinstance(operand, Constant):
            return self.terms.constant(operand.value, operand.width)
        return self.values[thread][operand]
