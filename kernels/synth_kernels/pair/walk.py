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

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_kernels.deadline import NEVER, check
from synth_kernels.flow import Flow
from synth_kernels.pair.annotations import check_places, is_invariant
from synth_kernels.pair.options import DEFAULT
from synth_kernels.pair.state import KernelCheck, ThreadPairState
from synth_kernels.pair.threads import Cut, LoopThreads, Threads
from synth_kernels.pair.touches import changed_keys
from synth_kernels.program import Call, KernelClaim, Peek

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_kernels.flow import Loop
    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.state import Pair
    from synth_kernels.program import Block, Kernel, Operand
    from synth_kernels.terms import Term


@dataclass(frozen=True, slots=True)
class Parting:
    """A branch at some line, at which the two threads go different ways if it `happens`."""

    line: int
    happens: Term


@dataclass(frozen=True, slots=True)
class RegionEntry:
    """A loop that some thread enters if it `happens`. `line` is that of its test, and `first` that where it begins."""

    line: int
    first: int
    happens: Term


@dataclass(frozen=True, slots=True)
class _Jump:
    """A jump from a block: under which condition each thread takes it, and the values that it gives."""

    source: str
    taken: Pair
    arguments: tuple[Operand, ...]


class Walk:
    """The walk of two threads through a kernel. `state` then has the checks.

    `refuted` are lines of candidates that are not invariants. At the time `until`, the walk is given up. With switches,
    each candidate counts only if its switch holds. `switches` has these by the lines of the candidates, and `claims`
    what the candidates say. `order` is the order of the blocks, if it is not the usual one.

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
        order: Sequence[str] = (),
    ) -> None:
        self.state = ThreadPairState(kernel, launch, options)
        self.terms = self.state.terms
        self._flow = Flow(kernel)
        check_places(self._flow)
        order = order or self._flow.order
        self._threads = Threads(self.state)
        self.inputs = self._threads.inputs
        self._refuted = refuted
        self._candidates = {instruction.line for instruction in kernel.claims if instruction.kind == "candidate"}
        self._switched = switched
        self.switches: dict[int, Term] = {}
        self.claims: dict[int, Term] = {}
        self._enters_always = options.enters_always
        #: The walked jumps by the blocks to which they go.
        self._jumps: dict[str, list[_Jump]] = {}
        self._cuts = self._threads.cuts
        #: Whether some thread comes to each block, by what was known until then.
        self.reached: dict[str, Term] = {}
        #: The branches at which the threads may part, and the loops.
        self.partings: list[Parting] = []
        self.rounds: list[RegionEntry] = []
        #: The calls of functions of which only the contract is known, and where a function itself begins.
        self.calls: list[RegionEntry] = []
        begins = kernel.function.begins if kernel.function else self._flow.entry
        #: The lines in the order of the walk.
        self.order = [
            step.line for name in order for step in (*kernel.block(name).instructions, kernel.block(name).end)
        ]
        for name in order:
            while self._cuts and name not in self._cuts[-1].loop.blocks:
                self._close(self._cuts.pop())
            self._visit(kernel.block(name), until)
            if name == begins:
                #: What the launch and the assumptions at the beginning of the kernel say, if some thread is there.
                self.required = self.terms.all(self.state.known, self.terms.any(*self._reached(name)))
        while self._cuts:
            self._close(self._cuts.pop())
        self.state.end()

    def _visit(self, block: Block, until: float) -> None:
        reached = self._reached(block.name)
        self.state.trusts = block.trusted == "all"
        self.state.both_entered = self._both_entered(block)
        if block.name in self._flow.loops:
            self._open(self._flow.loops[block.name], block, reached)
        else:
            self.state.contents.move_on()
            self._enter(block, self._threads.values)
        live = self._live(reached)
        self.reached[block.name] = self.terms.all(self.state.known, self.terms.any(*live))
        self.state.trusts = bool(block.trusted)
        self.state.both_entered = self._both_entered(block)
        for instruction in block.instructions:
            check(until, f"{self.state.kernel.name} was verified")
            if isinstance(instruction, KernelClaim) and instruction.kind == "recall":
                self._recall(instruction, live)
            elif isinstance(instruction, KernelClaim) and instruction.kind == "rely":
                self._rely(instruction, live)
            else:
                self._threads.step(instruction, live)
            if isinstance(instruction, Call):
                here = self.terms.true if not instruction.unit else self.terms.any(*live)
                self.calls.append(RegionEntry(instruction.line, instruction.line, here))
        self.state.trusts, self.state.both_entered = False, self.terms.true
        self._note_parting(block, live)
        test = [self._threads.term(thread, block.end.test) if block.end.test else self.terms.true for thread in (0, 1)]
        for number, target in enumerate(block.end.targets):
            first, second = (self.terms.no(taken) if number else taken for taken in test)
            taken = self.terms.all(reached[0], first), self.terms.all(reached[1], second)
            self._jumps.setdefault(target.block, []).append(_Jump(block.name, taken, target.arguments))

    def _both_entered(self, block: Block) -> Term:
        """Return whether both threads entered the loop around a block whose checks are trusted."""
        return self.terms.all(*self._cuts[-1].entered) if block.trusted and self._cuts else self.terms.true

    def _recall(self, claim: KernelClaim, live: Pair) -> None:
        """Assume what an invariant of a loop says in a round behind its header, of the threads that are there.

        The values of threads that have left the loop are not known here. So a claim about both threads needs both.
        """
        is_candidate = claim.line in self._candidates
        if claim.line in self._refuted or not (is_candidate or claim.line in self.state.invariants):
            return
        counts = self._switch(claim.line) if is_candidate and self._switched else self.terms.true
        both = self.terms.all(*live)
        for condition, holds in self._threads.meanings(claim, LoopThreads(live, live, both)):
            here = both if claim.once else condition
            self.state.learn(self.terms.implies(self.terms.all(counts, here), holds))

    def _rely(self, claim: KernelClaim, live: Pair) -> None:
        """Assume what the other side of a contract guarantees."""
        if claim.line in self._refuted:
            return
        counts = self._switch(claim.line) if claim.candidate and self._switched else self.terms.true
        for condition, holds in self._threads.contract_meanings(claim, live):
            if claim.candidate:
                self.claims.setdefault(claim.line, holds)
            self.state.learn(self.terms.implies(self.terms.all(counts, condition), holds))

    def _note_parting(self, block: Block, live: Pair) -> None:
        if block.end.test:
            ways = [self._threads.term(thread, block.end.test) for thread in (0, 1)]
            differ = self.terms.all(*live, self.terms.no(self.terms.equal(*ways)))
            if differ.value != 0:
                self.partings.append(Parting(block.end.line, differ))

    def _live(self, reached: Pair) -> Pair:
        if not self._cuts:
            return reached
        first, second = self._cuts[-1].inside
        return self.terms.all(reached[0], first), self.terms.all(reached[1], second)

    def _ways(self, target: str, *, back: bool) -> list[tuple[Pair, tuple[Operand, ...]]]:
        """Return the walked jumps to a block: for each the condition of each thread, and the values that it gives."""
        return [
            (jump.taken, jump.arguments)
            for jump in self._jumps.get(target, ())
            if self._flow.is_back(jump.source, target) == back
        ]

    def _reached(self, name: str) -> Pair:
        if name == self._flow.entry:
            return self.terms.true, self.terms.true
        ways = self._ways(name, back=False)
        first, second = (self.terms.any(*(way[0][thread] for way in ways)) for thread in (0, 1))
        return first, second

    def _parameters(self, block: Block, thread: int, otherwise: dict[str, Term] | None) -> dict[str, Term]:
        """Return the parameters of a block by the jumps to it: those that go back if `otherwise` has other values."""
        ways = self._ways(block.name, back=otherwise is not None)
        parameters = {}
        for number, (name, _) in enumerate(block.parameters):
            terms = [(way[0][thread], self._threads.term(thread, way[1][number])) for way in ways]
            value = terms[0][1] if otherwise is None else otherwise[name]
            for condition, term in terms:
                value = self.terms.choose(condition, term, value)
            parameters[name] = value
        return parameters

    def _enter(self, block: Block, values: tuple[dict[str, Term], dict[str, Term]]) -> None:
        for thread in (0, 1):
            values[thread].update(self._parameters(block, thread, None))

    def _open(self, loop: Loop, block: Block, reached: Pair) -> None:
        """Check the invariants of a loop at its entry, then make its state arbitrary and assume them."""
        terms, state = self.terms, self.state
        claims = [
            claim
            for claim in block.instructions
            if isinstance(claim, KernelClaim)
            and is_invariant(claim)
            and not (claim.kind == "candidate" and claim.line in self._refuted)
        ]
        entered = self._live(reached)
        anyone = terms.any(*entered)
        state.contents.move_on()
        self._enter(block, self._threads.values)
        self._check_claims(claims, block, "base", LoopThreads(entered, entered, anyone))
        for name, width in block.parameters:
            for thread in (0, 1):
                self._threads.values[thread][name] = terms.variable(f"{name} of thread {thread + 1}", width)
        inside = (
            terms.variable(f"thread 1 in {loop.header}", 1),
            terms.variable(f"thread 2 in {loop.header}", 1),
        )
        for term, other in zip(inside, entered, strict=True):
            state.learn(terms.implies(term, other))
        state.learn(terms.any(*inside) if self._enters_always else terms.implies(anyone, terms.any(*inside)))
        body = [instruction for name in loop.blocks for instruction in state.kernel.block(name).instructions]
        # Only thread 1 logs accesses, and only where it passes a barrier are they forgotten.
        state.loosen(changed_keys(body, state.pending.keys), entered[0])
        changed = state.contents.changed(body)
        state.contents.enter(body, anyone)
        state.contents.move_on()
        self.rounds.append(RegionEntry(block.end.line, (*block.instructions, block.end)[0].line, anyone))
        self._cuts.append(Cut(loop, entered, inside, claims, changed, len(state.checks)))
        for _ in state.speak_of_each_place():
            for claim, condition, holds in self._meanings(claims, block, LoopThreads(entered, inside, anyone)):
                self.claims.setdefault(claim.line, holds)
                here = anyone if self._threads.is_about_one(claim) else terms.all(anyone, state.both_entered)
                state.learn(terms.implies(terms.all(here, self._counts(claim), condition), holds))

    def _close(self, cut: Cut) -> None:
        """Check that the invariants of a loop still hold after a round, and go on with threads that make no other."""
        terms, state = self.terms, self.state
        block = state.kernel.block(cut.loop.header)
        self.state.trusts = block.trusted == "all"
        ways = self._ways(block.name, back=True)
        first, second = (terms.any(*(way[0][thread] for way in ways)) for thread in (0, 1))
        leaves = terms.all(
            *(terms.implies(again, inside) for inside, again in zip(cut.inside, (first, second), strict=True))
        )
        state.learn(leaves)
        state.restrict(cut.checks, leaves)
        any_again = terms.any(first, second)
        state.contents.move_on()
        before = [dict(values) for values in self._threads.values]
        after = [self._parameters(block, thread, before[thread]) for thread in (0, 1)]
        for thread in (0, 1):
            self._threads.values[thread].update(after[thread])
        self._check_claims(cut.candidates, block, "step", LoopThreads(cut.entered, (first, second), any_again, before))
        for thread in (0, 1):
            self._threads.values[thread].update(before[thread])
        state.learn(terms.no(any_again))
        self.state.trusts = False

    def _counts(self, claim: KernelClaim) -> Term:
        """Return whether an invariant counts: a candidate may have a switch."""
        return self._switch(claim.line) if claim.kind == "candidate" and self._switched else self.terms.true

    def _switch(self, line: int) -> Term:
        """Return the switch of a candidate."""
        if line not in self.switches:
            self.switches[line] = self.terms.variable(f"candidate {line}", 1)
        return self.switches[line]

    def _check_claims(
        self, claims: Collection[KernelClaim], block: Block, kind: Literal["base", "step"], there: LoopThreads
    ) -> None:
        for claim, condition, holds in self._meanings(claims, block, there, checked=True):
            fails = self.terms.all(self.state.known, there.applies, condition, self.terms.no(holds))
            self.state.check(KernelCheck(kind, fails, claim.line, candidate=claim.kind == "candidate"))

    def _meanings(
        self, claims: Collection[KernelClaim], block: Block, there: LoopThreads, *, checked: bool = False
    ) -> list[tuple[KernelClaim, Term, Term]]:
        """Return what invariants say, by the values that stand before them in the header, under their conditions.

        If they are `checked`, only what has to be checked is returned.
        """
        meanings = self._threads.checked_meanings if checked else self._threads.meanings
        before, inputs, pending = self._threads.values, len(self.inputs), set(claims)
        result = []
        # Behind the header, its values are those of the round that was walked, so they are computed anew.
        self._threads.values = (dict(before[0]), dict(before[1]))
        for instruction in block.instructions if pending else ():
            if not isinstance(instruction, KernelClaim):
                self._threads.step(instruction, there.inside)
                if isinstance(instruction, Peek) and there.before:
                    self._threads.keep(instruction.name, there)
            elif instruction in pending:
                result += [(instruction, condition, holds) for condition, holds in meanings(instruction, there)]
                pending.remove(instruction)
                if not pending:
                    break
        self._threads.values = before
        del self.inputs[inputs:]
        return result
