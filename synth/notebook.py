"""What notebooks show of programs, checks, explanations, kernels, transition systems, corpora, lattices and campaigns.

The parts are those of documents, so every text is escaped. Sentences and tables are those that the commands print.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from itertools import islice
from typing import TYPE_CHECKING

from synth_analysis.answers.analysis import Analysis
from synth_analysis.views.report import claims_table
from synth_analysis.views.words import in_short
from synth_checker.errors import LimitError
from synth_checker.names import name_of
from synth_checker.programs.program import Program
from synth_checker.programs.text import write_program
from synth_corpus.store import Corpus
from synth_corpus.views import info
from synth_documents.columns import guarantee_columns, guarantees, verdict_table
from synth_documents.document import Items, Listing, Picture, Section
from synth_documents.graphs import graph as drawing
from synth_documents.html import html_of_blocks
from synth_documents.lines import Heading
from synth_documents.phrases import shortened
from synth_documents.table import Table
from synth_kernels.verification import Verified
from synth_kernels.verification.answer import answer_of
from synth_kernels.views.document import kernel_blocks
from synth_litmus.explanation import Explanation
from synth_litmus.facts.check import Check
from synth_litmus.lts import Lts
from synth_litmus.lts.picture import graph_of as graph_of_lts
from synth_search.enumeration.runs import Enumeration
from synth_search.lattice import Lattice
from synth_search.lattice.picture import graph_of as graph_of_lattice
from synth_search.views import enumeration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import rich.table

    from synth_checker.programs.program import State
    from synth_corpus.record import Record
    from synth_documents.document import Block
    from synth_documents.graphs.graph import GraphDrawing
    from synth_documents.lines import Line

#: The most tests of a corpus that are shown, and the most letters of a title.
_MOST_TESTS, _MOST_LETTERS = 10, 80
_LEVEL = 4


def html_of(answer: object) -> str | None:
    """Return an object as a part of an HTML page, or None if there is nothing to show but its `repr`."""
    blocks = tuple(_blocks(answer))
    return html_of_blocks(blocks) if blocks else None


def svg_of(answer: object) -> str | None:
    """Return a drawing of an object as SVG, or None if there is none."""
    picture = _picture(_graph(answer))
    return None if picture is None else picture.svg


def _picture(graph: GraphDrawing | None) -> Picture | None:
    try:
        return None if graph is None else Picture("drawing", graph.title, drawing.svg_of(graph))
    except LimitError:  # nobody could look at so many boxes
        return None


@singledispatch
def _graph(_: object) -> GraphDrawing | None:
    return None


@_graph.register(Explanation)
def _(answer: Explanation) -> GraphDrawing:
    return answer.graph()


@_graph.register(Lattice)
def _(answer: Lattice) -> GraphDrawing:
    return graph_of_lattice(answer)


@_graph.register(Lts)
def _(answer: Lts[State]) -> GraphDrawing:
    return graph_of_lts(answer)


@singledispatch
def _blocks(answer: object) -> Iterator[Block]:
    """Yield the drawing of an object, if it has one."""
    picture = _picture(_graph(answer))
    if picture is not None:
        yield picture


@_blocks.register(Program)
def _(answer: Program) -> Iterator[Block]:
    if answer.threads:
        yield Listing(write_program(answer))


@_blocks.register(Check)
def _(answer: Check) -> Iterator[Block]:
    yield Section(shortened(answer.id, _MOST_LETTERS), _LEVEL)
    if answer.judged.threads:
        yield Listing(write_program(answer.judged))
    yield "A test." if answer.is_test else f"Not a test: it breaks {', '.join(answer.breaks)}."
    yield _plain(verdict_table(answer.verdicts))
    yield from answer.differences()


@_blocks.register(Explanation)
def _(answer: Explanation) -> Iterator[Block]:
    yield Listing(write_program(answer.check.judged))
    graph = answer.graph()
    yield Items((f"{answer.verdict}: {answer.result}; {answer.model.text}", *graph.notes))
    yield from filter(None, [_picture(replace(graph, notes=()))])


@_blocks.register(Corpus)
def _(answer: Corpus) -> Iterator[Block]:
    yield from _of_lines(info.lines(answer))
    yield _first(answer, answer.manifest.verdicts, len(answer))


@_blocks.register(Enumeration)
def _(answer: Enumeration) -> Iterator[Block]:
    yield from _of_lines(enumeration.lines(answer))
    yield _first(answer, answer.verdicts, len(answer))


@_blocks.register(Analysis)
def _(answer: Analysis) -> Iterator[Block]:
    for device in answer.devices:
        yield Section(shortened(device.results.name, _MOST_LETTERS), _LEVEL)
        yield from in_short(device)
        yield claims_table(device)


@_blocks.register(Verified)
def _(answer: Verified) -> Iterator[Block]:
    yield from kernel_blocks(answer_of(answer), _LEVEL)


def _of_lines(lines: Iterable[Line]) -> Iterator[Block]:
    """Yield the parts of a text view: headings, tables, and the lines between them as items."""
    items: list[str] = []
    for line in (*lines, None):
        if isinstance(line, str) and not isinstance(line, Heading):
            items.append(line)
            continue
        if items:
            yield Items(tuple(items))
            items = []
        if isinstance(line, Heading):
            yield Section(shortened(line, _MOST_LETTERS), _LEVEL)
        elif line is not None:
            yield _plain(line)


def _plain(table: rich.table.Table) -> Table:
    rows = zip(*(map(str, column.cells) for column in table.columns), strict=True)
    return Table("", tuple(str(column.header) for column in table.columns), tuple(rows))


def _first(records: Iterable[Record], verdicts: tuple[str, ...], tests: int) -> Table:
    """Return a table of the first tests, with the forms of each model that each test passes."""
    rows = tuple(
        (record.id, name_of(record.id), *map(str, guarantees(verdicts, record.verdicts)))
        for record in islice(records, _MOST_TESTS)
    )
    title = f"The first {len(rows)} of {tests:,} tests" if len(rows) < tests else "All tests"
    return Table(title, ("id", "name", *guarantee_columns(verdicts)), rows)
