"""`synth corpus export`: the tests of a corpus in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLE = "Example: synth corpus export 3x4.corpus --format csv --out 3x4.csv"
#: The names of formats, which their package knows; it is imported only when a command runs. A test compares.
FORMATS = (
    "jsonl, text, tuples, artifact, published, csv, results, results-tests, herd, junit, mustpass, parquet, tree, "
    "tree-artifact"
)


def export_command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A corpus, or one that ships, such as @complete/3x4.")],
    form: Annotated[str, typer.Option("--format", metavar="F", help=f"{FORMATS}; see docs/formats.md.")] = "jsonl",
    out: Annotated[Path | None, typer.Option(metavar="PATH", help="The file or folder to write.")] = None,
    model: Annotated[
        str | None, typer.Option(metavar="V", help="The verdict that herd, junit or mustpass speaks of, as OBE.weak.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="T", help="The result table that results, herd or junit speaks of.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export.")] = False,
) -> None:
    """Write the tests of a corpus in some format.

    To standard output, or to a file or folder, which is then whole or not there.
    """
    from synth.cli.streams import is_heard, shown
    from synth.exporting import export_of, put, texts
    from synth_checker.errors import InputError
    from synth_corpus.formats import format_named
    from synth_corpus.store import Corpus

    if force and out is None:
        msg = "--force: found it without --out, expected both"
        raise InputError(msg)
    chosen = format_named(form)
    corpus = Corpus(Path(folder))
    made = export_of(corpus, model=model, table=table)
    if out is not None:
        put(chosen, made, out, force=force)
    else:
        for text in texts(chosen, made):
            typer.echo(text, nl=False)
            if not is_heard():
                break
    if not corpus.manifest.complete:
        typer.echo(f"synth: {shown(folder)} is incomplete: {_why(corpus.manifest.run)}", err=True)


def _why(run: dict[str, object]) -> str:
    return "its tests were imported" if "imported" in run else "its run was stopped"
