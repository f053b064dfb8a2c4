"""The product of a transition system and a model's automaton, and its recurrent sets (definitions, sections 4 and 5).

States are numbered in breadth-first order, with successors in the order of thread ids. So state 0 is the start, states
near to the start have low numbers, and every run gives the same numbers.
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

#: The most states of a product, which take a few seconds. The product of a test has tens of states.
MAX_STATES = 100_000


@dataclass(frozen=True, slots=True)
class Product(Generic[AnyState]):
    """The reachable states of a transition system and an automaton side by side.

    For each state, `fair` holds its fair set as a bit mask, and `successors` the number of its successor by each live
    thread. `automaton` is the model.
    """

    automaton: Automaton | OnDemand
    states: tuple[ProductState[AnyState], ...]
    fair: tuple[int, ...]
    successors: tuple[dict[int, int], ...]

    def owed(self, state: int) -> Iterator[int]:
        """Return the live threads that are in the fair set of a state."""
        return (thread for thread in self.successors[state] if self.fair[state] >> thread & 1)


def product_of(system: TransitionSystem[AnyState], automaton: Automaton | OnDemand) -> Product[AnyState]:
    """Return the product of a transition system and an automaton for its number of threads.

    Raises:
        LimitError: the product has more than `MAX_STATES` states.
        InputError: a step of the system contradicts the contract of `TransitionSystem`.
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
            pair = after, table[model][thread]
            row[thread] = numbers.setdefault(pair, len(pairs))
            if row[thread] == len(pairs):
                pairs.append(pair)
        successors.append(row)
        if len(pairs) > MAX_STATES:
            raise LimitError(f"product: it has more than {MAX_STATES} states; use fewer threads or instructions")
    states = tuple(ProductState(graph.states[here], model) for here, model in pairs)
    return Product(automaton, states, tuple(fair), tuple(successors))


def failing_sets(product: Product[AnyState], form: Form) -> list[set[int]]:
    """Return the largest recurrent sets in which an execution may stay without end.

    There are none if the verdict is a pass.

    Weak form: the result is each maximal strongly connected set in which every thread that is in the fair set of all
    states takes a step.

    Strong form: the result is each largest recurrent set that no promised step leaves. Such a set is part of a maximal
    strongly connected set C. It contains only states of C from which no promised step leaves C. If some states of C
    must be dropped for this reason, the search continues among the others.
    """
    components: list[set[int]] = []
    to_do: list[AbstractSet[int]] = [set(range(len(product.states)))]
    while to_do:
        for c in recurrent_sets(product, to_do.pop()):
            if form == "weak":
                staying = c if not _unmet(product, c) else set()
            else:
                staying = {s for s in c if all(product.successors[s][thread] in c for thread in product.owed(s))}
            if staying == c:
                components.append(c)
            elif staying:
                to_do.append(staying)
    return sorted(components, key=min)


def _unmet(product: Product[AnyState], c: AbstractSet[int]) -> int:
    """Return the threads that are in the fair set of all states of a set, and take no step inside it."""
    always, stepping = -1, 0
    for s in c:
        always &= product.fair[s]
        stepping |= sum(1 << thread for thread, after in product.successors[s].items() if after in c)
    return always & ~stepping


def recurrent_sets(product: Product[AnyState], inside: AbstractSet[int]) -> list[set[int]]:
    """Return the maximal strongly connected sets among some states, each with at least one step inside it.

    A set comes after all others that can be reached from it.
    """
    return [
        c
        for c in strongly_connected_sets(product, inside)
        if len(c) > 1 or any(after in c for s in c for after in product.successors[s].values())
    ]


def strongly_connected_sets(product: Product[AnyState], inside: AbstractSet[int]) -> list[set[int]]:
    """Return the maximal strongly connected sets among some states. A state that lies on no cycle is a set of its own.

    A set comes after all others that can be reached from it.
    """

    def successors(state: int) -> Iterator[int]:
        return (after for after in product.successors[state].values() if after in inside)

    return list(components.strongly_connected_sets(sorted(inside), successors))
