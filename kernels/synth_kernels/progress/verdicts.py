"""Whether a launch must end under a progress model, by its states (definitions, section 5).

The ids of a model are those of workgroups. A workgroup is live if one of its threads has not ended, and it has stepped
if one of its threads has. If a workgroup is in the fair set, the model promises a step to each of its threads that can
take one. With this reading, a launch fails a verdict as a program does. Besides, it fails all verdicts if it can
get stuck: no thread can take a step, and some thread has not ended.

`synth_checker.certificates` finds the sets of states in which an execution may stay, and the proofs. The states of a
proof are the numbers that they have in the space.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.certificates.certificate import Lasso, ProductState
from synth_checker.certificates.lasso import lasso_of, shortest_way
from synth_checker.certificates.product import Product, failing_sets

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from synth_checker.certificates.certificate import Certificate
    from synth_checker.models import Form, Model
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_kernels.progress.space import LaunchStates


def product(space: LaunchStates, model: Model, among: AbstractSet[ProductState[int]] | None = None) -> Product[int]:
    """Return the reachable states of a launch and a model side by side, each with the threads that are promised a step.

    With `among`, only these states are there, and the steps between them.

    Raises:
        LimitError: the model does not take so many workgroups.
    """
    group_of = space.machine.group_of
    beside = model.beside(len(space.machine.groups))
    fair = functools.cache(functools.partial(_fair, beside))
    numbers = {(0, 0): 0}
    states = [ProductState(0, 0)]
    owed: list[int] = []
    successors: list[dict[int, int]] = []
    for number, memory in states:  # grows while it is read
        live = space.live[number]
        promised = fair(memory, live)
        row = {}
        steps = space.successors[number]
        for thread, after in steps.items():
            pair = ProductState(after, model_after(beside, memory, group_of[thread], live, space.live[after]))
            if among is not None and pair not in among:
                continue
            row[thread] = numbers.setdefault(pair, len(states))
            if row[thread] == len(states):
                states.append(pair)
        successors.append(row)
        owed.append(sum(1 << thread for thread in steps if promised >> group_of[thread] & 1))
    return Product(beside, tuple(states), tuple(owed), tuple(successors))


def model_after(
    beside: Automaton | OnDemand, memory: int, group: int, before: AbstractSet[int], after: AbstractSet[int]
) -> int:
    """Return the state of a model after a step of a group, where these groups are live before and after the step.

    A barrier of the grid may release threads of other groups, which end. The model is told of them after the step.
    """
    memory = (beside.steps if group in after else beside.ends)[memory][group]
    for other in sorted(before - after - {group}) if len(before) > len(after) else ():
        memory = beside.ends[memory][other]
    return memory


def _fair(beside: Automaton | OnDemand, memory: int, live: frozenset[int]) -> int:
    return beside.fair[memory][sum(1 << group for group in live)]


def passes(space: LaunchStates, model: Model) -> dict[str, bool]:
    """Return for each verdict of a model whether the launch passes."""
    if space.stuck():
        return dict.fromkeys(model.verdicts, False)
    joint = product(space, model)
    return {name: not failing_sets(joint, form) for name, form in zip(model.verdicts, model.forms, strict=True)}


def certificate_of(space: LaunchStates, model: Model, form: Form) -> Certificate[int]:
    """Return a proof of a verdict: a `Lasso` if the launch fails, or a `Ranking` if it passes.

    The lasso of a launch that can get stuck has no cycle: it is a shortest way there.
    """
    joint = product(space, model)
    if stuck := set(space.stuck()):
        return shortest_way(joint, {place for place, state in enumerate(joint.states) if state.system in stuck})
    if sets := failing_sets(joint, form):
        return lasso_of(joint, form, sets)
    from synth_checker.certificates.ranking import ranking_of

    return ranking_of(joint, form)


@dataclass(frozen=True, slots=True)
class Hang:
    """An execution that does not end: the threads that step before its cycle, and those that step in its cycle.

    The cycle is empty if the launch is stuck after the first part.
    """

    before: tuple[int, ...]
    cycle: tuple[int, ...]


def hang(space: LaunchStates, model: Model, form: Form) -> Hang | None:
    """Return a short execution that keeps the promise of a model and does not end, or None if there is none."""
    certificate = certificate_of(space, model, form)
    return hang_of(certificate) if isinstance(certificate, Lasso) else None


def hang_of(lasso: Lasso[int]) -> Hang:
    """Return the execution that a lasso describes."""
    threads = [step.thread for step in lasso.steps]
    return Hang(tuple(threads[: lasso.prefix]), tuple(threads[lasso.prefix :]))
