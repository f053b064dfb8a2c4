"""`synth corpus merge`: several corpora made one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import print_lines
from synth.cli.vocabulary import completer
from synth.views.corpus_written import merged_lines

EXAMPLE = "Example: synth corpus merge 2x3.corpus 3x4.corpus --out both.corpus"


def merge_command(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS...",
            help="Corpora that differ in their bounds only.",
            autocompletion=completer("corpora"),
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The corpus of all their tests.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a corpus that is there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The summary as JSON: the manifest.")] = False,
) -> None:
    """Make one corpus of several of different bounds.

    The result is what synth enumerate finds for all their bounds. Their questions may differ in the bounds only, and
    they must not contradict each other. The result is complete if each bound is a bound of a complete corpus.
    """
    from synth_corpus.merging import merge, sources_of
    from synth_corpus.store import Corpus
    from synth_storage.provenance import provenance

    start = time.monotonic()
    corpora = [Corpus(folder) for folder in folders]
    sources = sources_of(corpora)
    manifest = merge(corpora, out, lambda: provenance(time.monotonic() - start, merged=sources), force=force)
    if as_json:
        typer.echo(manifest.to_json(), nl=False)
    else:
        print_lines(merged_lines(manifest, out))
