"""`synth corpus sample`: choose some tests of a corpus at random, a share of each signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.corpus.texts import print_texts
from synth.cli.shared.output_files import AsJsonLines, chosen_format, format_option
from synth.cli.shared.streams import has_reader, say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth corpus sample 3x4.corpus -n 20 --seed 1"
_FORMATS = ("jsonl", "text", "ids")


def sample_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    size: Annotated[int, typer.Option("-n", "--size", min=0, help="How many tests to choose.", metavar="N")],
    seed: Annotated[
        int, typer.Option(help="The seed of the random numbers; the same seed gives the same tests.", metavar="N")
    ] = 0,
    form: Annotated[str | None, format_option(_FORMATS, default="jsonl")] = None,
    as_json: AsJsonLines = False,
) -> None:
    """Choose tests at random, in proportion to the tests of each signature.

    If N is large enough, the sample has at least one test of each signature.
    """
    from synth_corpus.formats import FORMATS, Export
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.record_batches import id_of
    from synth_corpus.sample import sample
    from synth_corpus.store import Corpus
    from synth_corpus.views.nothing_found import sample_lines

    chosen = chosen_format(form, _FORMATS, as_json=as_json)
    corpus = Corpus(folder)
    drawn = sample(corpus, size, seed)
    if chosen == "ids":
        for line in drawn:
            typer.echo(id_of(line))
            if not has_reader():
                break
    else:
        print_texts(FORMATS[chosen], Export(lambda: drawn, corpus.manifest.verdicts, place_of=corpus.place_of))
    warn(sample_lines(corpus, size))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))
