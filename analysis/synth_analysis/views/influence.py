"""A picture of the influence of rules: a square for each pair, which is darker the more kernels there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.figures import say_empty, svg_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from synth_documents.table import Table


def influence_figure(table: Table) -> str:
    """Return the table of influences as an SVG figure. Its columns are the rules that lose candidates.

    Raises:
        InputError: Matplotlib is missing.
    """
    rules = table.columns[1:]
    counts = [[float(entry or 0) for entry in row[1:]] for row in table.rows]

    def draw(figure: Figure) -> None:
        panel = figure.subplots()
        panel.imshow(counts, cmap="Blues", vmin=0)
        panel.set_xticks(range(len(rules)), rules, rotation=90, fontsize=7)
        panel.set_yticks(range(len(rules)), rules, fontsize=7)
        panel.set(xlabel="loses candidates", ylabel="is left out")
        most = max((number for row in counts for number in row), default=0.0)
        if not most:
            say_empty(panel, "no rule influences another one")
        for row, numbers in enumerate(counts):
            for column, number in enumerate(numbers):
                if number:
                    colour = "white" if number > most / 2 else "black"
                    panel.text(column, row, f"{number:.0f}", ha="center", va="center", fontsize=7, color=colour)

    sentences = " ".join(
        f"Without {row[0]}, {rule} loses candidates in {number:.0f} kernels."
        for row, numbers in zip(table.rows, counts, strict=True)
        for rule, number in zip(rules, numbers, strict=True)
        if number
    )
    size = 2.0 + 0.25 * len(rules)
    return svg_figure((size, size), draw, "Influence of rules", sentences or "No rule influences another one.")
