"""What a solver says to a query."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["sat", "unsat", "unknown"]
#: The value of a Boolean constant, of an integer, or of a bit-vector read as a number from 0 on.
Value: TypeAlias = bool | int


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """The verdict on a query.

    For `sat`, `values` may hold constants of the query with their values in one solution; a constant that is not there
    may have any value. For `unknown`, `reason` says in words why there is no verdict.
    `worked` is how much the solver did, in seconds of a processor that does nothing else.
    """

    verdict: Verdict
    values: dict[str, Value] = field(default_factory=dict)
    reason: str = ""
    worked: float = 0.0
