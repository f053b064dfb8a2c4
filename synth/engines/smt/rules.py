"""The rules, a function for each sentence of the definitions' section 3.

All have the same arguments, the program and its LTS, so that `RULES` can be a table; some look at one of them only.
"""

# ruff: noqa: ARG001  (see above)

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from synth.engines.smt.lts import SmtLts
    from synth.engines.smt.program import Place, UnknownProgram


def possible_termination(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """From every reachable state a terminated state is reachable: some step leads nearer to one."""
    height = lts.ranks("height")
    for state, steps in lts.steps.items():
        if state.pcs != lts.end:
            nearer = [z3.And(when, height[after] < height[state]) for when, after in steps]
            yield z3.Implies(lts.reached[state], z3.Or(nearer))


def non_termination_cycle(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Some reachable cycle exists: some reachable states, each with a step to one of them."""
    chosen = {state: z3.Bool(f"chosen {state}") for state in lts.states}
    yield z3.Or(list(chosen.values()))
    for state, steps in lts.steps.items():
        stays = z3.Or([z3.And(when, chosen[after]) for when, after in steps])
        yield z3.Implies(chosen[state], z3.And(lts.reached[state], stays))


def executed(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Every instruction is executed in some reachable state."""
    for place in program.at:
        yield z3.Or(list(lts.executed_in(*place).values()))


def inter_thread_influence(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Every exchange has, in another thread, a branch on its location; every branch has any instruction on it."""

    def same_location(one: Place, other: Place) -> z3.BoolRef:
        return z3.Or([z3.And(pair) for pair in zip(program.at[one].loc, program.at[other].loc, strict=True)])

    for place, instruction in program.at.items():
        elsewhere = [other for other in program.at if other[0] != place[0]]
        branches = [z3.And(program.at[other].is_branch, same_location(place, other)) for other in elsewhere]
        yield z3.Implies(instruction.has_exchange, z3.Or(branches))
        yield z3.Implies(instruction.is_branch, z3.Or([same_location(place, other) for other in elsewhere]))


def all_branches(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Every branch is taken in some reachable state and not taken in some reachable state."""
    for place, instruction in program.at.items():
        found = lts.executed_in(*place).items()
        taken = [z3.And(here, instruction.is_taken(memory)) for memory, here in found]
        not_taken = [z3.And(here, z3.Not(instruction.is_taken(memory))) for memory, here in found]
        yield z3.Implies(instruction.is_branch, z3.And(z3.Or(taken), z3.Or(not_taken)))


def effective_stores(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Every instruction with an exchange changes the memory in some reachable state."""
    for place, instruction in program.at.items():
        changed = [z3.And(here, instruction.changes(memory)) for memory, here in lts.executed_in(*place).items()]
        yield z3.Implies(instruction.has_exchange, z3.Or(changed))


def meaningful_comparisons(program: UnknownProgram, lts: SmtLts) -> Iterator[z3.BoolRef]:
    """Every store's check is 0."""
    for instruction in program.at.values():
        yield z3.Or(instruction.is_branch, instruction.check[0])


#: Every rule by the name that the command line uses.
RULES: dict[str, Callable[[UnknownProgram, SmtLts], Iterator[z3.BoolRef]]] = {
    "possible-termination": possible_termination,
    "non-termination-cycle": non_termination_cycle,
    "executed": executed,
    "inter-thread-influence": inter_thread_influence,
    "all-branches": all_branches,
    "effective-stores": effective_stores,
    "meaningful-comparisons": meaningful_comparisons,
}
