"""Draw tables as figures, as the paper draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.figures import drawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from synth_analysis.table import Table


def figure_of(name: str, table: Table) -> str:
    """Return a table as an SVG figure. `name` says which table it is.

    Raises:
        InputError: Matplotlib is missing.
    """
    width, height, draw = _DRAWINGS[name](table)
    return drawn(width, height, draw)


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

    def draw(figure: Figure) -> None:
        panels = figure.subplots(len(settings), squeeze=False, sharex=True, sharey=True)[:, 0]
        for panel, setting in zip(panels, settings, strict=True):
            for place, (word, colour) in enumerate(shown):
                heights = [counts.get((device, setting), {}).get(word, 0) for device in devices]
                places = [k + (place - (len(shown) - 1) / 2) * 0.8 / len(shown) for k in range(len(devices))]
                bars = panel.bar(places, heights, 0.8 / len(shown), color=colour, label=word)
                panel.bar_label(bars, fontsize=7)
            panel.set_title(setting, fontsize=9, loc="left")
            # Linear up to 1, so that 0 and 1 have a place, and logarithmic above.
            panel.set_yscale("symlog", linthresh=1)
            panel.set(ylabel="tests", ylim=(0, None))
            panel.margins(y=0.3)
        panels[-1].set_xticks(range(len(devices)), devices, rotation=30, ha="right", fontsize=8)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)

    return max(4.0, 1.5 + 0.9 * len(devices)), 1.5 + 1.6 * len(settings), draw


_DRAWINGS = {"never-sometimes-always": _frequencies}
