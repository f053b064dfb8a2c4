"""Execute programs one step at a time (definitions, section 1), in the simplest way.

A state is the memory and the program location of every thread. The transition system is explored by trying every live
thread in every state that is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.program import State

if TYPE_CHECKING:
    from synth_checker.programs.program import Program


#: The transition system of a program: for each reachable state, the next state by each thread that is live in it.
LTS = dict[State, dict[int, State]]


def start(program: Program) -> State:
    """Return the start state: all memory is 0, and every thread is at its program location 0."""
    return State(memory=(0,) * program.locations(), pcs=(0,) * len(program))


def live(program: Program, state: State) -> frozenset[int]:
    """Return the ids of the threads that are not at their end in a state of a program."""
    return frozenset(tid for tid, thread in enumerate(program) if state.pcs[tid] < len(thread))


def is_taken(program: Program, state: State, thread: int) -> bool:
    """Return whether the comparison of the next instruction of a thread holds in a state of a program."""
    instruction = program[thread][state.pcs[thread]]
    return state.memory[instruction.loc] == instruction.check


def step(program: Program, state: State, thread: int) -> State:
    """Return the state after one atomic step of a live thread: it compares, writes, and moves to its next location."""
    instruction = program[thread][state.pcs[thread]]
    taken = is_taken(program, state, thread)
    memory = list(state.memory)
    if instruction.exch is not None:
        memory[instruction.loc] = instruction.exch
    pcs = list(state.pcs)
    pcs[thread] = instruction.target if taken else pcs[thread] + 1
    return State(tuple(memory), tuple(pcs))


def lts(program: Program) -> LTS:
    """Return the transition system of a program: every reachable state, with the next state by each live thread."""
    graph: LTS = {}
    to_do = [start(program)]
    while to_do:
        state = to_do.pop()
        if state not in graph:
            graph[state] = {thread: step(program, state, thread) for thread in live(program, state)}
            to_do.extend(graph[state].values())
    return graph


def has_terminated(program: Program, state: State) -> bool:
    """Return whether a program has terminated in a state, so that no thread is live."""
    return not live(program, state)
