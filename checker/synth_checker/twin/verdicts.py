"""Compute the verdicts of both forms of a model from the product and its recurrent sets (definitions, section 5).

A set C of reachable states of the product is recurrent if it is strongly connected by edges inside C, and there is at
least one such edge. F(s) is the fair set of a state s. A program fails

- the weak form if in some recurrent C every thread that is in F(s) for all s in C takes at least one edge inside C;
- the strong form if some recurrent C contains, for each s in C and each t in F(s), the t-successor of s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from synth_checker.twin.semantics import lts, start

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from synth_checker.models.automaton import Automaton
    from synth_checker.models.on_demand import OnDemand
    from synth_checker.programs.program import Program

_State = TypeVar("_State", bound=Hashable)
#: A transition system: for each state, the next state by each live thread.
Steps = Mapping[_State, Mapping[int, _State]]
#: A state of a transition system and a model state.
Node = tuple[Hashable, Hashable]
#: A function from (state of the model, thread that stepped, whether it is still live) to the next state of the model.
Advance = Callable[[Hashable, int, bool], Hashable]
#: A function from (state of the model, live threads) to the fair set.
FairSet = Callable[[Hashable, frozenset[int]], frozenset[int]]


class TwinProduct(NamedTuple):
    """The reachable states of a transition system and a model side by side, with successors and fair sets."""

    successors: dict[Node, dict[int, Node]]
    fair: dict[Node, frozenset[int]]


def product(steps: Steps[_State], start: _State, first: Hashable, advance: Advance, fair_set: FairSet) -> TwinProduct:
    """Return the product of a transition system and a model, whose first state is `first`."""
    result = TwinProduct({}, {})
    to_do: list[tuple[_State, Hashable]] = [(start, first)]
    while to_do:
        state, memory = node = to_do.pop()
        if node in result.successors:
            continue
        live = frozenset(steps[state])
        result.fair[node] = fair_set(memory, live) & live
        row = {t: (after, advance(memory, t, t in steps[after])) for t, after in steps[state].items()}
        result.successors[node] = dict(row)
        to_do.extend(row.values())
    return result


def system_product(steps: Steps[_State], start: _State, automaton: Automaton | OnDemand) -> TwinProduct:
    """Return the product of a transition system and an automaton for its number of threads."""

    def advance(state: Hashable, thread: int, still_live: bool) -> int:  # noqa: FBT001  (an `Advance`)
        assert isinstance(state, int)  # noqa: S101  (for the type checker)
        return (automaton.steps if still_live else automaton.ends)[state][thread]

    def fair_set(state: Hashable, live: frozenset[int]) -> frozenset[int]:
        assert isinstance(state, int)  # noqa: S101  (for the type checker)
        mask = automaton.fair[state][sum(2**thread for thread in live)]
        return frozenset(thread for thread in range(automaton.threads) if mask // 2**thread % 2 == 1)

    return product(steps, start, 0, advance, fair_set)


def automaton_product(program: Program, automaton: Automaton | OnDemand) -> TwinProduct:
    """Return the product of a program and an automaton for its number of threads."""
    return system_product(lts(program), start(program), automaton)


def passes(program: Program, automaton: Automaton | OnDemand) -> tuple[bool, bool]:
    """Return whether a program always terminates under the weak form and under the strong form of a model."""
    return _passes(automaton_product(program, automaton))


def system_passes(steps: Steps[_State], start: _State, automaton: Automaton | OnDemand) -> tuple[bool, bool]:
    """Return whether a transition system always terminates under the weak form and under the strong form of a model."""
    return _passes(system_product(steps, start, automaton))


def _passes(product: TwinProduct) -> tuple[bool, bool]:
    return not fails_weakly(product), not fails_strongly(product)


def fails_weakly(product: TwinProduct) -> bool:
    """Return whether a product fails the weak form, by looking only at its maximal strongly connected sets.

    These are enough. If some recurrent set C fails, the maximal set around it fails too, because it has every edge of
    C. A thread that is in the fair sets of all its states is also in those of all states of C.
    """
    return fails_weakly_among(product, product.successors.keys())


def fails_weakly_among(product: TwinProduct, states: AbstractSet[Node]) -> bool:
    """Return whether the weak form fails in a recurrent set of some of the states."""
    return any(fails_weakly_in(product, c) for c in strongly_connected_sets(product, states))


def fails_weakly_in(product: TwinProduct, c: AbstractSet[Node]) -> bool:
    """Return whether every thread that is in the fair sets of all states of C takes at least one edge inside C."""
    always_fair = frozenset.intersection(*(product.fair[s] for s in c))
    stepping = {thread for s in c for thread, after in product.successors[s].items() if after in c}
    return always_fair <= stepping


def fails_strongly(product: TwinProduct) -> bool:
    """Return whether a product fails the strong form, by searching for a recurrent set that no promised step leaves.

    Call such a set closed, and suppose that D is a closed recurrent set among some states. D is strongly connected, so
    D is part of a maximal strongly connected set C of these states. No promised step leads from a state of D out of C,
    because this step would also leave D. So D consists of states of C from which no promised step leaves C. If all
    states of C are of this kind, C itself is closed. Otherwise, the search continues among the states of C that are of
    this kind, which are fewer.
    """
    return fails_strongly_among(product, product.successors.keys())


def fails_strongly_among(product: TwinProduct, states: AbstractSet[Node]) -> bool:
    """Return whether the strong form fails in a recurrent set of some of the states."""

    def closed_set_in(states: AbstractSet[Node]) -> bool:
        for c in strongly_connected_sets(product, states):
            staying = {s for s in c if all(product.successors[s][thread] in c for thread in product.fair[s])}
            if staying == c or closed_set_in(staying):
                return True
        return False

    return closed_set_in(states)


def strongly_connected_sets(product: TwinProduct, states: AbstractSet[Node]) -> list[set[Node]]:
    """Return the maximal recurrent sets among some states.

    Such a set consists of a state on a cycle and all states that it reaches and that reach it.
    """
    later = {s: _reached_inside(product, states, s) for s in states}
    components: list[set[Node]] = []
    placed: set[Node] = set()
    for s in states:
        if s in later[s] and s not in placed:
            components.append({other for other in later[s] if s in later[other]})
            placed |= components[-1]
    return components


def _reached_inside(product: TwinProduct, states: AbstractSet[Node], first: Node) -> set[Node]:
    """Return the states to which one or more edges inside `states` lead."""
    reached: set[Node] = set()
    to_do = [first]
    while to_do:
        for after in product.successors[to_do.pop()].values():
            if after in states and after not in reached:
                reached.add(after)
                to_do.append(after)
    return reached
