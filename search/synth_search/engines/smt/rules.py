"""The rules of tests as formulas for Z3, a function for each sentence of section 3 of the definitions.

All functions have the same two arguments, the unknown program and its transition system (LTS), so that `RULES` can be a
table. Some functions use only one of the two.
"""

# ruff: noqa: ARG001  (see above)

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth_search.engines.smt.lts import SmtLts
    from synth_search.engines.smt.program import Place, UnknownProgram


def possible_termination(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that a terminated state is reachable from every reachable state.

    Every state that is reached and not terminated has a step to a state of less height.
    """
    height = lts.ranks("height")
    for state, steps in lts.steps.items():
        if state.pcs != lts.end:
            nearer = [z3.And(when, height[after] < height[state]) for when, after in steps]
            yield z3.Implies(lts.reached[state], z3.Or(nearer))


def non_termination_cycle(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that some reachable cycle exists.

    They describe a set of reachable states, each with a step into the set.
    """
    chosen = {state: z3.Bool(f"chosen {state}") for state in lts.states}
    yield z3.Or(list(chosen.values()))
    for state, steps in lts.steps.items():
        stays = z3.Or([z3.And(when, chosen[after]) for when, after in steps])
        yield z3.Implies(chosen[state], z3.And(lts.reached[state], stays))


def executed(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that every instruction is executed in some reachable state."""
    for place in program.at:
        yield z3.Or(list(lts.executed_in(*place).values()))


def inter_thread_influence(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that other threads use the locations of each exchange and of each branch.

    For an instruction with an exchange, another thread must have a branch on its location. For a branch, another thread
    must have any instruction on its location.
    """

    def same_location(first: Place, other: Place) -> z3.BoolRef:
        return z3.Or([z3.And(pair) for pair in zip(program.at[first].loc, program.at[other].loc, strict=True)])

    for place, instruction in program.at.items():
        elsewhere = [other for other in program.at if other[0] != place[0]]
        branches = [z3.And(program.at[other].is_branch, same_location(place, other)) for other in elsewhere]
        yield z3.Implies(instruction.has_exchange, z3.Or(branches))
        yield z3.Implies(instruction.is_branch, z3.Or([same_location(place, other) for other in elsewhere]))


def all_branches(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that every branch is taken in some reachable state and not taken in another."""
    for place, instruction in program.at.items():
        executions = lts.executed_in(*place).items()
        taken = [z3.And(here, instruction.is_taken(memory)) for memory, here in executions]
        not_taken = [z3.And(here, z3.Not(instruction.is_taken(memory))) for memory, here in executions]
        yield z3.Implies(instruction.is_branch, z3.And(z3.Or(taken), z3.Or(not_taken)))


def effective_stores(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that every instruction that writes changes the memory in some reachable state."""
    for place, instruction in program.at.items():
        changed = [z3.And(here, instruction.changes(memory)) for memory, here in lts.executed_in(*place).items()]
        yield z3.Implies(instruction.has_exchange, z3.Or(changed))


def meaningful_comparisons(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Yield the conditions that the check of every store is 0."""
    for instruction in program.at.values():
        yield z3.Or(instruction.is_branch, instruction.check[0])


#: Each rule, by the name that the command line uses.
RULES: dict[str, Callable[[UnknownProgram, SmtLts], Iterator[z3.BoolRef]]] = {
    "possible-termination": possible_termination,
    "non-termination-cycle": non_termination_cycle,
    "executed": executed,
    "inter-thread-influence": inter_thread_influence,
    "all-branches": all_branches,
    "effective-stores": effective_stores,
    "meaningful-comparisons": meaningful_comparisons,
}
