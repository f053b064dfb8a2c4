"""Cells whose launches end or hang by chance."""

from collections import Counter

from synth_campaigns.cell_result import CellResult, LaunchCourse, Rate
from synth_campaigns.cells import Cell, Setting


def cell_of(hangs, declared=20, after_hang=4):
    """A cell whose launches hang if `hangs` says so, which is told whether the launch is the first of its process.

    A campaign ends the process after each hang, and the cell so many launches after the first hang.
    """
    first, counts, first_hang = [0, 0], [], None
    is_first = True
    while len(counts) < declared and (first_hang is None or len(counts) < first_hang + after_hang):
        hung = hangs(is_first)
        counts.append(hung)
        if is_first:
            first = [first[0] + hung, first[1] + 1]
        if hung and first_hang is None:
            first_hang = len(counts)
        is_first = hung
    after = counts[first_hang:] if first_hang else []
    course = LaunchCourse(first_hang, Rate(sum(after), len(after)), first[1], Rate(*first))
    outcomes = Counter({"hung": sum(counts), "ended": len(counts) - sum(counts)})
    cell = Cell(0, "sim", "00_0-0011", 2, Setting("plain", 1, 0), 0, declared)
    return CellResult(1, cell, +outcomes, sum(counts), after_hang=after_hang, course=course)
