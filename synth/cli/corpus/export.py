"""`synth corpus export`: write the tests of a corpus in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.corpus.texts import print_texts
from synth.cli.shared.output_files import check_force
from synth.cli.shared.streams import say_if_incomplete, warn
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth corpus export 3x4.corpus --format csv --out 3x4.csv"


def export_command(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="CORPUS",
            help="A corpus. Some ship with synth, such as @complete/3x4.",
            autocompletion=completer("corpora"),
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="One of the formats below; docs/look-up/formats.md explains them.",
            autocompletion=completer("formats"),
        ),
    ] = "jsonl",
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The file or folder to write.  [default: standard output]")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="VERDICT",
            help="The verdict for the formats herd, junit and mustpass: {verdicts}, or another verdict of the corpus. "
            "A model means both of its verdicts.",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="T", help="The table of results for the formats results, herd and junit.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export at that path.")] = False,
) -> None:
    """Write the tests of a corpus in some format.

    The output goes to standard output, or to a file or folder that is complete or not there.
    """
    from synth_checker.models import verdicts_meant
    from synth_corpus.empty_selection import has_passing_test, why_nothing_passes
    from synth_corpus.exports import put_export
    from synth_corpus.formats import export_of, format_named
    from synth_corpus.manifest import incomplete_because
    from synth_corpus.store import Corpus
    from synth_corpus.views.nothing_found import passes_lines

    check_force(out, force=force, what="file or folder")
    chosen = format_named(form)
    corpus = Corpus(Path(folder))
    export = export_of(corpus, model=model, table=table)
    if out is not None:
        put_export(chosen, export, out, force=force)
    else:
        print_texts(chosen, export)
    if chosen.of_passing and model is not None:
        *_, fairest = verdicts_meant(model, corpus.manifest.verdicts)  # the strong form, which each weak pass passes
        if not has_passing_test(corpus, fairest):
            warn(passes_lines(why_nothing_passes(corpus, fairest)))
    say_if_incomplete(folder, incomplete_because(corpus.manifest))
