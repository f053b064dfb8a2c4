"""Draw tables as figures, as the paper draws them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth.documents import plain_entry
from synth.drawing.layers import Arc
from synth.drawing.places import Size, placed
from synth.figures import drawn, label

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from synth_analysis.table import Entry, Table


def figure_of(name: str, table: Table) -> str:
    """Return a table as an SVG figure. `name` says which table it is.

    Raises:
        InputError: Matplotlib is missing.
    """
    width, height, draw = _DRAWINGS[name](table)
    return drawn((width, height), draw, table.title, _told(table))


def _told(table: Table) -> str:
    """Return a table in words: each row, with the names of its columns."""
    rows = (zip(map(label, table.columns), map(label, map(plain_entry, row)), strict=True) for row in table.rows)
    return " ".join(f"{', '.join(f'{column}: {entry}' for column, entry in row if entry)}." for row in rows)


def _frequencies(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Figure 12: for each setting a panel, with bars for each device, on a logarithmic axis."""
    devices = list(dict.fromkeys(str(row[0]) for row in table.rows))
    settings = list(dict.fromkeys(str(row[1]) for row in table.rows))
    counts = {(str(row[0]), str(row[1])): dict(zip(table.columns, row, strict=True)) for row in table.rows}
    shown = [
        ("always", "C3"),
        ("sometimes", "C1"),
        *([("at least once", "C7")] if any(of_row["at least once"] for of_row in counts.values()) else []),
    ]

    most = max([1, *(int(of_row.get(word) or 0) for of_row in counts.values() for word, _ in shown)])

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(settings), squeeze=False, sharex=True, sharey=True)[:, 0]
        for panel, setting in zip(panels, settings, strict=True):
            for place, (word, colour) in enumerate(shown):
                heights = [counts.get((device, setting), {}).get(word, 0) for device in devices]
                places = [k + (place - (len(shown) - 1) / 2) * 0.8 / len(shown) for k in range(len(devices))]
                bars = panel.bar(places, heights, 0.8 / len(shown), color=colour, label=word)
                panel.bar_label(bars, fontsize=7)
            panel.set_title(label(setting), fontsize=9, loc="left")
            # Linear up to 1, so that 0 and 1 have a place, and logarithmic above.
            panel.set_yscale("symlog", linthresh=1)
            panel.set(ylabel="tests", ylim=(0, 2 * most))  # the panels share this axis
        names = [_wrapped(one, 28) for one in devices]
        panels[-1].set_xticks(range(len(devices)), names, rotation=30, ha="right", fontsize=8)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)

    return max(4.0, 1.5 + 0.9 * len(devices)), 1.5 + 1.6 * len(settings), draw


