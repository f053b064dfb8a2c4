"""Show how far a long command has come, on standard error: a bar in a terminal, and otherwise a line now and then.

The lines are for logs. The first comes after half a minute. Each pause is twice as long as the one before, up to ten
minutes. So a log of three days has a few hundred of these lines. The time left is estimated from the speed at which
this process has worked so far. Work that was done before this process began does not count.
"""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

import typer

from synth_documents.phrases import shown
from synth_documents.readable import clock_time, duration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

#: Seconds before the first line, and the most seconds between two lines.
_FIRST_S, _LONGEST_S = 30.0, 600.0
#: The least number of seconds after which a bar is drawn again to show what runs now.
_REDRAW_S = 0.1


class ProgressLines:
    """An object that is called like a function, and prints a line of progress now and then.

    A call has the number of units done, the number of all units, and the number of tests found so far if any are looked
    for. A fourth argument may say in words what runs now. `done` and `tests` are the numbers at the start, which
    earlier runs have reached. With `hung`, the third argument is the number of units that hung so far.
    """

    def __init__(self, name: str, unit: str, done: int = 0, tests: int = 0, *, hung: bool = False) -> None:
        self._hung = hung
        self._name, self._unit, self._done, self._tests = name, unit, done, tests
        self._start = time.monotonic()
        self._pause = _FIRST_S
        self._due = self._start + _FIRST_S

    def __call__(self, done: int, units: int, tests: int = 0, running: str = "") -> None:
        """Print a line if it is time for one."""
        now = time.monotonic()
        if now >= self._due:
            self._pause = min(2 * self._pause, _LONGEST_S)
            self._due = now + self._pause
            typer.echo(self._line(now - self._start, done, units, tests, running), err=True)

    def clear(self) -> None:
        """Make room for other lines, until the next call."""

    def _line(self, elapsed: float, done: int, units: int, tests: int, running: str) -> str:
        share = f" ({done / units:.0%})" if units else ""
        parts = [f"{self._name}: {done} of {units} {self._unit}s{share}"]
        if self._hung:
            parts.append(f"{tests:,} hung")
        elif tests:
            parts.append(f"{tests:,} tests, {(tests - self._tests) / elapsed:,.0f} tests/s")
        if done > self._done:
            seconds_left = elapsed / (done - self._done) * (units - done)
            parts.append(f"{duration(seconds_left)} left, done at {clock_time(seconds_left)}")
        if running:
            parts.append(f"now {shown(running)}")
        return f"{time.strftime('%Y-%m-%d %H:%M:%S')} {'; '.join(parts)}"


class StateLines(ProgressLines):
    """The same for a search of states that does not know how many there are. A call has the number found so far.

    If this number falls, another search has begun.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, "state")
        self._found = 0

    def states(self, number: int) -> None:
        """Print a line if it is time for one."""
        if number < self._found:
            self._start = time.monotonic()
            self._due = self._start + self._pause
        self._found = number
        self(number, 0)

    def _line(self, elapsed: float, done: int, *_: object) -> str:
        return f"{time.strftime('%Y-%m-%d %H:%M:%S')} {self._name}: {done:,} states, {done / elapsed:,.0f} states/s"


class _Bar(ProgressLines):
    """Progress as a bar, which tqdm draws."""

    def __init__(self, bar: Any, *, hung: bool = False) -> None:  # noqa: ANN401  (imported where it is used)
        self._bar, self._what, self._due = bar, "hung" if hung else "tests", 0.0

    def __call__(self, done: int, units: int, tests: int = 0, running: str = "") -> None:
        is_first, self._bar.total = self._bar.total is None, units
        parts = [f"{self._what}={tests}"] * bool(tests) + [shown(running)] * bool(running)
        if parts:
            self._bar.set_postfix_str(", ".join(parts), refresh=False)
        if running and time.monotonic() >= self._due:  # a unit may take minutes
            self._due = time.monotonic() + _REDRAW_S
            self._bar.refresh()
        self._bar.update(done - self._bar.n)
        if is_first:
            self._bar.refresh()

    def clear(self) -> None:
        """Take the bar away, until the next call."""
        self._bar.clear()


@contextlib.contextmanager
def progress_bar(
    name: str, unit: str = "unit", *, done: int = 0, tests: int = 0, hung: bool = False
) -> Iterator[ProgressLines]:
    """Yield a function that shows progress; the caller calls it after each step of its work.

    `done` and `tests` are those of earlier runs, which do not count for the speed. `hung` says that the third number of
    a call is how many units hung.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield ProgressLines(name, unit, done, tests, hung=hung)
        return
    from tqdm import tqdm

    with tqdm(desc=name, unit=unit, initial=done, leave=False) as bar:
        yield _Bar(bar, hung=hung)
