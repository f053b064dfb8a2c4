"""Writes the pictures of README.md and of the results. The data are tables of the pages, or what `synth` computes.

- `mutex.svg`: what `synth explain mutex --model HSA.weak --svg` draws, without its sentences (README.md).
- `tests.svg`: tests and minimal tests by number of instructions, and what the paper found (tables of results.md).
- `signatures.svg`: the signatures of the shipped complete bounds, how many tests have each, and the smallest of
  these; and the table signatures.csv of docs/measured.
- `lattice.svg`: what `synth lattice --format svg` draws, with another title.
- `promises.svg`: which promises the devices of measured.md broke.
- `hangs.svg`: the tables lobe.csv and parallel.csv of docs/predictions.
- `rules.svg` and `plans.svg`: the tables rules.csv, engines.csv and plans.csv of docs/measured.

Where a reader prefers dark pages, the figures are dark.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import BOUNDS
from synth_corpus.store import Corpus
from synth_documents.figures import svg_figure
from synth_documents.graphs.graph import svg_of
from synth_documents.svg import LINE, SvgPicture, width_of
from synth_litmus.explanation import explain
from synth_litmus.inputs.questions import question
from synth_search.lattice import lattice_of
from synth_search.lattice.picture import graph_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

DOCS = Path(__file__).parent
FOLDER = DOCS / "pictures"
MODELS = ("HSA", "OBE", "LOBE", "HSA+OBE", "fair")
INK, GREY = "#1f2328", "#d1d9e0"
COLOURS = ("#0969da", "#bc4c00", "#1a7f37", "#8250df", "#cf222e", "#59636e")
#: The dark colour of each light one of tests.svg.
DARK = {
    INK: "#e6edf3",
    GREY: "#3d444d",
    "#ffffff": "#0d1117",
    **dict(zip(COLOURS, ("#58a6ff", "#f0883e", "#56d364", "#bc8cff", "#ff7b72", "#9198a1"), strict=True)),
}
#: The cells of tables: their light and their dark colour.
CELLS = {
    "good": ("", "fill: #a5d8ff", "fill: #0c4a8f"),
    "half": ("", "fill: #dff2ff", "fill: #12304f"),
    "bad": ("", "fill: #ffc680", "fill: #8a4600"),
    "open": ("", "fill: #eaeef2", "fill: #262c36"),
}
#: A table: its title, its columns, and for each row its name and its cells, each a text and one of `CELLS`.
Grid = tuple[str, "Sequence[str]", "Sequence[tuple[str, Sequence[tuple[str, str]]]]"]


def table(page: str, head: str) -> list[list[str]]:
    """Return the table of a page whose first line begins with `head`: its heads, and then its rows."""
    start = head + (DOCS / "results" / page).read_text("utf-8").partition(f"\n{head}")[2]
    rows = [[cell.strip(" `*") for cell in line.split("|")[1:-1]] for line in start.partition("\n\n")[0].splitlines()]
    return [rows[0], *rows[2:]]


def values(file: str) -> list[list[str]]:
    """Return the rows of a CSV file of docs, of which the first has the heads."""
    with (DOCS / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def drawn(title: str, *grids: Grid) -> str:
    """Return a picture of tables of coloured cells, one below the other."""
    lines = [(heads, name, cells) for _, heads, rows in grids for name, cells in rows]
    about = [
        f"{name}: {', '.join(f'{head} {words}' for head, (words, _) in zip(heads, cells, strict=True))}."
        for heads, name, cells in lines
    ]
    picture = SvgPicture(title, " ".join(about), CELLS)
    picture.text(14, 26, title, "ink strong")
    left, y, right = 28 + max(width_of(name) for _, name, _ in lines), 40.0, 28 + width_of(title)
    for above, heads, rows in grids:
        wide = 16 + max(width_of(words) for _, cells in rows for words in (*heads, *dict(cells)))
        right = max(right, 14 + left + wide * len(heads))
        picture.text(14, y + LINE - 1, above, "ink")
        y += LINE * (14 + width_of(above) > left)
        for number, head in enumerate(heads):
            picture.text(left + wide * (number + 0.5), y + LINE - 1, head, "ink centred")
        for name, cells in rows:
            y += LINE + 6
            picture.text(14, y + LINE - 1, name)
            for number, (words, kind) in enumerate(cells):
                picture.rect(left + wide * number, y, wide - 2, LINE + 4, kind)
                picture.text(left + wide * (number + 0.5), y + LINE - 1, words, "ink centred")
        y += 2 * LINE + 8
    return picture.written(round(right), round(y - LINE + 8))


def counts() -> dict[str, dict[tuple[int, int], int]]:
    """Return how many tests bounds (threads, instructions) have, how many are minimal, and how many the paper found."""
    found: dict[str, dict[tuple[int, int], int]] = defaultdict(dict)
    heads, *rows = table("results.md", "| instructions | 2 threads")
    for row in rows:
        for head, cell in zip(heads[1:], row[1:], strict=True):
            bound = int(head.split()[0]), int(row[0])
            if cell:
                found["tests"][bound] = int(cell.split()[0].replace(",", ""))
            if paper := re.search(r"paper: (\d+)", cell):
                found["the paper's search"][bound] = int(paper[1])
    for size, _, minimal, _ in table("results.md", "| bound | behaviours")[1:]:
        threads, instructions = map(int, size.split("x"))
        found["minimal tests"][threads, instructions] = int(minimal.replace(",", ""))
    return found


def mutex() -> str:
    """The text of mutex.svg."""
    return svg_of(replace(explain(program_of_id("01100002-01100002"), "HSA.weak").graph("mutex"), notes=()))


def tests() -> str:
    """The text of tests.svg."""
    found = counts()

    def draw(figure: Figure) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for panel, kind in zip(panels, ("tests", "minimal tests"), strict=True):
            for threads, colour, mark in zip(range(2, 8), COLOURS, "osD^vP", strict=True):
                if points := sorted((at[1], number) for at, number in found[kind].items() if at[0] == threads):
                    look = {"color": colour, "marker": mark, "markersize": 4, "label": f"{threads} threads"}
                    panel.plot(*zip(*points, strict=True), **look)
            panel.set_title(kind, fontsize=10)
            panel.set_xlabel("instructions", fontsize=9)
            panel.set(yscale="log", xlim=(1.8, 7.2), ylim=(2, 1e10))
            panel.yaxis.set_major_locator(FixedLocator([10.0**k for k in range(1, 11)]))
            panel.yaxis.set_minor_locator(NullLocator())
            panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
            panel.tick_params(labelsize=8, color=GREY)
            panel.grid(axis="y", color=GREY, linewidth=0.6)
            panel.spines[:].set_color(GREY)
        paper = [(at[1], number) for at, number in found["the paper's search"].items()]
        panels[0].plot(*zip(*paper, strict=True), "x", color=INK, markersize=8, label="the paper's search")
        panels[0].legend(fontsize=8, frameon=False)

    words = (f"{kind} of {at[0]}x{at[1]}: {number:,}" for kind in found for at, number in sorted(found[kind].items()))
    text = svg_figure((7.6, 4.2), draw, "With each instruction, about a hundred times as many tests", ", ".join(words))
    looks = {
        f"{kind[0]}{light[1:]}": (kind, light, dark) for light, dark in DARK.items() for kind in ("fill", "stroke")
    }
    light, dark = (
        " ".join(f".{name} {{{look[0]}: {look[place]}}}" for name, look in looks.items()) for place in (1, 2)
    )
    style = f"text {{fill: {INK}}} {light} @media (prefers-color-scheme: dark) {{text {{fill: {DARK[INK]}}} {dark}}}"
    text = re.sub(r'style="([^"]*)"', _classed, text)
    return text.replace("</desc>", f"</desc>\n <style>{style}</style>", 1)


def _classed(style: re.Match[str]) -> str:
    """Return a style of which the colours in `DARK` are classes."""
    parts = [tuple(part.split(": ")) for part in style[1].split("; ")]
    names = " ".join(f"{kind[0]}{value[1:]}" for kind, value in parts if value in DARK)
    return f'class="{names}" style="{"; ".join(f"{kind}: {value}" for kind, value in parts if value not in DARK)}"'


def signatures() -> str:
    """The text of signatures.svg."""
    found = defaultdict[tuple[str, ...], list[tuple[int, int, str]]](list)
    for bound in BOUNDS["complete"]:
        threads, instructions = map(int, bound.split("x"))
        for test in Corpus(f"@complete/{bound}"):
            passed = [[test.verdicts[f"{model}.{form}"] == "pass" for form in ("weak", "strong")] for model in MODELS]
            signature = tuple(("fail", "strong", "pass")[sum(forms)] for forms in passed)
            found[signature].append((instructions, threads, test.id))
    kinds = {"pass": "good", "strong": "half", "fail": "bad"}
    counted = [
        (f"{min(have)[2]:<26}{len(have):>7,}", [(word, kinds[word]) for word in signature])
        for signature, have in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
    larger = [
        (f"{test:<26}{first:>7}", [(word, kinds[word]) for word in signature])
        for first, test, *signature in values("measured/signatures.csv")[1:]
    ]
    heads = (f"{'of 2x2 to 3x4: smallest':<26}  tests", f"{'new in larger bounds':<26}  bound")
    return drawn("Signatures", (heads[0], MODELS, counted), (heads[1], MODELS, larger))


def lattice() -> str:
    """The text of lattice.svg."""
    drawing = graph_of(lattice_of(question(BOUNDS["complete"]), jobs=1))
    return svg_of(replace(drawing, title="Lines lead up to the fairer verdict"))


def promises() -> str:
    """The text of promises.svg: the campaigns of all minimal tests, whose names have no hyphen."""
    kinds = {"violates": "bad", "consistent with": "good", "inconclusive": "open"}
    words = {"bad": "broken, {2} hung", "good": "{1}, no hang", "open": "{0}"}
    (_, *heads), *lines = table("measured.md", "| verdict | `")
    shown = [number for number, head in enumerate(heads) if "-" not in head]
    rows = []
    for verdict, *claims in lines:
        found = [(kinds.get(re.split(r"[*,]", claims[number])[0]), claims[number].split(", ")) for number in shown]
        if all(kind for kind, _ in found):
            rows.append((verdict, [(words[kind].format(*parts), kind) for kind, parts in found if kind]))
    return drawn("Which promises the devices broke", ("", [heads[number] for number in shown], rows))


def hangs() -> str:
    """The text of hangs.svg."""
    passed = sum(test.verdicts["LOBE.weak"] == "pass" for b in BOUNDS["complete"] for test in Corpus(f"@complete/{b}"))
    listed = (DOCS / "predictions" / "parallel.txt").read_text("utf-8").splitlines()
    parallel = sum(not line.startswith("#") for line in listed)
    grids = []
    for name, title in (
        ("lobe", f"Of the {passed:,} tests that pass LOBE.weak"),
        ("parallel", f"Of the {parallel} tests of parallel.txt"),
    ):
        (_, *heads), *lines = values(f"predictions/{name}.csv")
        rows = [(line[0], [(f"{int(cell):,}", "bad" if int(cell) else "good") for cell in line[1:]]) for line in lines]
        grids.append((title, heads, rows))
    return drawn("How many tests hang on a simulated scheduler, by mapping", *grids)


def rules() -> str:
    """The text of rules.svg."""
    grids = []
    for name in ("rules", "engines"):
        (first, *heads), *lines = values(f"measured/{name}.csv")
        marked = heads.index("essential") if "essential" in heads else -1
        rows = [
            (line[0], [(cell, "good" if n == marked and cell != "0" else "open") for n, cell in enumerate(line[1:])])
            for line in lines
        ]
        grids.append((first, heads, rows))
    return drawn("Rules that propose invariants, and engines that refute them", *grids)


def plans() -> str:
    """The text of plans.svg."""
    found: dict[str, dict[str, dict[str, tuple[str, str]]]] = defaultdict(lambda: defaultdict(dict))
    for bound, quantity, predicted, least, most, taken in values("measured/plans.csv")[1:]:
        between = f"{least}\N{EN DASH}{most}" if least else most
        words = "; ".join(filter(None, (f"{predicted} ({between})" if predicted else between, taken)))
        kind = "open"
        if least and taken:
            low, high, at = (float(text.replace(",", "")) for text in (least, most, taken))
            kind = "good" if low <= at <= high else "bad"
        found[f"{bound[-1]} instructions"][quantity][bound] = words, kind
    grids = []
    for above, rows in found.items():
        heads = list(rows["minimal"])
        grids.append(
            (above, heads, [(name, [row.get(head, ("", "open")) for head in heads]) for name, row in rows.items()])
        )
    return drawn("What synth job plan predicts (interval); what was found. Orange lies outside the interval", *grids)


PICTURES = {f"{made.__name__}.svg": made for made in (mutex, tests, signatures, lattice, promises, hangs, rules, plans)}

if __name__ == "__main__":
    for name, made in PICTURES.items():
        (FOLDER / name).write_text(made(), "utf-8")
