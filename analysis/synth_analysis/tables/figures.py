"""Draw tables as figures, as the paper draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.document import plain_entry
from synth_documents.figures import label, say_empty, svg_figure, wrapped
from synth_documents.graphs.layers import Arc
from synth_documents.graphs.places import Size, placement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure

    from synth_documents.table import Entry, Table


def figure_of(name: str, table: Table) -> str:
    """Return a table as an SVG figure. `name` says which table it is.

    Raises:
        InputError: Matplotlib is missing.
    """
    width, height, draw = _DRAWINGS[name](table)
    return svg_figure((width, height), draw, table.title, _table_words(table), table.lacks)


def _table_words(table: Table) -> str:
    """Return a table in words: what has no result, and each row, with the names of its columns."""
    rows = (zip(map(label, table.columns), map(label, map(plain_entry, row)), strict=True) for row in table.rows)
    sentences = (f"{', '.join(f'{column}: {entry}' for column, entry in row if entry)}." for row in rows)
    return " ".join([*table.lacks, *sentences])


def _frequencies(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Figure 12: for each setting a panel, with bars for each device, on a logarithmic axis.

    Cells without a result have hatched bars. A device that has no cell in a setting was not run there.
    """
    devices = list(dict.fromkeys(str(row[0]) for row in table.rows))
    settings = list(dict.fromkeys(str(row[1]) for row in table.rows))
    counts = {
        (str(row[0]), str(row[1])): dict(zip(table.columns, map(_number, row), strict=True)) for row in table.rows
    }
    shown = [
        (word, look)
        for word, look in _FREQUENCIES.items()
        if word in _ALWAYS_SHOWN or any(of_row[word] for of_row in counts.values())
    ]
    most = max([1.0, *(of_row[word] for of_row in counts.values() for word, _ in shown)])
    names = [wrapped(device, 40) for device in devices]
    titles = [wrapped(setting, 52 + 8 * len(devices)) for setting in settings]
    lines = 1 + max(name.count("\n") for name in names)
    width = max(4.0, 1.5 + max(0.9, 0.3 * lines) * len(devices))
    height = 1.2 + sum(1.6 + 0.15 * title.count("\n") for title in titles) + 0.1 * lines + 0.03 * max(map(len, names))

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(settings), squeeze=False, sharex=True, sharey=True)[:, 0]
        for panel, setting, title in zip(panels, settings, titles, strict=True):
            here = [counts.get((device, setting)) for device in devices]
            for place, (word, (colour, hatch)) in enumerate(shown):
                heights = [of_row[word] if of_row else 0 for of_row in here]
                places = [k + (place - (len(shown) - 1) / 2) * 0.8 / len(shown) for k in range(len(devices))]
                edge = "0.4" if hatch else "none"
                bars = panel.bar(places, heights, 0.8 / len(shown), color=colour, edgecolor=edge, label=word)
                for bar in bars:
                    bar.set_hatch(hatch)
                panel.bar_label(bars, [_bar_label(of_row, word) for of_row in here], fontsize=7)
            for k, of_row in enumerate(here):
                if of_row is None:
                    panel.text(k, 0, "not run", ha="center", va="bottom", fontsize=7, color="0.3")
            if why := _why_empty([of_row for of_row in here if of_row]):
                say_empty(panel, why)
            panel.set_title(title, fontsize=9, loc="left")
            # Linear up to 1, so that 0 and 1 have a place, and logarithmic above.
            panel.set_yscale("symlog", linthresh=1)
            panel.set(ylabel="tests", ylim=(0, 2 * most))  # the panels share this axis
        panels[-1].set_xticks(range(len(devices)), names, rotation=30, ha="right", fontsize=8)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)

    return width, height, draw


def _known(of_row: Mapping[str, float]) -> float:
    """Return how many cells of a row have a result."""
    return of_row["cells"] - of_row["no result"] - of_row["not run"]


def _why_empty(rows: Sequence[Mapping[str, float]]) -> str:
    """Return why a panel shows no hang, or nothing if it shows one."""
    if any(of_row[word] for of_row in rows for word in _HUNG):
        return ""
    known, cells = sum(map(_known, rows)), sum(of_row["cells"] for of_row in rows)
    if known:
        return "no cell hung" if known == cells else "no cell with a result hung"
    return "no cell has a result" if any(of_row["no result"] for of_row in rows) else "nothing was launched"


def _bar_label(of_row: Mapping[str, float] | None, word: str) -> str:
    """Return the number of a bar. No cell is said to have hung never or always if none has a result."""
    if not of_row or not (of_row[word] or (word in _HUNG and _known(of_row))):
        return ""
    return f"{of_row[word]:.0f}"


