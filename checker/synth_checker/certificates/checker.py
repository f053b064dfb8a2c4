"""The checker of certificates: short enough to be believed, and on its own.

It shares the types of programs, automata and certificates with the rest of the project, and no code that makes or
decides anything: it takes the steps of a program (section 1) itself and reads the automaton's tables itself. Whoever
believes this page believes the verdict of a program whose certificate it accepts. Of another transition system one must
also believe the steps that it says it has.

- A lasso proves a failure. Let C be the states of its cycle, which is recurrent, as the cycle runs through all of it.
  Weak: a thread that is in F(s) for all s in C takes a step of the cycle, so one inside C. Strong: for each s in C and
  t in F(s) the t-step from s is a step of the cycle, so it leads to a state of C.
- A ranking proves a pass; see `ranking`, where it is argued that no recurrent set fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from synth_checker.certificates.certificate import Certificate, Lasso, ProductState, Ranking
from synth_checker.programs.program import State
from synth_checker.transitions.transition_system import AnyState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_checker.models import Form
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_checker.programs.program import Program
    from synth_checker.transitions.transition_system import TransitionSystem


class _RefusedError(Exception):
    """Why a certificate proves nothing."""


def refusal(
    certificate: Certificate[State], program: Program, automaton: Automaton | OnDemand, form: Form
) -> str | None:
    """Why a certificate proves nothing about a program and a model's form; None if it does.

    A lasso then proves that the program fails, a ranking that it passes.
    """
    return refusal_of_system(certificate, _Steps(program), automaton, form)


def refusal_of_system(
    certificate: Certificate[AnyState], system: TransitionSystem[AnyState], automaton: Automaton | OnDemand, form: Form
) -> str | None:
    """The same about a transition system, whose word about its steps is taken."""
    model = _Model(system, automaton)
    try:
        if isinstance(certificate, Lasso):
            _check_lasso(certificate, model, form)
        else:
            _check_ranking(certificate, model, form)
    except _RefusedError as error:
        return str(error)
    return None


class _Steps:
    """A program as a transition system, from the sentences of section 1."""

    def __init__(self, program: Program) -> None:
        self._code = [thread.instructions for thread in program.threads]
        self.threads = len(self._code)
        locations = [i.loc for thread in self._code for i in thread]
        self.start = State((0,) * (max(locations, default=-1) + 1), (0,) * self.threads)

    def steps(self, state: State) -> dict[int, State]:
        return {t: self._step(state, t) for t, pc in enumerate(state.pcs) if pc != len(self._code[t])}

    def _step(self, state: State, thread: int) -> State:
        instruction = self._code[thread][state.pcs[thread]]
        equal = state.memory[instruction.loc] == instruction.check
        memory, pcs = list(state.memory), list(state.pcs)
        if instruction.exch is not None:
            memory[instruction.loc] = instruction.exch
        pcs[thread] = instruction.target if equal else pcs[thread] + 1
        return State(tuple(memory), tuple(pcs))


class _Model(Generic[AnyState]):
    """Who is live, who is owed a step, and what a step leads to."""

    def __init__(self, system: TransitionSystem[AnyState], automaton: Automaton | OnDemand) -> None:
        self._system = system
        self._automaton = automaton
        self._known: dict[AnyState, Mapping[int, AnyState]] = {}
        self.threads = system.threads
        self.start = ProductState(system.start, 0)

    def _steps(self, state: AnyState) -> Mapping[int, AnyState]:
        if state not in self._known:
            self._known[state] = self._system.steps(state)
        return self._known[state]

    def live(self, state: ProductState[AnyState]) -> set[int]:
        return set(self._steps(state.system))

    def fair(self, state: ProductState[AnyState]) -> int:
        return self._automaton.fair[state.model][sum(1 << t for t in self._steps(state.system))]

    def after(self, state: ProductState[AnyState], thread: int) -> ProductState[AnyState]:
        after = self._steps(state.system)[thread]
        table = self._automaton.steps if thread in self._steps(after) else self._automaton.ends
        return ProductState(after, table[state.model][thread])


def _check_lasso(lasso: Lasso[AnyState], model: _Model[AnyState], form: Form) -> None:
    state = model.start
    for number, step in enumerate(lasso.steps):
        _expect(step.state == state, f"step {number}: found {step.state}, expected {state}")
        fair = model.fair(state)
        _expect(step.fair == fair, f"step {number}: found the fair set {step.fair:b}, expected {fair:b}")
        _expect(step.thread in model.live(state), f"step {number}: found thread {step.thread}, expected a live one")
        state = model.after(state, step.thread)
    _expect(0 <= lasso.prefix < len(lasso.steps), f"prefix: found {lasso.prefix}, expected a step that is there")
    cycle = lasso.steps[lasso.prefix :]
    _expect(state == cycle[0].state, f"cycle: found that it ends in {state}, expected {cycle[0].state}")
    taken = {(step.state, step.thread) for step in cycle}
    for t in range(model.threads):
        owed = {step.state for step in cycle if step.fair >> t & 1}
        if form == "weak" and len(owed) == len({step.state for step in cycle}):
            stepping = t in {step.thread for step in cycle}
            _expect(stepping, f"cycle: thread {t} is owed a step all the time, expected that it takes one")
        for s in owed if form == "strong" else ():
            _expect((s, t) in taken, f"cycle: thread {t} is owed a step in {s}, expected that it takes it there")


def _check_ranking(ranking: Ranking[AnyState], model: _Model[AnyState], form: Form) -> None:
    seen = {model.start}
    to_do = [model.start]
    while to_do:
        state = to_do.pop()
        _expect(state in ranking.ranks, f"{state}: found no rank, expected one")
        here = ranking.ranks[state]
        fair = model.fair(state)
        _expect(here.fair == fair, f"{state}: found the fair set {here.fair:b}, expected {fair:b}")
        _expect(here.rank >= 0, f"{state}: found the rank {here.rank}, expected none below 0")
        after = {t: model.after(state, t) for t in model.live(state)}
        to_do.extend(set(after.values()) - seen)
        seen.update(after.values())
        falls = {t for t, s in after.items() if s in ranking.ranks and ranking.ranks[s].rank < here.rank}
        if here.helper is None:
            _expect(
                falls == after.keys(), f"{state}: no helper, expected that the rank {here.rank} falls with each step"
            )
            continue
        helps = here.helper in falls and here.fair >> here.helper & 1 == 1
        _expect(
            helps,
            f"{state}: found thread {here.helper} as the helper, expected a thread that is owed a step, and whose step "
            f"leads to a rank below {here.rank}",
        )
        if form == "weak":
            kept = {t for t, s in after.items() if s in ranking.ranks and ranking.ranks[s][1:] == here[1:]}
            _expect(
                falls | kept == after.keys(), f"{state}: expected steps that lower the rank, or keep it and the helper"
            )


def _expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001  (an assertion)
    if not holds:
        raise _RefusedError(otherwise)
