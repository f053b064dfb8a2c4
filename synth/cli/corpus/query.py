"""`synth corpus query`: ask a corpus questions in SQL."""

from __future__ import annotations

from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.output_files import AsJsonLines, chosen_format, format_option
from synth.cli.shared.streams import say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer

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
    form: Annotated[str | None, format_option(_FORMATS, default="table")] = None,
    as_json: AsJsonLines = False,
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

    chosen = chosen_format(form, _FORMATS, as_json=as_json)
    corpus = Corpus(folder)
    views: dict[str, Callable[[QueryAnswer], Lines]] = {"table": table_lines, "csv": csv_lines, "jsonl": json_lines}
    with ask(corpus, sql) as answer:
        first = list(islice(answer.rows, 1))
        if not first:
            warn(rows_lines(corpus))
        print_lines(views[chosen](answer._replace(rows=chain(first, answer.rows))))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))
