"""The checker of certificates: a short module that depends on no other code which makes or decides anything.

It uses only the types of programs, automata and certificates from the rest of the project. It computes the steps of a
program (definitions, section 1) and reads the tables of the automaton itself. So whoever trusts this module can trust
the verdict of a program whose certificate it accepts. For another transition system, one must also trust the steps that
the system gives. In a system of groups, a model promises steps to groups, and this module works out the threads.

- A lasso proves a failure. Let C be the set of the states of its cycle. C is recurrent, because the cycle visits all
  states of C. Weak form: each thread that is in the fair sets of all states of C takes a step of the cycle, and this
  step stays in C. Strong form: let t be a thread in the fair set of a state s of C. The step of t from s is a step of
  the cycle, so it leads to a state of C. A lasso without a cycle proves that a system of groups gets stuck.
- A ranking proves a pass. The docstring of the module `ranking` proves that, if there is a ranking, no recurrent set
  makes the program fail.
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
    from synth_checker.transitions.groups import GroupedSystem
    from synth_checker.transitions.transition_system import TransitionSystem


class _InvalidCertificateError(Exception):
    """The certificate proves nothing; the message says why."""


def refusal(
    certificate: Certificate[State], program: Program, automaton: Automaton | OnDemand, form: Form
) -> str | None:
    """Return why a certificate does not prove a program's verdict under one form of a model; None if it does.

    If the result is None, a lasso proves that the program fails, and a ranking proves that it passes.
    """
    return refusal_of_system(certificate, _Steps(program), automaton, form)


def refusal_of_system(
    certificate: Certificate[AnyState], system: TransitionSystem[AnyState], automaton: Automaton | OnDemand, form: Form
) -> str | None:
    """Return why a certificate does not prove a transition system's verdict under one form of a model; None if it does.

    The checker trusts the steps that the system gives.
    """
    return _refusal(certificate, _Model(system, automaton), form)


def refusal_of_groups(
    certificate: Certificate[AnyState], system: GroupedSystem[AnyState], automaton: Automaton | OnDemand, form: Form
) -> str | None:
    """Return why a certificate does not prove the verdict of a system of groups; None if it does.

    `automaton` is the model for the number of groups. The checker trusts the steps that the system gives.
    """
    return _refusal(certificate, _GroupProduct(system, automaton), form)


def _refusal(certificate: Certificate[AnyState], model: _Model[AnyState], form: Form) -> str | None:
    try:
        if isinstance(certificate, Lasso):
            _check_lasso(certificate, model, form)
        else:
            _check_ranking(certificate, model, form)
    except _InvalidCertificateError as error:
        return str(error)
    return None


class _Steps:
    """A program as a transition system, directly from section 1 of the definitions."""

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
    """The product of system and automaton: the live threads and the fair set of a state, and where steps lead."""

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

    def is_stuck(self, state: ProductState[AnyState]) -> bool:  # noqa: ARG002  (no such system is ever stuck)
        return False

    def fair(self, state: ProductState[AnyState]) -> int:
        return self._automaton.fair[state.model][sum(1 << t for t in self._steps(state.system))]

    def after(self, state: ProductState[AnyState], thread: int) -> ProductState[AnyState]:
        after = self._steps(state.system)[thread]
        table = self._automaton.steps if thread in self._steps(after) else self._automaton.ends
        return ProductState(after, table[state.model][thread])


class _GroupProduct(_Model[AnyState]):
    """The product of a system of groups and an automaton, which promises steps to groups.

    A promise to a group is one to each of its threads that can take a step. `live` are the threads that can take one.
    If a step of a group lets others end, the automaton observes the step, and then their ends in the order of ids.
    """

    def __init__(self, system: GroupedSystem[AnyState], automaton: Automaton | OnDemand) -> None:
        super().__init__(system, automaton)
        self._groups, self._live_groups = system.groups, system.live

    def is_stuck(self, state: ProductState[AnyState]) -> bool:
        return not self.live(state) and bool(self._live_groups(state.system))

    def fair(self, state: ProductState[AnyState]) -> int:
        promised = self._automaton.fair[state.model][sum(1 << g for g in self._live_groups(state.system))]
        return sum(1 << t for t in self.live(state) if promised >> self._groups[t] & 1)

    def after(self, state: ProductState[AnyState], thread: int) -> ProductState[AnyState]:
        after, group = self._steps(state.system)[thread], self._groups[thread]
        live = self._live_groups(after)
        table = self._automaton.steps if group in live else self._automaton.ends
        memory = table[state.model][group]
        for other in sorted(set(self._live_groups(state.system)) - live - {group}):
            memory = self._automaton.ends[memory][other]
        return ProductState(after, memory)


def _check_lasso(lasso: Lasso[AnyState], model: _Model[AnyState], form: Form) -> None:
    state = model.start
    for number, step in enumerate(lasso.steps):
        _expect(step.state == state, f"step {number}: found {step.state}, expected {state}")
        fair = model.fair(state)
        _expect(step.fair == fair, f"step {number}: found the fair set {step.fair:b}, expected {fair:b}")
        _expect(step.thread in model.live(state), f"step {number}: found thread {step.thread}, expected a live one")
        state = model.after(state, step.thread)
    steps = len(lasso.steps)
    if lasso.prefix == steps and model.is_stuck(state):
        return
    _expect(0 <= lasso.prefix < steps, f"prefix: found {lasso.prefix}, expected a number below {steps}")
    cycle = lasso.steps[lasso.prefix :]
    _expect(
        state == cycle[0].state,
        f"cycle: it ends in the state {state}, expected the first state of the cycle, {cycle[0].state}",
    )
    taken = {(step.state, step.thread) for step in cycle}
    for t in range(model.threads):
        owed = {step.state for step in cycle if step.fair >> t & 1}
        if form == "weak" and len(owed) == len({step.state for step in cycle}):
            stepping = t in {step.thread for step in cycle}
            _expect(
                stepping, f"cycle: thread {t} is in the fair set of all states, expected that the thread takes a step"
            )
        for s in owed if form == "strong" else ():
            _expect(
                (s, t) in taken,
                f"cycle: thread {t} is in the fair set of {s}, expected that the thread steps in this state",
            )


def _check_ranking(ranking: Ranking[AnyState], model: _Model[AnyState], form: Form) -> None:
    seen = {model.start}
    to_do = [model.start]
    while to_do:
        state = to_do.pop()
        _expect(state in ranking.ranks, f"{state}: the ranking lacks this reachable state")
        here = ranking.ranks[state]
        fair = model.fair(state)
        _expect(here.fair == fair, f"{state}: found the fair set {here.fair:b}, expected {fair:b}")
        _expect(here.rank >= 0, f"{state}: found the rank {here.rank}, expected at least 0")
        _expect(not model.is_stuck(state), f"{state}: no thread can take a step, expected that all groups have ended")
        after = {t: model.after(state, t) for t in model.live(state)}
        to_do.extend(set(after.values()) - seen)
        seen.update(after.values())
        falls = {t for t, s in after.items() if s in ranking.ranks and ranking.ranks[s].rank < here.rank}
        if here.helper is None:
            lowers = f"expected that each step leads to a rank below {here.rank}"
            _expect(falls == after.keys(), f"{state}: this state has no helper, {lowers}")
            continue
        helps = here.helper in falls and here.fair >> here.helper & 1 == 1
        _expect(
            helps,
            f"{state}: found thread {here.helper} as the helper, expected a thread of the fair set whose step leads to "
            f"a rank below {here.rank}",
        )
        if form == "weak":
            kept = {t for t, s in after.items() if s in ranking.ranks and ranking.ranks[s][1:] == here[1:]}
            lowers = "expected that each step lowers the rank, or keeps both the rank and the helper thread"
            _expect(falls | kept == after.keys(), f"{state}: {lowers}")


def _expect(holds: bool, otherwise: str) -> None:  # noqa: FBT001  (an assertion)
    if not holds:
        raise _InvalidCertificateError(otherwise)
