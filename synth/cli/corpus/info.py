"""`synth corpus info`: print what the manifest of a corpus says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.streams import print_data
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth corpus info 3x4.corpus"


def info_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest, which is JSON.")] = False,
) -> None:
    """Print what the manifest of a corpus says: the question, the counts, the models, and how it was made.

    This command reads only the manifest and not the records; synth corpus validate checks the records.
    """
    from synth_corpus.store import Corpus
    from synth_corpus.views.info import lines

    corpus = Corpus(folder)
    if as_json:
        print_data(corpus.manifest.to_json())
    else:
        print_lines(lines(corpus))
