"""The rules of section 3 of the definitions: one function for each rule, with the rule's sentence as its docstring.

The functions judge a program as it is; it need not be in normal form. Every function has the same parameters, the
program and its transition system, so that all fit into the table `HOLDS`. Some rules need only one of the two.
"""

# ruff: noqa: ARG001  (all functions have the same parameters, and some need only one)

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.twin.semantics import LTS, has_terminated, is_taken, lts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_checker.programs.program import Instruction, Program, State

#: One place of a program: thread id, location, and the instruction there.
Place = tuple[int, int, "Instruction"]


def possible_termination(program: Program, graph: LTS) -> bool:
    """Return whether the program can always still end: from every reachable state a terminated state is reachable."""
    return all(
        any(has_terminated(program, later) for later in {state} | reachable_by_steps(graph, state)) for state in graph
    )


def non_termination_cycle(program: Program, graph: LTS) -> bool:
    """Return whether some reachable cycle exists. A step from a state to itself is a cycle."""
    return any(state in reachable_by_steps(graph, state) for state in graph)


def executed(program: Program, graph: LTS) -> bool:
    """Return whether every instruction is executed in some reachable state."""
    return all(any(executions(graph, place)) for place in program.instructions())


def inter_thread_influence(program: Program, graph: LTS) -> bool:
    """Return whether another thread reads every exchange, and another thread may influence every branch.

    For every instruction with an exchange, another thread must have a branch on the same location. For every branch,
    another thread must have any instruction on the same location, even a check branch.
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
    """Return whether every branch is taken in some reachable state and not taken in some reachable state."""
    return all(
        {is_taken(program, state, place[0]) for state, _ in executions(graph, place)} == {True, False}
        for place in program.instructions()
        if is_branch(place)
    )


def effective_stores(program: Program, graph: LTS) -> bool:
    """Return whether every instruction with an exchange changes the memory in some reachable state."""
    return all(
        any(state.memory != after.memory for state, after in executions(graph, place))
        for place in program.instructions()
        if has_exchange(place)
    )


def meaningful_comparisons(program: Program, graph: LTS) -> bool:
    """Return whether every store compares with 0."""
    return all(place[2].check == 0 for place in program.instructions() if is_store(place))


#: The function of every rule, by the name that the command line uses.
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
    """Return the names of the rules that a program breaks. A test breaks none."""
    graph = lts(program)
    return {rule for rule, holds in HOLDS.items() if not holds(program, graph)}


def has_exchange(place: Place) -> bool:
    """Return whether the instruction at this place writes to the memory."""
    return place[2].exch is not None


def is_store(place: Place) -> bool:
    """Return whether the instruction at this place is a store: it writes, and its target is the next location."""
    _, pc, instruction = place
    return has_exchange(place) and instruction.target == pc + 1


def is_branch(place: Place) -> bool:
    """Return whether the instruction at this place is a branch: its target is not the next location."""
    _, pc, instruction = place
    return instruction.target != pc + 1


def executions(graph: LTS, place: Place) -> Iterator[tuple[State, State]]:
    """Yield each step of the transition system that executes the instruction at a place, as (state, next state)."""
    thread, pc, _ = place
    for state, successors in graph.items():
        if thread in successors and state.pcs[thread] == pc:
            yield state, successors[thread]


def reachable_by_steps(graph: LTS, state: State) -> set[State]:
    """Return the states to which one or more steps lead from a state."""
    reached: set[State] = set()
    to_do = list(graph[state].values())
    while to_do:
        later = to_do.pop()
        if later not in reached:
            reached.add(later)
            to_do.extend(graph[later].values())
    return reached
