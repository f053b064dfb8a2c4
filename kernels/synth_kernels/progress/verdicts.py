"""Whether a launch must end under a progress model, by its states (definitions, section 5).

The ids of a model are those of workgroups. A workgroup is live if one of its threads has not ended, and it has stepped
if one of its threads has. If a workgroup is in the fair set, the model promises a step to each of its threads that can
take one. With this reading, a launch fails a verdict as a program does. Besides, it fails all verdicts if it can
get stuck: no thread can take a step, and some thread has not ended.
"""

from __future__ import annotations

import functools
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.errors import InternalError
from synth_checker.transitions.components import strongly_connected_sets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from synth_checker.models import Model
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_kernels.progress.space import Space

#: Larger failing sets are not made smaller, because that takes long.
_MOST_TO_SHRINK = 300
#: The number of a state of the launch, and a state of the model.
Node: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class Product:
    """A launch and a model side by side: the successors of each state by thread, and the threads owed a step in it."""

    successors: dict[Node, dict[int, Node]]
    owed: dict[Node, frozenset[int]]


def product(space: Space, model: Model) -> Product:
    """Return the reachable states of a launch and a model side by side.

    Raises:
        LimitError: the model does not take so many workgroups.
    """
    machine = space.machine
    group_of, live = machine.group_of, space.live
    beside = model.beside(len(machine.groups))
    fair = functools.cache(functools.partial(_fair, beside))
    made = Product({}, {})
    todo: list[Node] = [(0, 0)]
    while todo:
        node = todo.pop()
        if node in made.successors:
            continue
        number, memory = node
        promised = fair(memory, live[number])
        row = {}
        for thread, after in space.successors[number].items():
            group = group_of[thread]
            row[thread] = (after, (beside.steps if group in live[after] else beside.ends)[memory][group])
        made.successors[node] = row
        made.owed[node] = frozenset(thread for thread in row if group_of[thread] in promised)
        todo += row.values()
    return made


def _fair(beside: Automaton | OnDemand, memory: int, live: frozenset[int]) -> frozenset[int]:
    mask = beside.fair[memory][sum(1 << group for group in live)]
    return frozenset(group for group in live if mask >> group & 1)


def passes(space: Space, model: Model) -> dict[str, bool]:
    """Return for each verdict of a model whether the launch passes."""
    if space.stuck():
        return dict.fromkeys(model.verdicts, False)
    made = product(space, model)
    return {name: failing(made, form) is None for name, form in zip(model.verdicts, model.forms, strict=True)}


def failing(made: Product, form: str) -> frozenset[Node] | None:
    """Return a recurrent set in which the weak or the strong form fails, or None."""
    return _failing_weakly(made) if form == "weak" else _failing_strongly(made)


def _failing_weakly(made: Product) -> frozenset[Node] | None:
    """Return a recurrent set in which each thread that is owed a step in all its states takes one, or None."""
    for c in _recurrent(made, made.successors.keys()):
        always = frozenset.intersection(*(made.owed[node] for node in c))
        if always <= {thread for node in c for thread, after in made.successors[node].items() if after in c}:
            return frozenset(c)
    return None


def _failing_strongly(made: Product) -> frozenset[Node] | None:
    """Return a recurrent set that no owed step leaves, or None.

    Such a set in some states is part of a maximal one, C, and can only have those states of C from which no owed step
    leaves C.
    """
    todo: list[AbstractSet[Node]] = [made.successors.keys()]
    while todo:
        for c in _recurrent(made, todo.pop()):
            staying = {node for node in c if all(made.successors[node][thread] in c for thread in made.owed[node])}
            if len(staying) == len(c):
                return frozenset(c)
            todo.append(staying)
    return None


def _recurrent(made: Product, states: AbstractSet[Node]) -> Iterator[set[Node]]:
    """Yield the maximal recurrent sets among some states: those that lie on a cycle."""

    def after(node: Node) -> list[Node]:
        return [one for one in made.successors[node].values() if one in states]

    for found in strongly_connected_sets(list(states), after):
        one = next(iter(found))
        if len(found) > 1 or one in made.successors[one].values():
            yield found


