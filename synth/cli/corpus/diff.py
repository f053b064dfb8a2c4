"""`synth corpus diff`: show what differs between two corpora, and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth_corpus.differences import RecordDifference

EXAMPLE = "Example: synth corpus diff 2x3.corpus 2x3-without-effective-stores.corpus"


def diff_command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The old corpus.", autocompletion=completer("corpora"))],
    new: Annotated[
        Path,
        typer.Argument(metavar="NEW", help="The corpus to compare OLD with.", autocompletion=completer("corpora")),
    ],
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with status 1 if tests differ.")] = False,
    limit: Annotated[int, typer.Option(min=0, help="Show at most N of the tests that differ.", metavar="N")] = 10,
    show_all: Annotated[bool, typer.Option("--all", help="Show all tests that differ.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each test that differs, and one for the counts.")
    ] = False,
) -> int:
    """Compare two corpora test by test: tests removed, added, or with other verdicts or metadata, and the reasons."""
    from synth_corpus.diff import diff_of, explained_differences
    from synth_corpus.diff_answer import DiffAnswer
    from synth_corpus.store import Corpus
    from synth_corpus.views.diff import difference_lines, more_lines, summary_lines

    corpora = Corpus(old), Corpus(new)
    first: list[RecordDifference] = []

    def tell(difference: RecordDifference) -> None:
        if as_json:
            print_json(difference)
        elif len(first) < limit:
            first.append(difference)

    answer = diff_of(*corpora, tell)
    if as_json:
        print_json(DiffAnswer(answer))
    else:
        print_lines(summary_lines(answer))
        print_lines(difference_lines(explained_differences(*corpora) if show_all else first))
        if not show_all:
            print_lines(more_lines(answer, len(first)))
    return int(exit_code and answer.counts.differences > 0)
