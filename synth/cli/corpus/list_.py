"""`synth corpus list`: list the tests of a corpus that meet some conditions."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.corpus.texts import print_texts
from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.output_files import AsJsonLines, chosen_format, format_option
from synth.cli.shared.streams import say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_corpus.parts import RecordParts

EXAMPLE = "Example: synth corpus list 3x4.corpus --pass HSA.weak --fail OBE.strong"
#: The most rows of a table, unless --limit says otherwise.
_ROWS = 50
_FORMATS = ("table", "jsonl", "csv")
_VERDICTS = completer("models", "verdicts")


def list_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    passes: Annotated[
        list[str] | None,
        typer.Option(
            "--pass",
            metavar="VERDICT",
            help="List only tests that pass this verdict: {verdicts}, or another verdict of the corpus. A model means "
            "both of its verdicts.",
            autocompletion=_VERDICTS,
        ),
    ] = None,
    fails: Annotated[
        list[str] | None,
        typer.Option(
            "--fail",
            metavar="VERDICT",
            help="List only tests that fail this verdict, which is written as for --pass.",
            autocompletion=_VERDICTS,
        ),
    ] = None,
    signature: Annotated[
        str | None,
        typer.Option(
            help="List only tests with this signature: a letter for each verdict, p (pass), f (fail), or . (either).",
            metavar="LETTERS",
        ),
    ] = None,
    bounds: Annotated[
        list[str] | None,
        typer.Option(help="List only tests of these sizes: TxN, several with commas, or AxB..CxD.", metavar="BOUNDS"),
    ] = None,
    prefix: Annotated[
        str, typer.Option("--id", metavar="PREFIX", help="List only tests whose id begins with PREFIX.")
    ] = "",
    alias: Annotated[
        str | None,
        typer.Option(
            help="List only the test with this alias, which is its name in the suite that it was imported from.",
            metavar="NAME",
        ),
    ] = None,
    idiom: Annotated[
        str | None,
        typer.Option(
            help="List only the test that is this idiom: {idioms}.", metavar="IDIOM", autocompletion=completer("idioms")
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="VERDICT", help="Show only this verdict in the table.", autocompletion=_VERDICTS),
    ] = None,
    form: Annotated[str | None, format_option(_FORMATS, default="table")] = None,
    as_json: AsJsonLines = False,
    limit: Annotated[
        int | None,
        typer.Option(min=0, help=f"List at most N tests.  [default: {_ROWS} in a table, otherwise all]", metavar="N"),
    ] = None,
) -> None:
    """List the tests of a corpus that meet all given conditions.

    A model stands for both of its verdicts, and OBE.weak for one of them. An option takes several words with commas
    between them.
    """
    from synth_checker.models import models_named
    from synth_checker.question import parse_bounds
    from synth_corpus.empty_selection import why_nothing_selected
    from synth_corpus.formats import FORMATS, Export
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.selection import Selection
    from synth_corpus.store import Corpus
    from synth_corpus.views.nothing_found import selected_lines
    from synth_litmus.inputs.verdicts import requested_verdicts

    chosen = chosen_format(form, _FORMATS, as_json=as_json)
    corpus = Corpus(folder)
    models = models_named(corpus.manifest.question.models)

    def verdicts(words: list[str] | None, option: str) -> frozenset[str]:
        return frozenset(requested_verdicts(words, models, option) if words else ())

    sizes = frozenset(parse_bounds(bounds or ()))
    selection = Selection(verdicts(passes, "pass"), verdicts(fails, "fail"), signature, sizes, prefix, alias, idiom)
    shown_only = verdicts(model, "model")
    columns = [name for name in corpus.manifest.verdicts if not model or name in shown_only]
    records = selection.of(corpus)
    first = next(records, None)
    if first is None:
        warn(selected_lines(why_nothing_selected(corpus, selection)))
    else:
        records = chain([first], records)
    if chosen == "table":
        _print_table(records, columns, _ROWS if limit is None else limit)
    else:
        lines = (line for line, _ in islice(records, limit))
        print_texts(FORMATS[chosen], Export(lambda: lines, tuple(columns), place_of=corpus.place_of))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))


def _print_table(records: Iterator[tuple[bytes, RecordParts]], verdicts: Sequence[str], limit: int) -> None:
    from synth_corpus.listed_tests import list_tests
    from synth_corpus.views.list_ import count_lines, table_lines

    rows = list_tests([fields for _, fields in islice(records, limit)])
    print_lines(table_lines(rows, verdicts))
    print_lines(count_lines(len(rows), sum(1 for _ in records)))
