"""The two forms of a model's verdict (definitions, section 5), from the product and its recurrent sets.

A set C of reachable product states is recurrent if it is strongly connected by edges inside C and has at least one
such edge. A program fails

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
#: A transition system: for each state the successor by each live thread.
Steps = Mapping[_State, Mapping[int, _State]]
#: A state of a transition system and a model state.
Node = tuple[Hashable, Hashable]
#: The model state after (model state, thread that stepped, whether it is still live).
Advance = Callable[[Hashable, int, bool], Hashable]
#: The fair set of (model state, live threads).
FairSet = Callable[[Hashable, frozenset[int]], frozenset[int]]


class Product(NamedTuple):
    """The reachable states of a system and a model side by side: successors by thread, and the fair set of each."""

    successors: dict[Node, dict[int, Node]]
    fair: dict[Node, frozenset[int]]


def product(steps: Steps[_State], start: _State, first: Hashable, advance: Advance, fair_set: FairSet) -> Product:
    """Run a transition system and a model side by side, in every way."""
    made = Product({}, {})
    to_do: list[tuple[_State, Hashable]] = [(start, first)]
    while to_do:
        state, memory = node = to_do.pop()
        if node in made.successors:
            continue
        live = frozenset(steps[state])
        made.fair[node] = fair_set(memory, live) & live
        row = {t: (after, advance(memory, t, t in steps[after])) for t, after in steps[state].items()}
        made.successors[node] = dict(row)
        to_do.extend(row.values())
    return made


def system_product(steps: Steps[_State], start: _State, automaton: Automaton | OnDemand) -> Product:
    """The product with a table-driven automaton for the system's number of threads."""

    def advance(state: Hashable, thread: int, still_live: bool) -> int:  # noqa: FBT001  (an `Advance`)
        assert isinstance(state, int)  # noqa: S101  (for the type checker)
        return (automaton.steps if still_live else automaton.ends)[state][thread]

    def fair_set(state: Hashable, live: frozenset[int]) -> frozenset[int]:
        assert isinstance(state, int)  # noqa: S101  (for the type checker)
        mask = automaton.fair[state][sum(2**thread for thread in live)]
        return frozenset(thread for thread in range(automaton.threads) if mask // 2**thread % 2 == 1)

    return product(steps, start, 0, advance, fair_set)


def automaton_product(program: Program, automaton: Automaton | OnDemand) -> Product:
    """The same of a program."""
    return system_product(lts(program), start(program), automaton)


def passes(program: Program, automaton: Automaton | OnDemand) -> tuple[bool, bool]:
    """Whether a program is guaranteed to terminate under the weak and under the strong form of a model."""
    return _passes(automaton_product(program, automaton))


def system_passes(steps: Steps[_State], start: _State, automaton: Automaton | OnDemand) -> tuple[bool, bool]:
    """The same of any transition system."""
    return _passes(system_product(steps, start, automaton))


def _passes(made: Product) -> tuple[bool, bool]:
    return not fails_weakly(made), not fails_strongly(made)


def fails_weakly(made: Product) -> bool:
    """Look at the maximal strongly connected sets only.

    That is enough: if some recurrent C fails, the maximal one around it fails too, for it has every edge of C, and a
    thread that is fair in all of its states is fair in all of C's.
    """
    return any(fails_weakly_in(made, c) for c in strongly_connected_sets(made, made.successors.keys()))


def fails_weakly_in(made: Product, c: AbstractSet[Node]) -> bool:
    """Every thread that is in F(s) for all s in C takes at least one edge inside C."""
    always_fair = frozenset.intersection(*(made.fair[s] for s in c))
    stepping = {thread for s in c for thread, after in made.successors[s].items() if after in c}
    return always_fair <= stepping


def fails_strongly(made: Product) -> bool:
    """Search for a closed recurrent set inside the maximal strongly connected sets, dropping hopeless states.

    A closed recurrent set D among some states is strongly connected, so it lies inside one of their maximal strongly
    connected sets, C. No state of D has an F-step out of C, for that would leave D too. So D lies inside what is left
    of C without the states that have such a step. If all are left, C itself is closed; if not, what is left is smaller,
    and the search goes on in it.
    """

    def closed_set_in(states: AbstractSet[Node]) -> bool:
        for c in strongly_connected_sets(made, states):
            staying = {s for s in c if all(made.successors[s][thread] in c for thread in made.fair[s])}
            if staying == c or closed_set_in(staying):
                return True
        return False

    return closed_set_in(made.successors.keys())


def strongly_connected_sets(made: Product, states: AbstractSet[Node]) -> list[set[Node]]:
    """The maximal recurrent sets among some states: a state on a cycle, with all that it reaches and that reach it."""
    later = {s: _reached_inside(made, states, s) for s in states}
    found: list[set[Node]] = []
    placed: set[Node] = set()
    for s in states:
        if s in later[s] and s not in placed:
            found.append({other for other in later[s] if s in later[other]})
            placed |= found[-1]
    return found


def _reached_inside(made: Product, states: AbstractSet[Node], first: Node) -> set[Node]:
    """The states that one or more edges inside `states` lead to."""
    found: set[Node] = set()
    to_do = [first]
    while to_do:
        for after in made.successors[to_do.pop()].values():
            if after in states and after not in found:
                found.add(after)
                to_do.append(after)
    return found
