"""Functions that are not inlined: their contracts, and the units in which they are verified.

A *unit* is a function with the arrays that calls give it: which of its pointers point into one array, into which
memory, and into which variables of the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_kernels.clang.mangled_names import plain_name_and_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_kernels.clang.ir import IrFunction, IrInstruction, Value
    from synth_kernels.program import Kind, Space

#: Where a pointer points: the name of its array in the function, and its memory. The name begins with @ if it is a
#: variable of the program, and is `null` or `unknown` if it points into no array.
Bound: TypeAlias = "tuple[str, Space | Literal['']]"


@dataclass(frozen=True, slots=True)
class FunctionUnit:
    """A function with the arrays of its pointers, by their number among the parameters. Others have none."""

    function: str
    bound: tuple[Bound | None, ...]


@dataclass(slots=True)
class Units:
    """The functions that are not inlined, and the units that calls have asked for, in their order."""

    contracts: Mapping[str, Contract]
    variables: Mapping[str, frozenset[str]]
    requested: dict[FunctionUnit, None]

    def key(self, unit: FunctionUnit) -> str:
        """Return the key of a unit, which calls have."""
        return f"{plain_name_and_codes(unit.function)[0]}#{list(self.requested).index(unit)}"


@dataclass(frozen=True, slots=True)
class Clause:
    """A line of a contract: its instructions from the opening call to the claim, and those that they need before."""

    word: str
    needs: tuple[IrInstruction, ...]
    body: tuple[IrInstruction, ...]
    once: bool

    @property
    def claim(self) -> IrInstruction:
        """The call of the claim, which is the last instruction."""
        return self.body[-1]


@dataclass(slots=True)
class Contract:
    """What a function says to its callers. `accesses` are its parameters for arrays that it accesses without a body."""

    function: IrFunction
    clauses: list[Clause] = field(default_factory=list)
    accesses: list[tuple[Value, Kind]] = field(default_factory=list)

    @property
    def is_declared(self) -> bool:
        """Whether the body is only a contract."""
        return bool(self.accesses)
