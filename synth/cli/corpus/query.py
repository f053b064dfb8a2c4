"""`synth corpus query`: questions to a corpus in SQL."""

from __future__ import annotations

import json
import sys
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.corpus.nothing import say_no_rows
from synth.cli.options import check_word
from synth.cli.printing import plain_console, print_table
from synth.cli.streams import is_heard, say_if_incomplete
from synth.cli.vocabulary import completed, one_of
from synth.views.words import shown
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from synth_corpus.query import Answer

EXAMPLE = "Example: synth corpus query @complete/3x4 'SELECT signature, count(*) FROM tests GROUP BY ALL ORDER BY 2'"
_FORMATS = ("table", "csv", "jsonl")


def query_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus.", autocompletion=completed("corpora"))],
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A query over the view tests.")],
    form: Annotated[
        str, typer.Option("--format", help="table, csv or jsonl.", metavar="FORMAT", autocompletion=one_of(*_FORMATS))
    ] = "table",
) -> None:
    """Ask a corpus in SQL.

    The view tests has a row a test; SELECT * FROM tests LIMIT 1 shows its columns.

    It needs DuckDB, of the extra `corpus`.
    """
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.query import asked
    from synth_corpus.store import Corpus

    check_word("format", form, _FORMATS)
    corpus = Corpus(folder)
    with asked(corpus, sql) as answer:
        first = list(islice(answer.rows, 1))
        if not first:
            say_no_rows(corpus)
        rows = chain(first, answer.rows)
        {"table": _print_table, "csv": _print_csv, "jsonl": _print_json}[form](answer._replace(rows=rows))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))


def _print_table(answer: Answer) -> None:
    from synth.views.tables import plain_table

    table = plain_table(*map(shown, answer.columns))
    for row in answer.rows:
        table.add_row(*("NULL" if cell is None else shown(_text(cell)) for cell in row))
    print_table(plain_console(), table)


def _print_csv(answer: Answer) -> None:
    import csv

    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(answer.columns)
    table.writerows([None if cell is None else _text(cell) for cell in row] for row in answer.rows)


def _text(value: object) -> str:
    """A value as a cell, as databases and not as Python write it: `true`, and lists and structures as JSON."""
    return json.dumps(value, default=str) if isinstance(value, bool | list | dict) else str(value)


def _print_json(answer: Answer) -> None:
    twice = [name for k, name in enumerate(answer.columns) if name in answer.columns[:k]]
    if twice:
        msg = f"query: found two columns named {twice[0]!r}, expected a name for each (SELECT ... AS NAME)"
        raise InputError(msg)
    for row in answer.rows:
        typer.echo(json.dumps(dict(zip(answer.columns, row, strict=True)), default=str))
        if not is_heard():
            break
