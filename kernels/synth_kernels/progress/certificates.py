"""Certificates of verdicts on launches, checked against a system that computes its states itself.

A proof that was made from a space names states by their numbers there. The checker shall not trust the space. So a
proof is first told again in the states of another system, which runs the kernel itself: its states are followed step by
step from the start, side by side with the numbers. Then `synth_checker.certificates.checker` compares the proof with
that system. If the system has other steps than the space, or the proof is wrong, the checker refuses it. Nothing of
what was told again is trusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from synth_checker.certificates.certificate import Lasso, LassoStep, ProductState, Rank, Ranking
from synth_checker.certificates.checker import refusal_of_groups
from synth_kernels.progress.launch_steps import able_threads, first_state, step
from synth_kernels.progress.twin_system import RecomputedLaunch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_checker.certificates.certificate import Certificate
    from synth_checker.models import Form, Model
    from synth_checker.transitions.groups import GroupedSystem
    from synth_checker.transitions.transition_system import AnyState
    from synth_kernels.progress.launch_steps import State
    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.space import LaunchStates


def system_of(machine: Machine) -> GroupedSystem[tuple[object, ...]]:
    """Return a launch as a system of groups that computes its states itself.

    The twin knows only independent lanes and strict barriers. Otherwise the system is `SteppedLaunch`, which shares the
    interpreter with the search.
    """
    is_known = not (machine.rules.lockstep or machine.rules.leave or machine.rules.one_barrier or machine.rules.merges)
    system = RecomputedLaunch(machine) if is_known else SteppedLaunch(machine)
    return cast("GroupedSystem[tuple[object, ...]]", system)


class SteppedLaunch:
    """A launch as a system of groups, whose states `launch_steps` computes one by one."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._known: dict[State, Mapping[int, State]] = {}
        self.threads = len(machine.threads)
        self.start: State = first_state(machine)

    @property
    def groups(self) -> Sequence[int]:
        """Return the workgroup of each thread."""
        return self._machine.group_of

    def steps(self, state: State) -> Mapping[int, State]:
        """Return the state after a step of each thread that can take one."""
        if state not in self._known:
            machine = self._machine
            self._known[state] = {thread: step(machine, state, thread).after for thread in able_threads(machine, state)}
        return self._known[state]

    def live(self, state: State) -> frozenset[int]:
        """Return the workgroups that have a thread which has not ended."""
        return frozenset(self.groups[number] for number, local in enumerate(state[1]) if local.status != "ended")


def refusal(
    certificate: Certificate[int], space: LaunchStates, system: GroupedSystem[AnyState], model: Model, form: Form
) -> str | None:
    """Return why a certificate does not prove a verdict on a system that another way computes; None if it does.

    Raises:
        LimitError: the model does not take so many workgroups.
    """
    beside = model.beside(len(space.machine.groups))
    return refusal_of_groups(with_states_of(certificate, space, system), system, beside, form)


def with_states_of(
    certificate: Certificate[int], space: LaunchStates, system: GroupedSystem[AnyState]
) -> Certificate[AnyState]:
    """Return a certificate with the states of a system instead of the numbers that they have in a space.

    A space may have several states for one of the system, because it also remembers recent plain accesses. Of their
    ranks, the lowest counts.
    """
    if isinstance(certificate, Lasso):
        return _lasso_with_states_of(certificate, system)
    by_number: dict[int, dict[int, ProductState[int]]] = {}
    for state in certificate.ranks:
        by_number.setdefault(state.system, {})[state.model] = state
    ranks: dict[ProductState[AnyState], Rank] = {}
    seen = {(0, system.start)}
    todo = [(0, system.start)]
    while todo:
        number, system_state = todo.pop()
        for memory, state in by_number.get(number, {}).items():
            product_state, rank = ProductState(system_state, memory), certificate.ranks[state]
            ranks[product_state] = min(ranks.get(product_state, rank), rank, key=lambda ranking: ranking.rank)
        row = space.successors[number]
        for thread, after in system.steps(system_state).items():
            pair = (row[thread], after) if thread in row else None
            if pair is not None and pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return Ranking(ranks)


def _lasso_with_states_of(lasso: Lasso[int], system: GroupedSystem[AnyState]) -> Lasso[AnyState]:
    """Return a lasso whose threads step in a system. It ends early where its thread can't step."""
    state = system.start
    steps: list[LassoStep[AnyState]] = []
    for lasso_step in lasso.steps:
        steps.append(LassoStep(ProductState(state, lasso_step.state.model), lasso_step.fair, lasso_step.thread))
        row = system.steps(state)
        if lasso_step.thread not in row:
            break
        state = row[lasso_step.thread]
    return Lasso(tuple(steps), lasso.prefix, lasso.is_shortest)
