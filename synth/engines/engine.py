"""What an engine is.

An engine takes a question apart into units of work and finds the tests of each. It says nothing of verdicts, of
processes, or of where the tests go. Those that there are stand in `synth.engines.choosing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, Union

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: What a field of a unit is: a number, or several fields. JSON has lists where units have tuples.
Field: TypeAlias = Union[int, "Sequence[Field]"]


class Unit(Protocol):
    """A part of the work: a hashable value that says in a word what it is."""

    def shares(self) -> Mapping[tuple[int, ...], int]:
        """The splits that its tests belong to, each with its part of them."""

    def fields(self) -> tuple[Field, ...]:
        """Its fields, of which `Engine.unit` makes it again."""


#: The kind of units that an engine has.
AUnit = TypeVar("AUnit", bound=Unit)


class Engine(Protocol[AUnit]):
    """Finds the tests of one question. It is made once and copied to each worker process."""

    name: str
    solver: str | None
    """The solver it asks, where it asks one."""
    order: int
    """Raised whenever the same unit, written down by an earlier release, would have other tests."""
    first_batch_is_quick: bool
    """Whether the first batch of a unit comes within milliseconds, whatever there is in it."""

    @property
    def unit(self) -> Callable[..., AUnit]:
        """Makes a unit of its fields."""

    def cut(self, unit: AUnit, parts: int) -> list[AUnit]:
        """Units that have each test of one in exactly one of them, about so many and of about the same size.

        The unit itself, where it can't be cut. If chosen at random, one is an unbiased sample of the whole.
        """

    def units(self, jobs: int) -> list[AUnit]:
        """Units that have each test of the question in exactly one of them, the largest first."""

    def solve(self, unit: AUnit) -> Iterator[bytes]:
        """The ids of the tests of a unit, each once and ended by a line end, some at a time as they are found."""

    def count(self, unit: AUnit) -> Iterator[int]:
        """How many tests of a unit have been found so far; the last number is that of all."""


def refuse_solver(engine: str, solver: str | None) -> None:
    """Raise InputError where a solver is named to an engine that uses none."""
    if solver is not None:
        msg = f"solver: found {solver!r}, expected none with the engine {engine}, which uses no solver"
        raise InputError(msg)