def _tests(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Table 2: a bar for each bound, on a logarithmic axis."""
    names = [f"{label(str(corpus))}, {threads}x{instructions}" for corpus, threads, instructions, *_ in table.rows]

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        panel.bar_label(panel.barh(range(len(names)), [_number(row[3]) for row in table.rows], color="C0"), fontsize=7)
        panel.set_yticks(range(len(names)), names, fontsize=8)
        panel.invert_yaxis()
        panel.set_xscale("symlog", linthresh=1)
        most = max((_number(row[3]) for row in table.rows), default=0)
        panel.set(
            xlabel=table.columns[3], xlim=(0, 4 * max(1, most))
        )  # with room for the number beside the longest bar

    return 6.4, 1.0 + 0.3 * len(names), draw


def _discovery(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Figure 7: a curve for each job, on axes that are linear up to 1 and logarithmic above.

    If all jobs are short, the axis of time is linear.
    """
    courses: dict[str, list[tuple[float, float]]] = {}
    for job, question, seconds, tests, _ in table.rows:
        courses.setdefault(label(f"{question}, {job}"), []).append((_number(seconds), _number(tests)))
    longest = max([_number(row[2]) for row in table.rows], default=0.0) or 1.0

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        for name, course in courses.items():
            times, tests = zip(*course, strict=True)
            panel.plot(times, tests, drawstyle="steps-post", marker=".", markersize=3, label=name)
        panel.set_yscale("symlog", linthresh=1)
        if longest > _LONG_S:
            panel.set_xscale("symlog", linthresh=1)
        panel.set(xlabel="processor time, seconds", ylabel="tests found")
        panel.set(xlim=(0, 1.05 * longest), ylim=(0, None))
        figure.legend(loc="outside lower center", frameon=False, fontsize=8)

    return 6.4, 3.4 + 0.18 * len(courses), draw


def _conformance(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Table 4: a panel for each reading and form, with two bars for each model."""
    models = [str(row[0]) for row in table.rows]
    halves = [(table.columns[k].rpartition(", ")[0], k) for k in range(1, len(table.columns), 2)]

    def draw(figure: Figure) -> None:
        panels = figure.subplots(2, 2, sharex=True, squeeze=False).flat
        for panel, (title, first) in zip(panels, halves, strict=True):
            for place, (word, colour) in enumerate((("distinguishing", "C0"), ("conformance", "C7"))):
                heights = [_number(row[first + place]) for row in table.rows]
                bars = panel.bar([k + 0.4 * place - 0.2 for k in range(len(models))], heights, 0.4, color=colour)
                bars.set_label(word)
                panel.bar_label(bars, fontsize=6)
            panel.set_title(title, fontsize=9, loc="left")
            panel.set_xticks(range(len(models)), models, fontsize=8)
            panel.set(ylabel="tests")
            panel.margins(y=0.15)
        handles, labels = panel.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False)

    return 11.0, 5.4, draw


def _strong_weak(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Figure 10: a bar of percentages for all tests and for each model, with the strong tests above the weak."""
    names = [str(row[0]) for row in table.rows]

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        below = [0.0] * len(names)
        for column, word, colour in ((3, "weak", "C0"), (4, "strong", "C1")):
            heights = [_number(row[column]) for row in table.rows]
            bars = panel.bar(names, heights, 0.6, bottom=below, color=colour, label=word)
            shown = [f"{height:.1f}" if height >= _LABELLED else "" for height in heights]
            panel.bar_label(bars, shown, label_type="center", color="white", fontsize=8)
            below = [one + other for one, other in zip(below, heights, strict=True)]
        panel.set(ylabel="tests, %", ylim=(0, 100))
        figure.legend(loc="outside lower center", ncols=2, frameon=False)

    return 5.2, 3.6, draw


def _order(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw the order of the verdicts for each device: fairer verdicts are higher, and colours say what was seen."""
    number = {str(row[0]): at for at, row in enumerate(table.rows)}
    arcs = [
        Arc(number[fairer], number[str(row[0])]) for row in table.rows if row[1] for fairer in str(row[1]).split(", ")
    ]
    order = placed([_BOX] * len(number), arcs, [_BOX] * len(arcs))

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, len(table.columns) - 2, squeeze=False)[0]
        for column, panel in enumerate(panels, 2):
            for arc, route in zip(arcs, order.routes, strict=True):
                line = [order.middles[arc.source], *route[1:-1], order.middles[arc.target]]
                panel.plot([x for x, _ in line], [-y for _, y in line], color="0.6", linewidth=1, zorder=0)
            for row in table.rows:
                box = {"boxstyle": "round", "facecolor": _CLAIMS[str(row[column])], "edgecolor": "0.3"}
                x, y = order.middles[number[str(row[0])]]
                panel.text(x, -y, str(row[0]), ha="center", va="center", fontsize=8, bbox=box)
            panel.set_title(_wrapped(table.columns[column], 36), fontsize=9)
            panel.set(xlim=(0, order.width), ylim=(-order.height, 0))
            panel.axis("off")
        for claim, colour in _CLAIMS.items():
            panels[0].scatter([], [], color=colour, edgecolors="0.3", marker="s", label=claim)
        figure.legend(loc="outside lower center", ncols=len(_CLAIMS), frameon=False)

    return max(5.5, 3.4 * (len(table.columns) - 2)), 4.8, draw


#: A part of a bar has its percentage if it is at least so high.
_LABELLED = 6


#: Jobs that take more seconds are drawn on a logarithmic axis.
_LONG_S = 10.0


def _wrapped(name: str, letters: int) -> str:
    return "\n".join(textwrap.wrap(label(name), letters))


def _number(entry: Entry) -> float:
    return entry if isinstance(entry, (int, float)) else 0.0


#: The size of a verdict in the drawing of their order.
_BOX = Size(48, 48, 20)
#: The colour of each claim. The colours differ in brightness, too.
_CLAIMS = {"violates": "#e34a33", "consistent with": "#c7e9c0", "inconclusive": "#fdd49e", "not tested": "#ffffff"}
_DRAWINGS = {
    "order": _order,
    "tests": _tests,
    "discovery": _discovery,
    "conformance": _conformance,
    "strong-weak": _strong_weak,
    "never-sometimes-always": _frequencies,
}
