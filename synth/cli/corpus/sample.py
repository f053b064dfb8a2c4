"""`synth corpus sample`: some tests of a corpus, of every signature its share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.options import check_word

EXAMPLE = "Example: synth corpus sample 3x4.corpus -n 20 --seed 1"


def sample_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A corpus.")],
    size: Annotated[int, typer.Option("-n", "--size", min=0, help="How many tests.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same tests.")] = 0,
    form: Annotated[str, typer.Option("--format", help="jsonl (records), text (programs) or ids.")] = "jsonl",
) -> None:
    """Draw tests at random, of every signature in proportion, and at least one of each as far as they go."""
    from synth.cli.streams import is_heard
    from synth_checker.normal import program_of_id
    from synth_checker.text import write_program
    from synth_corpus.reading import id_of
    from synth_corpus.sampling import sample
    from synth_corpus.store import Corpus

    check_word("format", form, ("jsonl", "text", "ids"))
    for number, line in enumerate(sample(Corpus(folder), size, seed)):
        id_ = id_of(line).decode()
        if form == "text":
            typer.echo(("\n" if number else "") + write_program(program_of_id(id_), id_), nl=False)
        else:
            typer.echo(line if form == "jsonl" else id_)
        if not is_heard():
            break
