"""`synth corpus import`: programs of others made a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.options import words
from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer

EXAMPLE = "Example: synth corpus import 3x4.csv --format csv --out again.corpus"


def import_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, or folders with a file a test.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="One of those below; see docs/formats.md.",
            autocompletion=completer("formats read"),
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The corpus to write.")],
    alias_prefix: Annotated[
        str | None, typer.Option(metavar="SUITE", help="Name tests without a name SUITE/0, SUITE/1, ...")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Drop a rule: {rules}.  [default: those that programs break, if they can be]",
            autocompletion=completer("rules"),
        ),
    ] = None,
    results: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="The result table of a device, for these tests.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The report as a JSON object.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a corpus that is there.")] = False,
) -> int:
    """Make a corpus of programs in some format.

    They are judged anew; the report says which break rules, which are equal, and whose verdicts differ.

    Leaves with 1 if some had to be set aside, beside the corpus, as they break rules in force or are too large.
    """
    from synth.exchange.import_report import report_fields
    from synth.exchange.importing import aside_of, import_tests
    from synth.views.import_report import lines
    from synth_corpus.formats import format_named

    report = import_tests(
        files,
        format_named(form, to_read=True),
        out,
        alias_prefix=alias_prefix,
        without=words(without) if without else None,
        results=results or (),
        force=force,
    )
    if as_json:
        print_json(report_fields(report), compact=False, indent=2)
    else:
        print_lines(lines(report, str(out), str(aside_of(out))))
    return int(bool(report.aside))