def _tests(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Table 2: a bar for each bound, on a logarithmic axis."""
    names = [wrapped(f"{corpus}, {threads}x{instructions}", 40) for corpus, threads, instructions, *_ in table.rows]

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        if not any(_number(row[3]) for row in table.rows):
            say_empty(panel, "the corpora have no test")
        panel.bar_label(panel.barh(range(len(names)), [_number(row[3]) for row in table.rows], color="C0"), fontsize=7)
        panel.set_yticks(range(len(names)), names, fontsize=8)
        panel.invert_yaxis()
        panel.set_xscale("symlog", linthresh=1)
        most = max((_number(row[3]) for row in table.rows), default=0)
        panel.set(
            xlabel=table.columns[3], xlim=(0, 4 * max(1, most))
        )  # with room for the number beside the longest bar

    return 6.4, 1.0 + sum(0.3 + 0.14 * name.count("\n") for name in names), draw


def _discovery(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw Figure 7: a curve for each job, on axes that are linear up to 1 and logarithmic above.

    If all jobs are short, the axis of time is linear.
    """
    courses: dict[str, list[tuple[float, float]]] = {}
    for job, question, seconds, tests, _ in table.rows:
        courses.setdefault(wrapped(f"{question}, {job}", 80), []).append((_number(seconds), _number(tests)))
    longest = max([_number(row[2]) for row in table.rows], default=0.0) or 1.0

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        for name, course in courses.items():
            times, tests = zip(*course, strict=True)
            panel.plot(times, tests, drawstyle="steps-post", marker=".", markersize=3, label=name)
        if not any(_number(row[3]) for row in table.rows):
            say_empty(panel, "no test was found so far")
        panel.set_yscale("symlog", linthresh=1)
        if longest > _LONG_S:
            panel.set_xscale("symlog", linthresh=1)
        panel.set(xlabel="processor time, seconds", ylabel="tests found")
        panel.set(xlim=(0, 1.05 * longest), ylim=(0, None))
        figure.legend(loc="outside lower center", frameon=False, fontsize=8)

    return 6.4, 3.4 + sum(0.18 + 0.14 * name.count("\n") for name in courses), draw


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
            if not any(_number(row[first + place]) for row in table.rows for place in range(2)):
                say_empty(panel, "no test")
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
            below = [height + other for height, other in zip(below, heights, strict=True)]
        if not any(below):
            say_empty(panel, "no test")
        panel.set(ylabel="tests, %", ylim=(0, 100))
        figure.legend(loc="outside lower center", ncols=2, frameon=False)

    return 5.2, 3.6, draw


def _order(table: Table) -> tuple[float, float, Callable[[Figure], None]]:
    """Draw the order of the verdicts for each device: fairer verdicts are higher, and colours say what was seen."""
    number = {str(row[0]): at for at, row in enumerate(table.rows)}
    arcs = [
        Arc(number[fairer], number[str(row[0])]) for row in table.rows if row[1] for fairer in str(row[1]).split(", ")
    ]
    order = placement([_BOX] * len(number), arcs, [_BOX] * len(arcs))
    titles = [wrapped(name, 36) for name in table.columns[2:]]

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, len(titles), squeeze=False)[0]
        for column, panel in enumerate(panels, 2):
            for arc, route in zip(arcs, order.routes, strict=True):
                line = [order.middles[arc.source], *route[1:-1], order.middles[arc.target]]
                panel.plot([x for x, _ in line], [-y for _, y in line], color="0.6", linewidth=1, zorder=0)
            for row in table.rows:
                box = {"boxstyle": "round", "facecolor": _CLAIMS[str(row[column])], "edgecolor": "0.3"}
                x, y = order.middles[number[str(row[0])]]
                panel.text(x, -y, str(row[0]), ha="center", va="center", fontsize=8, bbox=box)
            panel.set_title(titles[column - 2], fontsize=9)
            panel.set(xlim=(0, order.width), ylim=(-order.height, 0))
            panel.axis("off")
        for claim, colour in _CLAIMS.items():
            panels[0].scatter([], [], color=colour, edgecolors="0.3", marker="s", label=claim)
        figure.legend(loc="outside lower center", ncols=len(_CLAIMS), frameon=False)

    return max(5.5, 3.4 * len(titles)), 4.8 + 0.14 * max(title.count("\n") for title in titles), draw


#: A part of a bar has its percentage if it is at least so high.
_LABELLED = 6


#: Jobs that take more seconds are drawn on a logarithmic axis.
_LONG_S = 10.0


def _number(entry: Entry) -> float:
    return entry if isinstance(entry, (int, float)) else 0.0


#: The size of a verdict in the drawing of their order.
_BOX = Size(48, 48, 20)
#: The words for cells that hung. The first two are always in the legend.
_HUNG = ("always", "sometimes", "at least once")
_ALWAYS_SHOWN = _HUNG[:2]
#: The colour and the hatch of the bars of each word. Hatched bars are cells of which nothing is known.
_FREQUENCIES = {
    "always": ("C3", ""),
    "sometimes": ("C1", ""),
    "at least once": ("C7", ""),
    "no result": ("white", "////"),
    "not run": ("white", ".."),
}
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