@dataclass(frozen=True, slots=True)
class Hang:
    """An execution that does not end: the threads that step before its cycle, and those that step in its cycle.

    The cycle is empty if the launch is stuck after the first part.
    """

    before: tuple[int, ...]
    cycle: tuple[int, ...]


def hang(space: Space, model: Model, form: str) -> Hang | None:
    """Return an execution that keeps the promise of a model and does not end, or None if there is none.

    The part before the cycle is a shortest one. The cycle is short, but need not be the shortest.
    """
    stuck = set(space.stuck())
    made = product(space, model)
    if stuck:
        ends = {node for node in made.successors if node[0] in stuck}
        return Hang(_path(made, (0, 0), ends, made.successors.keys())[0], ())
    found = failing(made, form)
    if found is None:
        return None
    inside = _smaller(made, found, form)
    before, first = _path(made, (0, 0), inside, made.successors.keys())
    execution = Hang(before, _round(made, first, inside, form))
    if not is_kept(made, execution, form):
        msg = f"the execution {execution} breaks the promise of {model.name}, which it should keep"
        raise InternalError(msg)
    return execution


def _smaller(made: Product, found: frozenset[Node], form: str) -> frozenset[Node]:
    """Return a part of a failing set that fails, too, and from which no single state can be left out."""
    if len(found) > _MOST_TO_SHRINK:
        return found
    for node in sorted(found):
        part = Product({one: made.successors[one] for one in found - {node}}, made.owed)
        smaller = failing(part, form)
        if smaller is not None:
            return _smaller(made, smaller, form)
    return found


def _round(made: Product, first: Node, inside: frozenset[Node], form: str) -> tuple[int, ...]:
    """Return the threads that step on a way from a state of a failing set through the set and back.

    Each entry of `left` is a set of steps of which the way must still have one.
    """
    steps = {(node, thread) for node in inside for thread, after in made.successors[node].items() if after in inside}
    if form == "strong":
        left = [{(node, thread)} for node in inside for thread in made.owed[node]]
    else:  # each thread steps, or the way comes through a state in which it is owed no step
        threads = frozenset[int]().union(*(made.owed[node] for node in inside))
        left = [{one for one in steps if one[1] == thread or thread not in made.owed[one[0]]} for thread in threads]
    way: list[int] = []
    here = first
    while left or here != first or not way:
        goals = {node for group in left for node, _ in group} or {first}
        part, goal = _path(made, here, goals, inside, at_least_one=not left)
        last = [min(thread for node, thread in set[tuple[Node, int]]().union(*left) if node == goal)] if left else []
        for thread in (*part, *last):
            left = [group for group in left if (here, thread) not in group]
            here = made.successors[here][thread]
            way.append(thread)
    return tuple(way)


def is_kept(made: Product, found: Hang, form: str) -> bool:
    """Return whether an execution goes round a cycle for ever and keeps the promise of the model."""
    node = (0, 0)
    for thread in found.before:
        node = made.successors[node][thread]
    first = node
    taken: set[tuple[Node, int]] = set()
    for thread in found.cycle:
        taken.add((node, thread))
        node = made.successors[node][thread]
    visited = {one for one, _ in taken}
    if node != first or not taken:
        return False
    if form == "strong":
        return all((one, thread) in taken for one in visited for thread in made.owed[one])
    return frozenset.intersection(*(made.owed[one] for one in visited)) <= {thread for _, thread in taken}


def _path(
    made: Product, first: Node, goals: AbstractSet[Node], inside: AbstractSet[Node], *, at_least_one: bool = False
) -> tuple[tuple[int, ...], Node]:
    """Return the threads that step on a shortest way to one of some states, and that state."""
    if first in goals and not at_least_one:
        return (), first
    came: dict[Node, tuple[Node, int]] = {}
    todo = deque([first])
    while todo:
        node = todo.popleft()
        for thread, after in made.successors[node].items():
            if after not in inside or after in came:
                continue
            came[after] = (node, thread)
            if after in goals:
                way = [thread]
                while node != first:
                    node, thread = came[node]  # noqa: PLW2901  (the way back)
                    way.append(thread)
                return tuple(reversed(way)), after
            todo.append(after)
    msg = "no way leads to these states"
    raise InternalError(msg)
