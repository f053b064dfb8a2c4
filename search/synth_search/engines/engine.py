"""The interface of an engine, which finds the tests of a question.

An engine takes a question apart into units of work, and finds the tests of each unit. It does not know about verdicts,
processes or files. `synth_search.engines.choice` lists the engines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, Union

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: The value of a field of a unit: a number, or a tuple of such values. JSON has lists where units have tuples.
Field: TypeAlias = Union[int, "Sequence[Field]"]


class Unit(Protocol):
    """The interface of a unit: a part of a search, a hashable value whose `str` names it in messages."""

    def shares(self) -> Mapping[tuple[int, ...], int]:
        """Return the splits that the tests of this unit belong to, each with its share of the tests, as a weight."""

    def fields(self) -> tuple[Field, ...]:
        """Return numbers, or tuples of them, from which `Engine.unit` makes this unit again."""


#: The type of the units of an engine.
AUnit = TypeVar("AUnit", bound=Unit)


class Engine(Protocol[AUnit]):
    """The interface of an engine: an object that finds the tests of one question.

    It is made once, and each worker process gets a copy.
    """

    name: str
    solver: str | None
    """The name of the solver that the engine asks, or None if it asks no solver."""
    order: int
    """A version number of the engine's units. It rises whenever a unit with the same fields gets other tests."""
    batches_are_quick: bool
    """Whether `solve` and `count` give each batch of any unit within milliseconds, even if the batch is empty."""

    @property
    def unit(self) -> Callable[..., AUnit]:
        """The function that makes a unit from its fields."""

    def cut(self, unit: AUnit, parts: int) -> list[AUnit]:
        """Divide a unit into about `parts` smaller units that share out its tests.

        Each test of the unit is in exactly one part, and the parts are of about the same size. An engine that can't
        divide the unit returns the unit alone. A part that is chosen at random is an unbiased sample of the tests.
        """

    def units(self, jobs: int) -> list[AUnit]:
        """Return units, the largest first, so that each test of the question is in exactly one of them.

        `jobs` is the number of processes that share the units.
        """

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """Find the tests of a unit, and yield their ids in batches as they are found.

        Each id comes once and ends with a line break. A batch may be empty.
        """

    def count(self, unit: AUnit) -> Iterator[int]:
        """Count the tests of a unit: yield how many were found so far, and at last the number of all."""


def refuse_solver(engine: str, solver: str | None) -> None:
    """Raise InputError if the caller names a solver for an engine that uses none."""
    if solver is not None:
        raise InputError(f"solver: {solver!r} cannot be combined with the engine {engine}, which uses no solver")
