"""The schedule of a launch as lines of text, one event on a line, and its replay.

    start 0 0
    step 0
    end 0
    ended

The lines are `start W SLOT`, `step W`, `preempt W` and `end W`, where W is a workgroup, and at the end the outcome.
Empty lines and lines that begin with `#` are ignored. In a replay, the lines drive the simulator: where the scheduler
picks at random, each step is that of the schedule. All other events must be those of the rules in
docs/understand/sim.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from synth_devices.sim.simulation import LaunchEvent, LaunchResult, Simulator


class ScheduleError(InputError):
    """A line of a schedule that breaks a rule. The message has the number of the line."""


def line_of(event: LaunchEvent) -> str:
    """Return an event as a line."""
    return (
        f"{event.kind} {event.workgroup} {event.slot}" if event.kind == "start" else f"{event.kind} {event.workgroup}"
    )


def numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not ignored, with their numbers and with one space between words."""
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words and not words[0].startswith("#"):
            yield number, " ".join(words)


class Reader:
    """Takes the lines of a schedule one after the other, and compares each with what the rules expect."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = numbered(lines)
        self._last = 0

    def next(self) -> str | None:
        """Return the next line; None at the end."""
        self._last, line = next(self._lines, (self._last + 1, None))
        return line

    def take(self, expected: str) -> None:
        """Take the next line.

        Raises:
            ScheduleError: it is another line than the expected one.
        """
        word = self.next()
        if word != expected:
            raise self.fault(word, repr(expected))

    def take_end(self) -> None:
        """Take the end of the schedule.

        Raises:
            ScheduleError: there are more lines.
        """
        word = self.next()
        if word is not None:
            raise self.fault(word, "the end of the schedule")

    def fault(self, word: str | None, expected: str) -> ScheduleError:
        """Return the error that the last line taken is `word`, although the rules expect something else."""
        shown = "the end of the schedule" if word is None else repr(excerpt(word))
        return ScheduleError(f"line {self._last}: found {shown}, expected {expected}")


def replay(simulator: Simulator, number: int, lines: Callable[[], Iterable[str]]) -> LaunchResult:
    """Run the launch with this number as a schedule says, and return its result.

    `lines` returns the lines of the schedule. It is called twice.

    Raises:
        ScheduleError: a line breaks a rule of the scheduler, or the outcome is another one.
    """
    steps = None
    if not simulator.scheduler.is_deterministic:
        steps = [int(line[5:]) for _, line in numbered(lines()) if _is_step(line)]
    reader = Reader(lines())

    def take(events: Iterator[LaunchEvent]) -> None:
        for event in events:
            reader.take(line_of(event))

    try:
        result = simulator.watch(number, take, steps)
    except ScheduleError:
        raise
    except InputError:
        raise reader.fault(reader.next(), "a step of a workgroup that has a slot") from None
    reader.take(result.outcome)
    reader.take_end()
    return result


def _is_step(line: str) -> bool:
    """Return whether a line is a step of a workgroup whose number the core can read."""
    kind, _, workgroup = line.partition(" ")
    return kind == "step" and workgroup.isascii() and workgroup.isdigit() and len(workgroup) < 10
