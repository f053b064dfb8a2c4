"""`synth corpus merge`: make one corpus from several."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.streams import print_data
from synth.cli.shared.vocabulary import completer
from synth_corpus.views.written import merged_lines

EXAMPLE = "Example: synth corpus merge 2x3.corpus 3x4.corpus --out both.corpus"


def merge_command(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS...",
            help="The corpora, which may differ only in their bounds.",
            autocompletion=completer("corpora"),
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the corpus with all their tests.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a corpus that is in the folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the manifest, which is JSON, as the summary.")] = False,
) -> None:
    """Make one corpus from several corpora of different bounds.

    The result is the corpus that synth enumerate finds for all their bounds. Their questions may differ only in the
    bounds, and they must not contradict each other. The result is complete if each bound is a bound of a complete
    corpus.
    """
    from synth_corpus.merge import merge, sources_of
    from synth_corpus.store import Corpus
    from synth_storage.provenance import provenance

    start = time.monotonic()
    corpora = [Corpus(folder) for folder in folders]
    sources = sources_of(corpora)
    manifest = merge(corpora, out, lambda: provenance(time.monotonic() - start, merged=sources), force=force)
    if as_json:
        print_data(manifest.to_json())
    else:
        print_lines(merged_lines(manifest, out))
