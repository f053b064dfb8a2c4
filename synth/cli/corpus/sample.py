"""`synth corpus sample`: choose some tests of a corpus at random, a share of each signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.corpus.texts import print_texts
from synth.cli.shared.question_options import check_word
from synth.cli.shared.streams import has_reader, say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer, one_of

EXAMPLE = "Example: synth corpus sample 3x4.corpus -n 20 --seed 1"


def sample_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="The corpus.", autocompletion=completer("corpora"))],
    size: Annotated[int, typer.Option("-n", "--size", min=0, help="How many tests to choose.", metavar="N")],
    seed: Annotated[
        int, typer.Option(help="The seed of the random numbers; the same seed gives the same tests.", metavar="N")
    ] = 0,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="The format of the output: jsonl (records), text (programs) or ids.",
            metavar="FORMAT",
            autocompletion=one_of("jsonl", "text", "ids"),
        ),
    ] = "jsonl",
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

    check_word("format", form, ("jsonl", "text", "ids"))
    corpus = Corpus(folder)
    drawn = sample(corpus, size, seed)
    if form == "ids":
        for line in drawn:
            typer.echo(id_of(line))
            if not has_reader():
                break
    else:
        print_texts(FORMATS[form], Export(lambda: drawn, corpus.manifest.verdicts, place_of=corpus.place_of))
    warn(sample_lines(corpus, size))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))
