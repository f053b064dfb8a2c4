"""The program is in normal form (definitions, section 2): one model per program up to no-ops and names.

Locations and non-zero values are named by first use, reading thread 0 first and each thread in program order, `check`
before `exch`: a name is used only behind the one before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_encodings.cnf import Cnf
    from synth_encodings.variables import Field, ProgramVariables


def normal_form(cnf: Cnf, program: ProgramVariables) -> None:
    """No instruction is a no-op; locations and values are named by first use.

    A store's check names a value only where the rule `meaningful-comparisons` is dropped; where it is in force the
    check is 0 and names nothing, so nothing need be said of it here.
    """
    for instruction in program.instructions:
        cnf.add((instruction.writes, instruction.is_branch))
    _by_first_use(cnf, [i.loc for i in program.instructions], program.locations, first=0)
    _by_first_use(cnf, [f for i in program.instructions for f in (i.check, i.exch)], program.values, first=1)


def _by_first_use(cnf: Cnf, fields: list[Field], names: int, first: int) -> None:
    """In the order of reading, a name above `first` is used only behind the name before it; `first` needs no other."""
    used: dict[int, list[int]] = {name: [] for name in range(names)}
    for field in fields:
        for name in range(first + 1, names):
            cnf.add((-field[name], *used[name - 1]))
        for name in range(names):
            used[name].append(field[name])
    if fields and first == 0:
        cnf.add((fields[0][0],))
