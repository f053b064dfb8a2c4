"""The search that is always right: every test that an engine finds, kept if it is as wanted.

It filters batch by batch in the engine's own processes, so nothing that is not wanted is sent or stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from synth_checker.ids import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.engines.engine import Engine
    from synth_checker.wanted import Wanted


class Filtered:
    """An engine's search for the tests of one question that are as wanted."""

    def __init__(self, engine: Engine, wanted: Wanted) -> None:
        self._engine, self._wanted = engine, wanted
        self.name = engine.name

    @property
    def looks_are_short(self) -> bool:
        """Whether the first batch of a unit comes within milliseconds, whatever there is in it."""
        return self.name == "explicit"

    def units(self, jobs: int) -> list[Any]:
        """The engine's units of work."""
        return self._engine.units(jobs)

    def solve(self, unit: Any) -> Iterator[bytes]:  # noqa: ANN401  (a unit of the engine's)
        """Of each of the engine's batches the tests that are as wanted, ids each ended by a line end; maybe none."""
        for lines in self._engine.solve(unit):
            yield lines_of(self._wanted.among(lines.decode("ascii").split()))
