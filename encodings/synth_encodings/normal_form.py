"""Clauses for normal form (definitions, section 2), so that equal programs have a single solution.

Locations and non-zero values are named by first use. The order of reading is thread 0 first, each thread in program
order, and `check` before `exch`. A name may be used only after the name before it was used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.cnf import Cnf
    from synth_encodings.variables import Field, ProgramVariables


def normal_form(cnf: Cnf, program: ProgramVariables) -> None:
    """Add the clauses: no instruction is a no-op, and locations and values are named by first use.

    If the rule `meaningful-comparisons` is in force, the check of a store is 0 and names nothing. If the rule is
    dropped, the check of a store can name a value. The clauses are right in both cases.
    """
    for instruction in program.instructions:
        cnf.add((instruction.writes, instruction.is_branch))
    _by_first_use(cnf, [i.loc for i in program.instructions], program.locations, first=0)
    _by_first_use(cnf, [f for i in program.instructions for f in (i.check, i.exch)], program.values, first=1)


def _by_first_use(cnf: Cnf, fields: list[Field], names: int, first: int) -> None:
    """Add the clauses: each name above `first` is used only after the name before it, in the order of `fields`."""
    used: dict[int, list[int]] = {name: [] for name in range(names)}
    for field in fields:
        for name in range(first + 1, names):
            cnf.add((-field[name], *used[name - 1]))
        for name in range(names):
            used[name].append(field[name])
    if fields and first == 0:
        cnf.add((fields[0][0],))
