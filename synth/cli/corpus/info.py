"""`synth corpus info`: what a corpus says of itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from synth.cli.printing import plain_console, print_table
from synth.cli.vocabulary import completed
from synth.views.words import kept_of, shown, tests

EXAMPLE = "Example: synth corpus info 3x4.corpus"


def info_command(
    folder: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus.", autocompletion=completed("corpora"))],
    as_json: Annotated[bool, typer.Option("--json", help="The manifest as it is.")] = False,
) -> None:
    """Print what a corpus says of itself: the question, the counts, the models, and how it was made.

    Its records are not read; synth corpus verify does that.
    """
    from synth.views.tables import signature_table, split_table
    from synth_corpus.kept import kept_by
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.store import RECORDS, Corpus

    corpus = Corpus(folder)
    manifest = corpus.manifest
    if as_json:
        typer.echo(manifest.to_json(), nl=False)
        return
    console = plain_console()
    because = incomplete_because(manifest)
    state = f"INCOMPLETE: {because}" if because else "complete"
    console.print(f"{shown(str(folder))}: {tests(manifest.tests)} of {manifest.question.name}, {state}", style="bold")
    question = manifest.question
    for about, words in (
        ("locations", f"at most {question.locations}"),
        ("values", f"at most {question.values}"),
        ("rules", ", ".join(manifest.rules)),
        ("tests kept", kept_by(question)),
        ("tests up to", ", ".join(question.up_to) or "nothing: each is one of its own"),
        *([("kept", kept_of(manifest.tests, manifest.found))] if manifest.found else []),
        *((f"model {name}", text) for name, text in manifest.models.items()),
        *((key.replace("_", " "), _text(value)) for key, value in manifest.run.items() if value is not None),
        ("records", f"{_size(corpus.folder / RECORDS)}, SHA-256 of them {manifest.sha256}"),
    ):
        console.print(f"{shown(about)}: {shown(words)}")
    print_table(console, split_table(question, manifest.splits))
    if manifest.signatures:
        print_table(console, signature_table(manifest.verdicts, manifest.signatures))


def _text(value: object) -> str:
    """A value under the key `run`; of what is more than one line, --json tells all."""
    if isinstance(value, list | dict):
        return f"{len(value)} (see --json)"
    return value if isinstance(value, str) else json.dumps(value)


def _size(path: Path) -> str:
    try:
        return f"{path.stat().st_size:,} bytes"
    except OSError as error:
        return f"{error.strerror}"
