"""The variables and states of a split, and programs as assumptions about them, for tests of the encoding."""

from synth_checker.twin.semantics import lts
from synth_encodings.cnf import Cnf
from synth_encodings.states import EncodedStates
from synth_encodings.step import local_edges
from synth_encodings.variables import ProgramVariables


class Split:
    """The fields, steps and states of a split, with clauses that only say what a step does."""

    def __init__(self, sizes, locations=2, values=2):
        self.cnf = Cnf()
        self.program = ProgramVariables(self.cnf, sizes, locations, values)
        self.steps = local_edges(self.cnf, self.program)
        self.states = EncodedStates(self.cnf, self.program, self.steps)

    def fields_of(self, program):
        """Return the literals that make the variables describe this program."""
        return fields_of(self.program, program)

    def claims_of(self, program):
        """Return the literals that say exactly which states the program reaches."""
        return claims_of(self.states, reached_states(program, self.program.locations))


def sizes_of(program):
    return tuple(len(thread) for thread in program)


def fields_of(variables, program):
    """Return the literals that make some variables describe this program."""
    places = zip(program.instructions(), variables.instructions, strict=True)
    return [literal for (_, _, instruction), fields in places for literal in fields_of_one(fields, instruction)]


def fields_of_one(variables, instruction):
    """Return the literals that make the variables of one instruction describe this instruction."""
    no_exchange = len(variables.check)
    return [
        variables.loc[instruction.loc],
        variables.check[instruction.check],
        variables.exch[no_exchange if instruction.exch is None else instruction.exch],
        variables.target[instruction.target],
    ]


def claims_of(states, reached):
    """Return the literals that say that exactly these states are reachable."""
    return [
        literal if state in reached else -literal for state, literal in zip(states.all, states.reachable, strict=True)
    ]


def reached_states(program, locations):
    """Return the reachable states of a program as (memory, pcs), by the twin; memory has all locations, used or not."""
    unused = (0,) * (locations - program.locations())
    return {(state.memory + unused, state.pcs) for state in lts(program)}


def claimed_states(states, model):
    """Return the states that a model of the clauses calls reachable, as (memory, pcs)."""
    return {state for state, literal in zip(states.all, states.reachable, strict=True) if model[literal - 1] > 0}
