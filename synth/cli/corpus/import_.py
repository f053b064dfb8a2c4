"""`synth corpus import`: make a corpus from programs of other projects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import OWN_MODEL, words
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth corpus import 3x4.csv --format csv --out again.corpus"


def import_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files, or folders that have a file for each test.")
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="One of the formats below; docs/look-up/formats.md explains them.",
            autocompletion=completer("formats read"),
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder for the corpus.")],
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help=f"Judge also under this model, beside the six and those that the files define. {OWN_MODEL}",
            autocompletion=completer("models"),
        ),
    ] = None,
    alias_prefix: Annotated[
        str | None, typer.Option(metavar="SUITE", help="Give tests that have no name the names SUITE/0, SUITE/1, ...")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Import also programs that break this rule: {rules}.  "
            "[default: each of these rules that some program breaks]",
            autocompletion=completer("rules"),
        ),
    ] = None,
    results: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A table with results of a device for these tests.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as a JSON object.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a corpus that is in the folder.")] = False,
) -> int:
    """Make a corpus from programs in some format.

    All programs are judged again. The report says which programs break rules, which are equal, and which have other
    verdicts than their file says. A file that gives verdicts of a model which synth does not know is refused without
    --model.

    A program that breaks rules in force or is too large does not go into the corpus but into a file beside it. Exits
    with status 1 if there is such a program.
    """
    from synth_corpus.formats import format_named
    from synth_corpus.imports import aside_path, import_tests
    from synth_corpus.views.import_report import lines
    from synth_litmus.inputs.models import given_verdicts, split_words

    report = import_tests(
        files,
        format_named(form, to_read=True),
        out,
        models=given_verdicts(split_words(model or []))[0],
        alias_prefix=alias_prefix,
        without=words(without) if without else None,
        results=results or (),
        force=force,
    )
    if as_json:
        print_json(report, compact=False, indent=2)
    else:
        print_lines(lines(report, str(out), str(aside_path(out))))
    return int(bool(report.aside))
