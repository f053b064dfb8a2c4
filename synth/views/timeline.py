"""The schedule of a launch as a drawing, for a terminal or as an SVG file: a row for each workgroup, a column a step.

A drawing has the first workgroups and the first steps of a launch. Their events are all that it keeps.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from synth.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_devices.sim.simulation import Event, LaunchResult

#: Workgroups and steps of a drawing; more would not fit on a page.
MOST_ROWS, MOST_COLUMNS = 64, 96
_WAITS, _HAS_SLOT, _STEPS, _ENDS = " -#|"
#: The meaning and the colour of each sign, in the order of the legend. The colours differ in brightness, too.
_LEGEND = {
    _HAS_SLOT: ("has a slot", "#c6dbef"),
    _STEPS: ("steps", "#3182bd"),
    _ENDS: ("ends with this step", "#08306b"),
}
#: Pixels: the width and height of a step, the left margin for the labels, and the top margin for the legend.
_WIDTH, _HEIGHT, _LEFT, _TOP = 8, 14, 190, 30


class Timeline:
    """Takes the events of a launch, and keeps a sign for each of its first workgroups and steps."""

    def __init__(self, places: Sequence[tuple[int, int]], columns: int = MOST_COLUMNS) -> None:
        self.places = places
        self.columns = columns
        self.rows = [[_WAITS] * columns for _ in places[:MOST_ROWS]]
        self._resident: set[int] = set()
        self._column = -1

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events of the launch; those after the last column are ignored."""
        if self._column == self.columns:
            return
        for event in events:
            if event.kind == "start":
                self._resident.add(event.workgroup)
            elif event.kind == "step":
                self._column += 1
                if self._column == self.columns:
                    return
                for workgroup in self._resident:
                    self._draw(workgroup, _HAS_SLOT)
                self._draw(event.workgroup, _STEPS)
            else:
                self._resident.discard(event.workgroup)
                if event.kind == "end":
                    self._draw(event.workgroup, _ENDS)

    def _draw(self, workgroup: int, sign: str) -> None:
        if workgroup < len(self.rows):
            self.rows[workgroup][self._column] = sign


def timeline_lines(drawing: Timeline, result: LaunchResult) -> Iterator[str]:
    """Yield a drawing of a schedule, line by line.

    A workgroup waits (space), has a slot (`-`), steps (`#`), or ends with this step (`|`).
    """
    yield "workgroup instance thread"
    for workgroup, (row, (instance, thread)) in enumerate(zip(drawing.rows, drawing.places, strict=False)):
        yield f"{workgroup:9} {instance:8} {thread:6}  {''.join(row).rstrip()}"
    yield from _rest(drawing, result)


def svg_of(drawing: Timeline, result: LaunchResult) -> str:
    """Return a drawing of a schedule as the text of an SVG file, with a legend."""
    rest = list(_rest(drawing, result))
    steps = min(result.steps, drawing.columns)
    width = _LEFT + _WIDTH * max(steps, 40) + 10
    height = _TOP + _HEIGHT * (len(drawing.rows) + len(rest) + 1)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
        ),
        "<title>Schedule of a launch: a row for each workgroup, a column for each step</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    x = 5
    for meaning, colour in _LEGEND.values():
        parts.append(f'<rect x="{x}" y="6" width="12" height="10" fill="{colour}"/>')
        parts.append(_text(x + 16, 15, meaning))
        x += 30 + 7 * len(meaning)
    for number, (row, (instance, thread)) in enumerate(zip(drawing.rows, drawing.places, strict=False)):
        y = _TOP + _HEIGHT * number
        parts.append(_text(5, y + 11, f"{number}: thread {thread} of instance {instance}"))
        column = 0
        for sign, same in groupby(row):
            length = len(list(same))
            if sign in _LEGEND:
                x, size = _LEFT + _WIDTH * column, _WIDTH * length
                colour = _LEGEND[sign][1]
                parts.append(f'<rect x="{x}" y="{y + 1}" width="{size}" height="{_HEIGHT - 2}" fill="{colour}"/>')
            column += length
    for number, line in enumerate(rest, len(drawing.rows)):
        parts.append(_text(5, _TOP + _HEIGHT * number + 15, line))
    return "\n".join([*parts, "</svg>", ""])


def _text(x: int, y: int, words: str) -> str:
    return f'<text x="{x}" y="{y}">{words}</text>'


def _rest(drawing: Timeline, result: LaunchResult) -> Iterator[str]:
    """Yield what a drawing leaves out, and the outcome."""
    if len(drawing.places) > MOST_ROWS:
        yield f"{len(drawing.places) - MOST_ROWS:,} more workgroups"
    if result.steps > drawing.columns:
        yield f"{result.steps - drawing.columns:,} more steps"
    yield f"{result.outcome} after {count(result.steps, 'step')}"
