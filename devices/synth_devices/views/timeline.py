"""The schedule of a launch as a drawing, for a terminal or as an SVG file: a row for each workgroup, a column a step.

A drawing has the first steps of a launch, and the workgroups that are the first to have a slot in them. If there is
place for more, it has the workgroups with the lowest numbers. The events of these are all that it keeps.
"""

from __future__ import annotations

from itertools import groupby, islice
from typing import TYPE_CHECKING

from synth_documents.phrases import count
from synth_documents.svg import LINE, SvgPicture, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_devices.sim.simulation import LaunchEvent, LaunchResult

#: Workgroups and steps of a drawing; more would not fit on a page.
MOST_ROWS, MOST_COLUMNS = 64, 96
_WAITS, _HAS_SLOT, _STEPS, _ENDS = " -#|"
#: The meaning of each sign and its class in an SVG file, in the order of the legend.
_LEGEND = {_HAS_SLOT: ("has a slot", "slot"), _STEPS: ("steps", "step"), _ENDS: ("ends with this step", "end")}
#: The colours differ in brightness, too.
_RULES = {
    "slot": ("", "fill: #c6dbef", "fill: #1f3a5f"),
    "step": ("", "fill: #3182bd", "fill: #4593d6"),
    "end": ("", "fill: #08306b", "fill: #d6e9ff"),
}
#: Pixels: the width and height of a step, the margin around all, and the gap between a sample and its meaning.
_WIDTH, _HEIGHT, _MARGIN, _GAP = 8, LINE, 10, 6


class Timeline:
    """Takes the events of a launch, and keeps a sign for each of the workgroups and steps that are drawn."""

    def __init__(self, places: Sequence[tuple[int, int]], columns: int = MOST_COLUMNS) -> None:
        self.places = places
        self.columns = columns
        self._rows: dict[int, list[str]] = {}
        self._resident: set[int] = set()
        self._column = -1

    def take(self, events: Iterable[LaunchEvent]) -> None:
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
        if workgroup not in self._rows and len(self._rows) < MOST_ROWS:
            self._rows[workgroup] = [_WAITS] * self.columns
        if workgroup in self._rows:
            self._rows[workgroup][self._column] = sign

    def rows(self) -> list[tuple[int, list[str]]]:
        """Return the number of each workgroup that is drawn, and its signs, in the order of the numbers."""
        others = (number for number in range(len(self.places)) if number not in self._rows)
        drawn = sorted([*self._rows, *islice(others, MOST_ROWS - len(self._rows))])
        return [(number, self._rows.get(number, [_WAITS] * self.columns)) for number in drawn]


def timeline_lines(drawing: Timeline, result: LaunchResult) -> Iterator[str]:
    """Yield a drawing of a schedule, line by line.

    A workgroup waits (space), has a slot (`-`), steps (`#`), or ends with this step (`|`).
    """
    yield "workgroup instance thread"
    for workgroup, row in drawing.rows():
        instance, thread = drawing.places[workgroup]
        yield f"{workgroup:9} {instance:8} {thread:6}  {''.join(row).rstrip()}"
    yield from _rest(drawing, result)


def svg_of(drawing: Timeline, result: LaunchResult) -> str:
    """Return a drawing of a schedule as the text of an SVG file, with a legend."""
    rest = list(_rest(drawing, result))
    rows = drawing.rows()
    labels = [
        f"{number}: thread {thread} of instance {instance}"
        for number, (instance, thread) in ((number, drawing.places[number]) for number, _ in rows)
    ]
    picture = SvgPicture(
        "Schedule of a launch: a row for each workgroup, a column for each step", f"{'. '.join(rest)}.", _RULES
    )
    right = float(_MARGIN)
    for meaning, kind in _LEGEND.values():
        picture.rect(right, _MARGIN + 2, 12, 12, kind)
        picture.text(right + 12 + _GAP, _MARGIN + 12, meaning)
        right += 12 + 3 * _GAP + width_of(meaning)
    margin = 2 * _MARGIN + max(map(width_of, labels), default=0)
    top = 2 * _MARGIN + LINE
    for number, ((_, row), label) in enumerate(zip(rows, labels, strict=True)):
        y = top + _HEIGHT * number
        picture.text(_MARGIN, y + 12, label)
        column = 0
        for sign, same in groupby(row):
            length = len(list(same))
            if sign in _LEGEND:
                picture.rect(margin + _WIDTH * column, y + 1, _WIDTH * length, _HEIGHT - 2, _LEGEND[sign][1])
            column += length
    for number, line in enumerate(rest, len(rows)):
        picture.text(_MARGIN, top + _HEIGHT * number + 16, line)
    steps = margin + _WIDTH * min(result.steps, drawing.columns)
    width = max(right, steps, *(_MARGIN + width_of(line) for line in rest)) + _MARGIN
    return picture.written(width, top + _HEIGHT * (len(rows) + len(rest)) + _MARGIN)


def _rest(drawing: Timeline, result: LaunchResult) -> Iterator[str]:
    """Yield what a drawing leaves out, and the outcome."""
    if len(drawing.places) > MOST_ROWS:
        yield f"{len(drawing.places) - MOST_ROWS:,} more workgroups"
    if result.steps > drawing.columns:
        yield f"{result.steps - drawing.columns:,} more steps"
    yield f"{result.outcome} after {count(result.steps, 'step')}"
