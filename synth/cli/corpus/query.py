"""`synth corpus query`: ask a corpus questions in SQL."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.question_options import check_word
from synth.cli.shared.streams import say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_corpus.query import QueryAnswer
    from synth_documents.lines import Lines

EXAMPLE = "Example: synth corpus query @complete/3x4 'SELECT signature, count(*) FROM tests GROUP BY ALL ORDER BY 2'"
_FORMATS = ("table", "csv", "jsonl")


def query_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    sql: Annotated[
        str, typer.Argument(metavar="SQL", help="A query on the view tests, which has a row for each test.")
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="The format of the output: table, csv or jsonl.",
            metavar="FORMAT",
            autocompletion=one_of(*_FORMATS),
        ),
    ] = "table",
) -> None:
    """Ask a corpus a question in SQL.

    The view tests has a row for each test; SELECT * FROM tests LIMIT 1 shows its columns.

    This command needs DuckDB, which the extra `corpus` installs.
    """
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.query import ask
    from synth_corpus.store import Corpus
    from synth_corpus.views.nothing_found import rows_lines
    from synth_corpus.views.query import csv_lines, json_lines, table_lines

    check_word("format", form, _FORMATS)
    corpus = Corpus(folder)
    views: dict[str, Callable[[QueryAnswer], Lines]] = {"table": table_lines, "csv": csv_lines, "jsonl": json_lines}
    with ask(corpus, sql) as answer:
        first = list(islice(answer.rows, 1))
        if not first:
            warn(rows_lines(corpus))
        print_lines(views[form](answer._replace(rows=chain(first, answer.rows))))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))
