"""`synth corpus export`: the tests of a corpus on standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: synth corpus export 3x4.corpus --format text"


def export_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus.")],
    form: Annotated[str, typer.Option("--format", help="jsonl (records) or text (programs).")] = "jsonl",
) -> None:
    """Write the tests of a corpus to standard output."""
    from synth.cli.streams import is_heard, shown
    from synth_corpus.formats import FORMATS, check_format
    from synth_corpus.store import Corpus

    check_format(form)
    corpus = Corpus(folder)
    for text in FORMATS[form](corpus.lines()):
        typer.echo(text, nl=False)
        if not is_heard():
            break
    if not corpus.manifest.complete:
        typer.echo(f"synth: {shown(str(folder))} is incomplete: its run was stopped", err=True)
