"""The product of a transition system and a model's automaton, and its recurrent sets (definitions, sections 4 and 5).

States are numbered in the order of a breadth-first search, successors by rising thread id, so that state 0 is the
start, no state is nearer to it than one with a lower number, and every run numbers them alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from synth_checker.certificates.certificate import ProductState
from synth_checker.errors import LimitError
from synth_checker.transitions import components
from synth_checker.transitions.transition_system import AnyState, explore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from synth_checker.models import Form
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_checker.transitions.transition_system import TransitionSystem

#: Tests have tens of states; so many take a few seconds here.
MAX_STATES = 100_000


@dataclass(frozen=True, slots=True)
class Product(Generic[AnyState]):
    """The reachable states; for each its fair set, a bit mask, and its successor by each live thread, ids rising.

    `automaton` is the model beside the system, which knows what its states are.
    """

    automaton: Automaton | OnDemand
    states: tuple[ProductState[AnyState], ...]
    fair: tuple[int, ...]
    successors: tuple[dict[int, int], ...]

    def owed(self, state: int) -> Iterator[int]:
        """The threads that are owed a step in a state."""
        return (thread for thread in self.successors[state] if self.fair[state] >> thread & 1)


def product_of(system: TransitionSystem[AnyState], automaton: Automaton | OnDemand) -> Product[AnyState]:
    """Run a system and an automaton for its number of threads side by side, in every way.

    Raises:
        LimitError: there are more than `MAX_STATES` states.
        InputError: a step of the system is not as `TransitionSystem` says.
    """
    graph = explore(system, MAX_STATES)
    live = [sum(1 << thread for thread in row) for row in graph.successors]
    numbers = {(0, 0): 0}
    pairs, fair, successors = [(0, 0)], [], []
    for here, model in pairs:  # grows while it is read
        fair.append(automaton.fair[model][live[here]])
        row = {}
        for thread, after in graph.successors[here].items():
            table = automaton.steps if live[after] >> thread & 1 else automaton.ends
            found = after, table[model][thread]
            row[thread] = numbers.setdefault(found, len(pairs))
            if row[thread] == len(pairs):
                pairs.append(found)
        successors.append(row)
        if len(pairs) > MAX_STATES:
            msg = f"product: found more than {MAX_STATES} states, expected fewer threads or instructions"
            raise LimitError(msg)
    states = tuple(ProductState(graph.states[here], model) for here, model in pairs)
    return Product(automaton, states, tuple(fair), tuple(successors))


def failing_sets(product: Product[AnyState], form: Form) -> list[set[int]]:
    """The largest recurrent sets in which an execution may stay for ever: none, if the verdict is pass.

    Weak: those maximal strongly connected sets in which every thread that is owed a step in all states takes one.

    Strong: the largest recurrent sets that no step which is owed leaves. Such a set lies inside one maximal strongly
    connected set, and in that among the states from which no owed step leads out of it; where these are fewer, the
    search goes on among them.
    """
    found: list[set[int]] = []
    to_do: list[AbstractSet[int]] = [set(range(len(product.states)))]
    while to_do:
        for c in recurrent_sets(product, to_do.pop()):
            if form == "weak":
                staying = c if not _unmet(product, c) else set()
            else:
                staying = {s for s in c if all(product.successors[s][thread] in c for thread in product.owed(s))}
            if staying == c:
                found.append(c)
            elif staying:
                to_do.append(staying)
    return sorted(found, key=min)


def _unmet(product: Product[AnyState], c: AbstractSet[int]) -> int:
    """The threads that are owed a step in all states of a set, and take none inside it."""
    always, stepping = -1, 0
    for s in c:
        always &= product.fair[s]
        stepping |= sum(1 << thread for thread, after in product.successors[s].items() if after in c)
    return always & ~stepping


def recurrent_sets(product: Product[AnyState], inside: AbstractSet[int]) -> list[set[int]]:
    """The maximal strongly connected sets among some states, each with a step inside it.

    In Tarjan's order: what one of them leads to comes before it.
    """
    return [
        c
        for c in strongly_connected_sets(product, inside)
        if len(c) > 1 or any(after in c for s in c for after in product.successors[s].values())
    ]


def strongly_connected_sets(product: Product[AnyState], inside: AbstractSet[int]) -> list[set[int]]:
    """As `recurrent_sets`, and with them the states that lie on no cycle, each alone."""

    def successors(state: int) -> Iterator[int]:
        return (after for after in product.successors[state].values() if after in inside)

    return list(components.strongly_connected_sets(sorted(inside), successors))
