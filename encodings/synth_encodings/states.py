"""The states of a split, and clauses that say which of them a program reaches.

A state is (memory, pcs). Its number is a mixed-radix number, in which memory location 0 is the lowest digit, and the
program location of thread 0 follows the memory. The literal `reachable[k]` says that state k is reachable. The
reachable states are a *least* fixpoint. Clauses alone cannot express "least". So they are encoded as in answer set
programming (Lin and Zhao, ASSAT, 2004):

- Closure: the start is reachable, and so is each state to which a step leads from a reachable state.
- Support: each reachable state other than the start has a reachable predecessor.
- Loop formulas: take a set of states without the start. A state of the set can be reachable only if some step leads
  into the set from a reachable state outside. A loop formula is added only when a solution breaks it.

With all loop formulas, the solutions are exactly the least fixpoints. So the encoding needs no variables
that number the states in the order in which a program reaches them, and no limit on the length of executions.
`unfounded_clauses` makes loop formulas from a solution that marks too many states; few are ever needed. Invariant:
every clause is true for every program with exactly its reachable states marked, so no clause excludes a test.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from synth_encodings.cnf import FALSE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth_encodings.cnf import Cnf
    from synth_encodings.step import InstructionSteps, Memory
    from synth_encodings.variables import ProgramVariables


class EncodedState(NamedTuple):
    """A state: the content of the memory, and the program location of each thread."""

    memory: Memory
    pcs: tuple[int, ...]


class Step(NamedTuple):
    """A step that some program makes, listed at one of its two states.

    `state` is the number of the other state, and the literal `edge` says that the program makes the step.
    """

    state: int
    edge: int


class EncodedStates:
    """The states of a split, their possible steps, and for each state the literal which says that it is reachable."""

    def __init__(self, cnf: Cnf, program: ProgramVariables, steps: Sequence[InstructionSteps]) -> None:
        self.sizes = program.sizes
        self.all = [
            EncodedState(memory[::-1], pcs[::-1])
            for pcs in itertools.product(*(range(size + 1) for size in reversed(program.sizes)))
            for memory in itertools.product(range(program.values), repeat=program.locations)
        ]
        self.reachable = [cnf.new() for _ in self.all]
        self._number = {state: number for number, state in enumerate(self.all)}
        self._steps = {(s.instruction.thread, s.instruction.pc): s for s in steps}
        #: For each state: the possible steps out of it by each live thread, and the possible steps into it.
        self.successors: list[dict[int, list[Step]]] = [self._successors(state) for state in self.all]
        self.predecessors: list[list[Step]] = [[] for _ in self.all]
        for number, by_thread in enumerate(self.successors):
            for step in itertools.chain.from_iterable(by_thread.values()):
                if step.state != number:
                    self.predecessors[step.state].append(Step(number, step.edge))

    def _successors(self, state: EncodedState) -> dict[int, list[Step]]:
        steps: dict[int, list[Step]] = {}
        for thread, size in enumerate(self.sizes):
            pc = state.pcs[thread]
            if pc < size:
                steps[thread] = [
                    Step(
                        self._number[EncodedState(e.memory, (*state.pcs[:thread], e.pc, *state.pcs[thread + 1 :]))],
                        e.literal,
                    )
                    for e in self._steps[thread, pc].edges[state.memory]
                    if e.literal != FALSE
                ]
        return steps

    @property
    def terminated(self) -> list[int]:
        """Return the numbers of the states in which no thread is live."""
        return [number for number, by_thread in enumerate(self.successors) if not by_thread]

    def executing(self, thread: int, pc: int) -> dict[Memory, list[int]]:
        """Return, for each memory, the numbers of the states in which a thread is at a program location."""
        numbers: dict[Memory, list[int]] = defaultdict(list)
        for number, state in enumerate(self.all):
            if state.pcs[thread] == pc:
                numbers[state.memory].append(number)
        return numbers


def closure_clauses(cnf: Cnf, states: EncodedStates) -> None:
    """Add the clauses: the start is reachable, and so is each state to which a step leads from a reachable state."""
    cnf.add((states.reachable[0],))
    for number, predecessors in enumerate(states.predecessors):
        for before, edge in predecessors:
            cnf.add((-states.reachable[before], -edge, states.reachable[number]))


def support_clauses(cnf: Cnf, states: EncodedStates) -> None:
    """Add the clauses: each reachable state other than the start has a reachable predecessor."""
    for number, predecessors in enumerate(states.predecessors):
        if number:
            supports = [cnf.only_if_all((states.reachable[before], edge)) for before, edge in predecessors]
            cnf.add((-states.reachable[number], *supports))


def is_true(model: Sequence[int], literal: int) -> bool:
    """Return whether a literal is true in a solution, which holds literal k or -k at index k-1."""
    return model[abs(literal) - 1] == literal


def steps_of_solution(states: EncodedStates, model: Sequence[int], number: int) -> list[Step]:
    """Return the steps that lead out of a state in the program of a solution, one for each live thread."""
    return [
        next(step for step in possible if is_true(model, step.edge)) for possible in states.successors[number].values()
    ]


def reached_by_solution(states: EncodedStates, model: Sequence[int]) -> set[int]:
    """Return the states that a solution's program reaches, whatever states the solution marks as reachable."""
    return closure_of({0}, lambda number: [step.state for step in steps_of_solution(states, model, number)])


def unfounded_clauses(states: EncodedStates, model: Sequence[int]) -> list[list[int]]:
    """Return loop formulas that refute a solution which marks states as reachable that its program does not reach.

    There are none if the solution is right. Take each marked state that is not reached, with all such states that lead
    to it. No step leads into this set from a marked state outside. The loop formula says that a member is reachable
    only if some step leads into the set. Such a step needs a reachable predecessor and an edge. Of these two, the
    clause names one that is false in the solution.
    """
    unfounded = {k for k, literal in enumerate(states.reachable) if is_true(model, literal)}
    unfounded -= reached_by_solution(states, model)
    before: dict[int, list[int]] = defaultdict(list)
    for number in unfounded:
        for step in steps_of_solution(states, model, number):
            if step.state in unfounded:
                before[step.state].append(number)
    sets = {frozenset(closure_of({number}, lambda k: before.get(k, ()))): number for number in sorted(unfounded)}
    clauses = []
    for members, member in sets.items():
        if any(other < members for other in sets):
            continue  # the clause for the smaller set is stronger
        clause = {-states.reachable[member]}
        for outside, edge in (step for number in members for step in states.predecessors[number]):
            if outside not in members:
                clause.add(states.reachable[outside] if is_true(model, edge) else edge)
        clauses.append(sorted(clause))
    return clauses


def closure_of(start: set[int], neighbours: Callable[[int], Iterable[int]]) -> set[int]:
    """Return the numbers that can be reached from those in `start`, including these.

    `neighbours` returns the numbers that can be reached from a number directly.
    """
    reached, todo = set(start), list(start)
    while todo:
        for number in neighbours(todo.pop()):
            if number not in reached:
                reached.add(number)
                todo.append(number)
    return reached
