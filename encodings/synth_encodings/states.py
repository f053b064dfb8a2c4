"""The states of a split, by content, and which of them a program reaches.

A state is (memory, pcs); its number is the mixed-radix number of both, memory location 0 the lowest digit, then thread
0's pc. `reachable[k]` is the literal that state k is reachable. It is a *least* fixpoint, and clauses alone can't say
least, so it is said as in answer set programming (Lin and Zhao, ASSAT, 2004):

  - closure: the start is reachable, and what one step leads to from a reachable state;
  - support: a reachable state other than the start has a reachable predecessor;
  - loop formulas, added when a model breaks one: of a set of states without the start, one can only be reachable if
    some step leads into the set from a reachable state outside.

With all loop formulas the models are exactly the least fixpoints, so there is no rank, no level and no limit to prove.
Few are ever needed; `unfounded_clauses` makes them from a model that claims too much. Invariant: every clause is true
of every program with exactly its reachable states claimed, so adding one never loses a test.
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


class State(NamedTuple):
    """The contents of memory, and one pc a thread."""

    memory: Memory
    pcs: tuple[int, ...]


class Step(NamedTuple):
    """A possible step: the state on its other side, and the literal of its local edge."""

    state: int
    edge: int


class States:
    """The states of a split, their possible steps, and the literals that they are reachable."""

    def __init__(self, cnf: Cnf, program: ProgramVariables, steps: Sequence[InstructionSteps]) -> None:
        self.sizes = program.sizes
        self.all = [
            State(memory[::-1], pcs[::-1])
            for pcs in itertools.product(*(range(size + 1) for size in reversed(program.sizes)))
            for memory in itertools.product(range(program.values), repeat=program.locations)
        ]
        self.reachable = [cnf.new() for _ in self.all]
        self._number = {state: number for number, state in enumerate(self.all)}
        self._steps = {(s.instruction.thread, s.instruction.pc): s for s in steps}
        #: Per state and live thread, every possible step out of it; and every possible step into it.
        self.successors: list[dict[int, list[Step]]] = [self._successors(state) for state in self.all]
        self.predecessors: list[list[Step]] = [[] for _ in self.all]
        for number, by_thread in enumerate(self.successors):
            for step in itertools.chain.from_iterable(by_thread.values()):
                if step.state != number:
                    self.predecessors[step.state].append(Step(number, step.edge))

    def _successors(self, state: State) -> dict[int, list[Step]]:
        found: dict[int, list[Step]] = {}
        for thread, size in enumerate(self.sizes):
            pc = state.pcs[thread]
            if pc < size:
                found[thread] = [
                    Step(
                        self._number[State(e.memory, (*state.pcs[:thread], e.pc, *state.pcs[thread + 1 :]))], e.literal
                    )
                    for e in self._steps[thread, pc].edges[state.memory]
                    if e.literal != FALSE
                ]
        return found

    @property
    def terminated(self) -> list[int]:
        """The states in which no thread is live."""
        return [number for number, by_thread in enumerate(self.successors) if not by_thread]

    def executing(self, thread: int, pc: int) -> dict[Memory, list[int]]:
        """Per memory, the states with it in which a thread is at a pc."""
        found: dict[Memory, list[int]] = defaultdict(list)
        for number, state in enumerate(self.all):
            if state.pcs[thread] == pc:
                found[state.memory].append(number)
        return found


def closure(cnf: Cnf, states: States) -> None:
    """The start is reachable, and whatever a step leads to from a reachable state."""
    cnf.add((states.reachable[0],))
    for number, predecessors in enumerate(states.predecessors):
        for before, edge in predecessors:
            cnf.add((-states.reachable[before], -edge, states.reachable[number]))


def support(cnf: Cnf, states: States) -> None:
    """A reachable state other than the start has a reachable predecessor."""
    for number, predecessors in enumerate(states.predecessors):
        if number:
            supports = [cnf.only_if_all((states.reachable[before], edge)) for before, edge in predecessors]
            cnf.add((-states.reachable[number], *supports))


def holds(model: Sequence[int], literal: int) -> bool:
    """Whether a literal is true in a model, which has literal k or -k at index k-1."""
    return model[abs(literal) - 1] == literal


def steps_in(states: States, model: Sequence[int], number: int) -> list[Step]:
    """The steps that the model's program takes out of a state, one per live thread."""
    return [
        next(step for step in possible if holds(model, step.edge)) for possible in states.successors[number].values()
    ]


def reached_in(states: States, model: Sequence[int]) -> set[int]:
    """The states that the model's program reaches, whatever the model claims."""
    return closure_of({0}, lambda number: [step.state for step in steps_in(states, model, number)])


def unfounded_clauses(states: States, model: Sequence[int]) -> list[list[int]]:
    """Loop formulas that refute what a model claims reachable beyond what its program reaches; none if it is right.

    The claimed states that are not reached, each with all unreached claimed states that lead to it, form sets that no
    step leads into from outside. The clause for such a set says that a member is reachable only if some step leads into
    it; such a step needs a reachable predecessor and an edge, and of these the clause names one that is false here.
    """
    unfounded = {k for k, literal in enumerate(states.reachable) if holds(model, literal)} - reached_in(states, model)
    before: dict[int, list[int]] = defaultdict(list)
    for number in unfounded:
        for step in steps_in(states, model, number):
            if step.state in unfounded:
                before[step.state].append(number)
    sets = {frozenset(closure_of({number}, lambda k: before.get(k, ()))): number for number in sorted(unfounded)}
    clauses = []
    for members, member in sets.items():
        if any(other < members for other in sets):
            continue  # the smaller set says more
        clause = {-states.reachable[member]}
        for outside, edge in (step for number in members for step in states.predecessors[number]):
            if outside not in members:
                clause.add(states.reachable[outside] if holds(model, edge) else edge)
        clauses.append(sorted(clause))
    return clauses


def closure_of(start: set[int], neighbours: Callable[[int], Iterable[int]]) -> set[int]:
    """All that is reached from `start` along `neighbours`, the start included."""
    found, todo = set(start), list(start)
    while todo:
        for number in neighbours(todo.pop()):
            if number not in found:
                found.add(number)
                todo.append(number)
    return found
