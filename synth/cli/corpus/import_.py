"""`synth corpus import`: programs of others made a corpus."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synth.cli.options import words
from synth.cli.vocabulary import completed
from synth.views.words import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth.exchange.import_report import Report

EXAMPLE = "Example: synth corpus import 3x4.csv --format csv --out again.corpus"


def import_command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files, or folders with a file a test.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="One of those below; see docs/formats.md.",
            autocompletion=completed("formats read"),
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
            autocompletion=completed("rules"),
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
    from synth.exchange.importing import aside_of, import_tests
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
        typer.echo(json.dumps(_fields(report), indent=2))
    else:
        for line in _lines(report, str(out), str(aside_of(out))):
            typer.echo(shown(line))
    return int(bool(report.aside))


def _lines(report: Report, out: str, aside: str) -> Iterator[str]:
    tests = 0 if report.manifest is None else report.manifest.tests
    yield f"{_count(report.read, 'program')} read, {_count(tests, 'test')} in {out}"
    for rule, names in report.breaking.items():
        yield f"without {rule}, which {_count(len(names), 'test')} break{'s' * (len(names) == 1)}: {', '.join(names)}"
    for one in report.duplicates:
        yield f"{one.source}: {one.name} is a duplicate of {one.of}: both are {one.id}"
    agree = report.verdicts - len(report.differing)
    if report.verdicts:
        yield f"{_count(report.verdicts, 'verdict')} given, of which {agree} as decided here"
    for differing in report.differing:
        yield f"{differing.source}: {differing.name} was given {differing.verdict} as {differing.given}"
    for left in report.aside:
        yield f"{left.given.source}: {left.name} is set aside: {left.why}"
    if report.aside:
        yield f"{_count(len(report.aside), 'program')} set aside in {aside}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _fields(report: Report) -> dict[str, Any]:
    return {
        "read": report.read,
        "tests": 0 if report.manifest is None else report.manifest.tests,
        "breaking": report.breaking,
        "duplicates": [asdict(one) for one in report.duplicates],
        "verdicts": report.verdicts,
        "differing": [asdict(one) for one in report.differing],
        "aside": [{"name": one.name, "source": one.given.source, "why": one.why} for one in report.aside],
    }
