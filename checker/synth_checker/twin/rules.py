"""The rules of the definitions' section 3, each a function beside its sentence.

All are judged on the program as given, which need not be in normal form. Every function has the same arguments, the
program and its LTS, so that `HOLDS` can be a table; some rules look at one of them only.
"""

# ruff: noqa: ARG001  (see above)

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.twin.semantics import LTS, has_terminated, is_taken, lts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_checker.programs.program import Instruction, Program, State

#: One place of a program: thread id, location, and the instruction there.
Place = tuple[int, int, "Instruction"]


def possible_termination(program: Program, graph: LTS) -> bool:
    """From every reachable state a terminated state is reachable."""
    return all(
        any(has_terminated(program, later) for later in {state} | reachable_by_steps(graph, state)) for state in graph
    )


def non_termination_cycle(program: Program, graph: LTS) -> bool:
    """Some reachable cycle exists (an edge from a state to itself is one)."""
    return any(state in reachable_by_steps(graph, state) for state in graph)


def executed(program: Program, graph: LTS) -> bool:
    """Every instruction is executed in some reachable state."""
    return all(any(executions(graph, place)) for place in program.instructions())


def inter_thread_influence(program: Program, graph: LTS) -> bool:
    """Every exchange is heeded, every branch can be influenced.

    Every instruction with an exchange has, in another thread, a branch on the same location; every branch has, in
    another thread, any instruction on the same location (a check branch will do).
    """

    def elsewhere_on_the_same_location(place: Place) -> list[Place]:
        return [other for other in program.instructions() if other[0] != place[0] and other[2].loc == place[2].loc]

    writes_are_heeded = all(
        any(is_branch(other) for other in elsewhere_on_the_same_location(place))
        for place in program.instructions()
        if has_exchange(place)
    )
    branches_are_influenced = all(
        elsewhere_on_the_same_location(place) for place in program.instructions() if is_branch(place)
    )
    return writes_are_heeded and branches_are_influenced


def all_branches(program: Program, graph: LTS) -> bool:
    """Every branch is taken in some reachable state and not taken in some reachable state."""
    return all(
        {is_taken(program, state, place[0]) for state, _ in executions(graph, place)} == {True, False}
        for place in program.instructions()
        if is_branch(place)
    )


def effective_stores(program: Program, graph: LTS) -> bool:
    """Every instruction with an exchange changes the memory in some reachable state."""
    return all(
        any(state.memory != after.memory for state, after in executions(graph, place))
        for place in program.instructions()
        if has_exchange(place)
    )


def meaningful_comparisons(program: Program, graph: LTS) -> bool:
    """Every store's check is 0."""
    return all(place[2].check == 0 for place in program.instructions() if is_store(place))


#: Every rule by the name that the command line uses.
HOLDS: dict[str, Callable[[Program, LTS], bool]] = {
    "possible-termination": possible_termination,
    "non-termination-cycle": non_termination_cycle,
    "executed": executed,
    "inter-thread-influence": inter_thread_influence,
    "all-branches": all_branches,
    "effective-stores": effective_stores,
    "meaningful-comparisons": meaningful_comparisons,
}


def broken_rules(program: Program) -> set[str]:
    """The rules that a program breaks; a test breaks none."""
    graph = lts(program)
    return {rule for rule, holds in HOLDS.items() if not holds(program, graph)}


def has_exchange(place: Place) -> bool:
    """The instruction writes."""
    return place[2].exch is not None


def is_store(place: Place) -> bool:
    """An exchange with target = own location + 1, so that its comparison decides nothing."""
    _, pc, instruction = place
    return has_exchange(place) and instruction.target == pc + 1


def is_branch(place: Place) -> bool:
    """Neither a store nor a no-op: the target is not what follows anyway."""
    _, pc, instruction = place
    return instruction.target != pc + 1


def executions(graph: LTS, place: Place) -> Iterator[tuple[State, State]]:
    """The edges (state, successor) on which the instruction at a place is executed."""
    thread, pc, _ = place
    for state, successors in graph.items():
        if thread in successors and state.pcs[thread] == pc:
            yield state, successors[thread]


def reachable_by_steps(graph: LTS, state: State) -> set[State]:
    """The states that one or more steps lead to."""
    found: set[State] = set()
    to_do = list(graph[state].values())
    while to_do:
        later = to_do.pop()
        if later not in found:
            found.add(later)
            to_do.extend(graph[later].values())
    return found
