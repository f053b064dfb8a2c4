"""Run two arbitrary threads through a kernel, block by block, and collect what must not happen.

Both threads go through every block, in an order in which loops are contiguous. For each block there is a condition
under which a thread gets there. A loop is cut at its header: its state there is arbitrary, apart from what invariants
say, which must hold when the loop is entered (base) and after each round (step).

In the arbitrary round, a thread may have left the loop before. Such a thread is *frozen*: it repeats its last round, so
that it takes its exit with the values that it had. A thread is *live* at a block if it gets there and is not frozen.
Only live threads log, check and meet at barriers. This is stricter than the reference of our design, where a frozen
thread takes part in barriers again. There, a thread that leaves a loop after the barrier in it would still wait there
with a thread that goes on, and no divergence would show.

Behind the body it is known that a frozen thread takes its exit again. This was so in the body, too. So it is added to
the checks that were made there.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_kernels.deadline import NEVER, check
from synth_kernels.flow import Flow
from synth_kernels.operators import BINARY
from synth_kernels.pair.annotations import OF_BOTH, about_the_pair, check_places, is_invariant
from synth_kernels.pair.options import DEFAULT
from synth_kernels.pair.state import Check, State
from synth_kernels.program import Access, Arbitrary, Barrier, Claim, Compute, Constant, Opaque, Peek, operands_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_kernels.flow import Loop
    from synth_kernels.launch import Launch
    from synth_kernels.pair.contents import Seen
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import Pair
    from synth_kernels.program import Block, Instruction, Kernel, Operand
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


@dataclass(frozen=True, slots=True)
class Parting:
    """A branch at some line, at which the two threads go different ways if it `happens`."""

    line: int
    happens: Term


@dataclass(frozen=True, slots=True)
class Entered:
    """A loop that some thread enters if it `happens`. `line` is that of its test, and `first` that where it begins."""

    line: int
    first: int
    happens: Term


@dataclass(slots=True)
class _Cut:
    """A loop while its body is walked: which threads entered it live, and which are in the arbitrary round.

    `changed` are the arrays of which the loop changes what they hold. `checks` is the number of checks before the
    body.
    """

    loop: Loop
    entered: Pair
    inside: Pair
    candidates: list[Claim]
    changed: set[str]
    checks: int


@dataclass(frozen=True, slots=True)
class _Jump:
    """A jump from a block: under which condition each thread takes it, and the values that it gives."""

    source: str
    taken: Pair
    arguments: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class _There:
    """The threads that entered a loop, those that are in it, and whether an invariant has to hold for some thread.

    After a round, `before` has the values that it began with.
    """

    entered: Pair
    inside: Pair
    some: Term
    before: Sequence[dict[str, Term]] = ()


class Walk:
    """The walk of two threads through a kernel. `state` then has the checks.

    `refuted` are lines of candidates that are not invariants. At the time `until`, the walk is given up. With switches,
    each candidate counts only if its switch holds. `switches` has these by the lines of the candidates, and `claims`
    what the candidates say.

    Raises:
        InputError: the kernel can't be walked.
        OverdueError: the time was over before that.
    """

    def __init__(  # noqa: PLR0913
        self,
        kernel: Kernel,
        launch: Launch,
        refuted: Collection[int] = (),
        options: Options = DEFAULT,
        until: float = NEVER,
        *,
        switched: bool = False,
    ) -> None:
        self.state = State(kernel, launch, options)
        self.terms = self.state.terms
        self._flow = Flow(kernel)
        check_places(self._flow)
        self._of_pair = about_the_pair(kernel)
        self._refuted = refuted
        self._switched = switched
        self.switches: dict[int, Term] = {}
        self.claims: dict[int, Term] = {}
        self._enters_always = options.enters_always
        #: The values of each thread, and the walked jumps by the blocks to which they go.
        self._values: tuple[dict[str, Term], dict[str, Term]] = (
            self.state.ids[0] | self.state.scalars,
            self.state.ids[1] | self.state.scalars,
        )
        self._jumps: dict[str, list[_Jump]] = {}
        self._cuts: list[_Cut] = []
        #: What each thread has seen, by the names of peeks.
        self._seen: dict[str, tuple[Seen, Seen]] = {}
        #: What each thread gets from each read, atomic operation and arbitrary value, and what it stores, in the order
        #: of the walk.
        self.inputs: list[Input] = []
        #: The branches at which the threads may part, and the loops.
        self.partings: list[Parting] = []
        self.rounds: list[Entered] = []
        #: The lines in the order of the walk.
        self.order = [
            step.line
            for name in self._flow.order
            for step in (*kernel.block(name).instructions, kernel.block(name).end)
        ]
        for name in self._flow.order:
            check(until, f"{kernel.name} was verified")
            while self._cuts and name not in self._cuts[-1].loop.blocks:
                self._close(self._cuts.pop())
            self._visit(kernel.block(name))
            if name == self._flow.entry:
                #: What the launch and the assumptions at the beginning of the kernel say.
                self.required = self.state.known
        while self._cuts:
            self._close(self._cuts.pop())

    def _visit(self, block: Block) -> None:
        reached = self._reached(block.name)
        if block.name in self._flow.loops:
            self._open(self._flow.loops[block.name], block, reached)
        else:
            self.state.contents.move_on()
            self._enter(block, self._values)
        live = self._live(reached)
        for instruction in block.instructions:
            self._step(instruction, live)
        self._note_parting(block, live)
        test = [self._term(thread, block.end.test) if block.end.test else self.terms.true for thread in (0, 1)]
        for number, target in enumerate(block.end.targets):
            one, two = (self.terms.no(taken) if number else taken for taken in test)
            taken = self.terms.all(reached[0], one), self.terms.all(reached[1], two)
            self._jumps.setdefault(target.block, []).append(_Jump(block.name, taken, target.arguments))

    def _note_parting(self, block: Block, live: Pair) -> None:
        if block.end.test:
            ways = [self._term(thread, block.end.test) for thread in (0, 1)]
            differ = self.terms.all(*live, self.terms.no(self.terms.equal(*ways)))
            if differ.value != 0:
                self.partings.append(Parting(block.end.line, differ))

    def _live(self, reached: Pair) -> Pair:
        if not self._cuts:
            return reached
        one, two = self._cuts[-1].inside
        return self.terms.all(reached[0], one), self.terms.all(reached[1], two)

    def _ways(self, target: str, *, back: bool) -> list[tuple[Pair, tuple[Operand, ...]]]:
        """Return the walked jumps to a block: for each the condition of each thread, and the values that it gives."""
        return [
            (one.taken, one.arguments)
            for one in self._jumps.get(target, ())
            if self._flow.is_back(one.source, target) == back
        ]

    def _reached(self, name: str) -> Pair:
        if name == self._flow.entry:
            return self.terms.true, self.terms.true
        ways = self._ways(name, back=False)
        one, two = (self.terms.any(*(way[0][thread] for way in ways)) for thread in (0, 1))
        return one, two

    def _given(self, block: Block, thread: int, otherwise: dict[str, Term] | None) -> dict[str, Term]:
        """Return the parameters of a block by the jumps to it: those that go back if `otherwise` has other values."""
        ways = self._ways(block.name, back=otherwise is not None)
        found = {}
        for number, (name, _) in enumerate(block.parameters):
            terms = [(way[0][thread], self._term(thread, way[1][number])) for way in ways]
            value = terms[0][1] if otherwise is None else otherwise[name]
            for condition, term in terms:
                value = self.terms.choose(condition, term, value)
            found[name] = value
        return found

    def _enter(self, block: Block, values: tuple[dict[str, Term], dict[str, Term]]) -> None:
        for thread in (0, 1):
            values[thread].update(self._given(block, thread, None))

    def _open(self, loop: Loop, block: Block, reached: Pair) -> None:
        """Check the invariants of a loop at its entry, then make its state arbitrary and assume them."""
        terms, state = self.terms, self.state
        claims = [
            claim
            for claim in block.instructions
            if isinstance(claim, Claim)
            and is_invariant(claim)
            and not (claim.kind == "candidate" and claim.line in self._refuted)
        ]
        entered = self._live(reached)
        some = terms.any(*entered)
        state.contents.move_on()
        self._enter(block, self._values)
        self._check_claims(claims, block, "base", _There(entered, entered, some))
        for name, width in block.parameters:
            for thread in (0, 1):
                self._values[thread][name] = terms.variable(f"{name} of thread {thread + 1}", width)
        inside = (
            terms.variable(f"thread 1 in {loop.header}", 1),
            terms.variable(f"thread 2 in {loop.header}", 1),
        )
        for one, other in zip(inside, entered, strict=True):
            state.learn(terms.implies(one, other))
        state.learn(terms.any(*inside) if self._enters_always else terms.implies(some, terms.any(*inside)))
        body = [one for name in loop.blocks for one in state.kernel.block(name).instructions]
        # Only thread 1 logs accesses, and only where it passes a barrier are they forgotten.
        accessed = {(one.array, one.kind) for one in body if isinstance(one, Access)}
        state.loosen(accessed, entered[0])
        changed = state.contents.changed(body)
        state.contents.enter(body, some)
        state.contents.move_on()
        self.rounds.append(Entered(block.end.line, (*block.instructions, block.end)[0].line, some))
        self._cuts.append(_Cut(loop, entered, inside, claims, changed, len(state.checks)))
        for _ in state.looks():
            for claim, condition, holds in self._meanings(claims, block, _There(entered, inside, some)):
                self.claims.setdefault(claim.line, holds)
                state.learn(terms.implies(terms.all(some, self._counts(claim), condition), holds))

    def _close(self, cut: _Cut) -> None:
        """Check that the invariants of a loop still hold after a round, and go on with threads that make no other."""
        terms, state = self.terms, self.state
        block = state.kernel.block(cut.loop.header)
        ways = self._ways(block.name, back=True)
        one, two = (terms.any(*(way[0][thread] for way in ways)) for thread in (0, 1))
        leaves = terms.all(
            *(terms.implies(again, inside) for inside, again in zip(cut.inside, (one, two), strict=True))
        )
        state.learn(leaves)
        state.restrict(cut.checks, leaves)
        some = terms.any(one, two)
        state.contents.move_on()
        before = [dict(values) for values in self._values]
        after = [self._given(block, thread, before[thread]) for thread in (0, 1)]
        for thread in (0, 1):
            self._values[thread].update(after[thread])
        self._check_claims(cut.candidates, block, "step", _There(cut.entered, (one, two), some, before))
        for thread in (0, 1):
            self._values[thread].update(before[thread])
        state.learn(terms.no(some))

    def _counts(self, claim: Claim) -> Term:
        """Return whether an invariant counts: a candidate may have a switch."""
        if claim.kind != "candidate" or not self._switched:
            return self.terms.true
        if claim.line not in self.switches:
            self.switches[claim.line] = self.terms.variable(f"candidate {claim.line}", 1)
        return self.switches[claim.line]

    def _check_claims(
        self, claims: Collection[Claim], block: Block, kind: Literal["base", "step"], there: _There
    ) -> None:
        for claim, condition, holds in self._meanings(claims, block, there):
            fails = self.terms.all(self.state.known, there.some, condition, self.terms.no(holds))
            self.state.check(Check(kind, fails, claim.line, candidate=claim.kind == "candidate"))

    def _meanings(self, claims: Collection[Claim], block: Block, there: _There) -> list[tuple[Claim, Term, Term]]:
        """Return what invariants say, by the values that stand before them in the header, under their conditions."""
        before, inputs, left = self._values, len(self.inputs), set(claims)
        found = []
        # Behind the header, its values are those of the round that was walked, so they are computed anew.
        self._values = (dict(before[0]), dict(before[1]))
        for one in block.instructions if left else ():
            if not isinstance(one, Claim):
                self._step(one, there.inside)
                if isinstance(one, Peek) and there.before:
                    self._keep(one.name, there)
            elif one in left:
                found += [(one, condition, holds) for condition, holds in self._said(one, there)]
                left.remove(one)
                if not left:
                    break
        self._values = before
        del self.inputs[inputs:]
        return found

    def _keep(self, name: str, there: _There) -> None:
        """Let a thread that makes no further round keep what it saw in its last one."""
        for thread in (0, 1):
            now = self._values[thread][name]
            self._values[thread][name] = self.terms.choose(there.inside[thread], now, there.before[thread][name])

    def _said(self, claim: Claim, there: _There) -> list[tuple[Term, Term]]:
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
        return [(there.some if "enabled" in words else self.terms.all(*there.entered), meaning[0])]

    def _words(self, claim: Claim) -> frozenset[str]:
        """Return the words, operators and peeks that a claim uses."""
        return self._of_pair.get(claim.value, frozenset()) if isinstance(claim.value, str) else frozenset()

    def _compute(self, one: Compute, live: Pair) -> None:
        if one.name in self._of_pair:
            self._relate(one, live)
            return
        for thread in (0, 1):
            operands = tuple(self._term(thread, operand) for operand in one.operands)
            self._values[thread][one.name] = self._result(one, operands, f" of thread {thread + 1}")

    def _relate(self, one: Compute, inside: Pair) -> None:
        """Compute a value that speaks of both threads or of logged accesses."""
        operands = self._operands(one, inside)
        for thread in (0, 1):
            match one.operator:
                case "uniform":
                    result = self.terms.equal(operands[0][0], operands[1][0])
                case "other":
                    result = operands[1 - thread][0]
                case _:
                    result = self._result(one, operands[thread], f" of thread {thread + 1}")
            self._values[thread][one.name] = result

    def _operands(self, one: Compute | Opaque | Peek, inside: Pair) -> list[tuple[Term, ...]]:
        """Return the operands of an instruction in each thread. Those of a claim may use the words of claims."""
        return [tuple(self._word(thread, inside, operand) for operand in operands_of(one)) for thread in (0, 1)]

    def _step(self, instruction: Instruction, live: Pair) -> None:
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
                self.state.barrier(instruction, live)
            case Claim(kind="assert" | "assume"):
                self._hold(instruction, live)

    def _hold(self, claim: Claim, live: Pair) -> None:
        """Check an assertion. From here on, what it says is known, as is what an assumption says.

        An assumption also says that no other thread has changed what it peeks at.
        """
        for condition, meaning in self._said(claim, _There(live, live, self.terms.any(*live))):
            holds = self.terms.implies(condition, meaning)
            if claim.kind == "assert":
                fails = self.terms.all(self.state.known, self.terms.no(holds))
                self.state.check(Check("assertion", fails, claim.line))
            self.state.learn(holds)
        if claim.kind == "assume":
            for name in sorted(self._words(claim) & self._seen.keys()):
                for there, seen in zip(live, self._seen[name], strict=True):
                    self.state.learn(self.terms.implies(there, seen.agrees))

    def _access(self, access: Access, live: Pair) -> None:
        """Log and check an access, and give what is read to each thread: an arbitrary value if nothing is known."""
        offsets = self._both(access.offset)
        counts = self._both(access.count) if access.count else None
        values = self._both(access.value) if access.kind == "write" else None
        self.state.access(access, live, offsets, values, counts)
        for thread in (0, 1):
            self.state.contents.touch(thread, access, offsets[thread], live[thread])
            if values is not None:
                self.state.contents.store(thread, access, offsets[thread], values[thread], live[thread])
                self.inputs.append(Input(thread, access.line, live[thread], values[thread], self.terms.false))
                continue
            value = self._values[thread][access.name] = self._loaded(thread, access, offsets[thread])
            invented = live[thread] if value.operator == "variable" else self.terms.false
            self.inputs.append(Input(thread, access.line, live[thread], value, invented))

    def _peek(self, one: Peek, live: Pair) -> None:
        """Give each thread what it sees in an array."""
        offsets = self._operands(one, live)
        first, second = (
            self.state.contents.peek(thread, one, offsets[thread][0], self._still(thread, one.array))
            for thread in (0, 1)
        )
        self._seen[one.name] = first, second
        for thread, seen in enumerate((first, second)):
            self._values[thread][one.name] = seen.value
            invented = self.terms.all(live[thread], self.terms.no(seen.sure))
            self.inputs.append(Input(thread, one.line, live[thread], seen.value, invented))

    def _still(self, thread: int, array: str) -> Term:
        """Return whether a thread is still in the innermost loop around that may change what an array holds."""
        inside = [cut.inside[thread] for cut in self._cuts if array in cut.changed]
        return inside[-1] if inside else self.terms.true

    def _loaded(self, thread: int, access: Access, offset: Term) -> Term:
        """Return what a thread reads. If it is frozen, it repeats a read from an array that may have changed since."""
        arbitrary = self.terms.variable(f"{access.name} of thread {thread + 1}", access.width)
        found = self.state.contents.load(thread, access, offset)
        if found is None:
            return arbitrary
        return self.terms.choose(self._still(thread, access.array), found, arbitrary)

    def _arbitrary(self, one: Arbitrary, live: Pair) -> None:
        """Give a name any value. If it is uniform, live threads of one group get the same."""
        values = [self.terms.variable(f"{one.name} of thread {thread}", one.width) for thread in (1, 2)]
        if one.is_uniform:
            together = self.terms.all(*live, self.state.same_group)
            values[1] = self.terms.choose(together, *values)
        for thread in (0, 1):
            self._values[thread][one.name] = values[thread]
            self.inputs.append(Input(thread, one.line, live[thread], values[thread], live[thread]))

    def _opaque(self, one: Opaque, live: Pair) -> None:
        """Give a name the result of a function, of which only is known that it gives both threads the same."""
        terms, operands = self.terms, self._operands(one, live)
        results = [terms.opaque(one.function, given, one.width) for given in operands]
        if results[0] is not results[1]:
            same = terms.all(*itertools.starmap(terms.equal, zip(*operands, strict=True)))
            self.state.learn(terms.implies(same, terms.equal(*results)))
        for thread in (0, 1):
            self._values[thread][one.name] = results[thread]

    def _both(self, operand: Operand) -> Pair:
        return self._term(0, operand), self._term(1, operand)

    def _result(self, one: Compute, operands: tuple[Term, ...], whose: str) -> Term:
        """Return the result of an operator, which is arbitrary where it is undefined."""
        if one.operator == "mul":
            return self.state.products.of(*operands)
        found = self.terms.apply(one.operator, operands, one.width)
        operator = BINARY.get(one.operator)
        if operator is None or not (operator.divides or operator.shifts):
            return found
        second, width = operands[1], operands[1].width
        bad = (
            self.terms.equal(second, self.terms.constant(0, width))
            if operator.divides
            else self.terms.no(self.terms.apply("ult", (second, self.terms.constant(width, width))))
        )
        if bad.value == 0:
            return found
        return self.terms.choose(bad, self.terms.variable(f"{one.name}{whose}", one.width), found)

    def _word(self, thread: int, inside: Pair, operand: Operand) -> Term:
        """Return the value of an operand of a claim, which may be a word such as `enabled`."""
        if isinstance(operand, Constant) or operand in self._values[thread]:
            return self._term(thread, operand)
        return self.state.words(thread, inside[thread])[operand]

    def _term(self, thread: int, operand: Operand) -> Term:
        return _read(self, self._values[thread], operand)


def _read(walk: Walk, values: dict[str, Term], operand: Operand) -> Term:
    return walk.terms.constant(operand.value, operand.width) if isinstance(operand, Constant) else values[operand]
