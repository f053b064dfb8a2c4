"""What comes back from work on a unit: batches of results, or the failure of a resource."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from synth_checker.errors import ResourceError

#: The type of a unit of work: its values have a hash, and None is not among them.
U = TypeVar("U")
#: The type of a result. A unit has several.
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Batch(Generic[U, R]):
    """Some results of a unit of work.

    `done` is true in the last batch of a unit. `first` is true in the first batch of an attempt at a unit. If there was
    an attempt before, which has not come to its end, all results of the unit come again, beginning with that batch.
    """

    unit: U
    results: list[R]
    done: bool
    first: bool


def out_of_memory(unit: object) -> ResourceError:
    """Return the error for a unit that a process could not solve because it had too little memory."""
    return ResourceError(f"workers: no memory was left to solve {unit}; use fewer jobs or a machine with more memory")
