"""`synth corpus validate`: check whether a corpus is what it says it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth_corpus.verification import CorpusFault

EXAMPLE = "Example: synth corpus validate 3x4.corpus"


def validate_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    limit: Annotated[int, typer.Option(min=1, help="Print at most N faults.", metavar="N")] = 1000,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print a JSON object for each fault, and one for the entries that are not checked."
        ),
    ] = False,
) -> int:
    """Check that a corpus is what it claims to be.

    The command checks its checksum, counts, order, ids, normal forms and rules, and decides all verdicts again.

    Prints each fault with its file and line. Then lists the entries of the manifest that the records of the corpus can
    neither confirm nor refute. Exits with status 1 if there is a fault, and with status 2 if there is no corpus.
    """
    from synth_corpus.store import Corpus
    from synth_corpus.verify_answer import verify
    from synth_corpus.views.verification import fault_lines, lines

    def tell(fault: CorpusFault) -> None:
        if as_json:
            print_json(fault, compact=False)
        else:
            print_lines(fault_lines(fault))

    answer = verify(Corpus(folder), limit, tell)
    if as_json:
        print_json(answer, compact=False)
    else:
        print_lines(lines(answer))
    return int(answer.faults > 0)
