"""`synth suite`: choose the fewest tests that tell a verdict from others that are nearly the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import check_force
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import OWN_VERDICT, words
from synth.cli.shared.streams import print_data
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_search.suites.answer import Suite

EXAMPLE = "Example: synth suite --model OBE.weak"


def suite_command(
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"The verdict that all tests of the suite pass: {{verdicts}}. {OWN_VERDICT}  "
            "[default: a suite for each verdict of the six models]",
            metavar="VERDICT",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    size: Annotated[int | None, typer.Option(min=1, help="Choose at most K tests.", metavar="K")] = None,
    redundancy: Annotated[
        int,
        typer.Option(
            min=1, help="Choose K different tests for each goal, or all that reach it if they are fewer.", metavar="K"
        ),
    ] = 1,
    cover: Annotated[
        list[str] | None,
        typer.Option(
            help="The kinds of goals that the tests must reach together: {goals}. The first three are to fail verdicts "
            "that are less fair, verdicts that are neither more nor less fair, and mutants of the model. The "
            "others are to contain the idioms and to have the signatures that pass the verdict.  "
            "[default: the first three]",
            metavar="KIND",
            autocompletion=completer("goals"),
        ),
    ] = None,
    corpora: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            help="The corpus to choose from.  [default: the corpora that ship with synth]",
            metavar="CORPUS",
            autocompletion=completer("corpora"),
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object for each suite, on a line of its own.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the tests as records to this file, or to standard output for '-'. Several suites need a "
            "folder.",
            metavar="FILE",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file or folder if it exists.")] = False,
) -> None:
    """Choose a smallest conformance suite for a verdict, and say why each test is in it.

    Each test of the suite passes the verdict. For every verdict that is strictly less fair than this one, some test
    fails that verdict. The same holds for every verdict that is neither more nor less fair than this one, and
    for every mutant of the model that guarantees something less. Each of several verdicts has a suite of its own.
    """
    from synth_corpus.shipped import NAMES
    from synth_litmus.inputs.models import given_verdicts, split_words
    from synth_litmus.inputs.named_tests import ids_in, names_of
    from synth_search.suites.answer import DEFAULT, KINDS
    from synth_search.suites.choice import smallest_suites
    from synth_search.views.suite import lines, no_suite_lines

    goals = words(cover)
    for word in goals:
        check_known("cover", word, KINDS)
    kinds = tuple(kind for kind in KINDS if kind in goals) or DEFAULT
    sources = words(corpora) or NAMES
    meant = split_words(model or [])
    _, verdicts = given_verdicts(meant)
    _check_place(out, len(verdicts), force=force)
    with progress_bar(verdicts[0] if len(verdicts) == 1 else "suites") as progress:
        ids = (id_ for name in sources for id_ in ids_in(name))
        suites_by_verdict = smallest_suites(meant, ids, kinds, size, redundancy=redundancy, progress=progress)
    suites = {verdict: suite for verdict, suite in suites_by_verdict.items() if suite is not None}
    names = names_of(sorted({test.id for suite in suites.values() for test in suite.tests}), *sources)
    suites = {verdict: suite.named(names) for verdict, suite in suites.items()}
    if out is not None:
        _write(list(suites.values()), out, is_one=len(verdicts) == 1, force=force)
    to_stderr = out is not None and str(out) == "-"
    for number, verdict in enumerate(suites_by_verdict):
        if number and not as_json:
            typer.echo(err=to_stderr)
        if verdict not in suites:
            print_lines(no_suite_lines(verdict), to_stderr=as_json or to_stderr)
            continue
        if as_json:
            print_json(suites[verdict], to_stderr=to_stderr)
        else:
            print_lines(lines(suites[verdict], size), to_stderr=to_stderr)


def _check_place(out: Path | None, verdicts: int, *, force: bool) -> None:
    from synth_search.suites.records import check_suites_place

    check_force(out, force=force, what="file or folder")
    if out is None or verdicts == 1:
        return
    if str(out) == "-":
        raise InputError(
            f"--out - takes one suite, not those of {verdicts or 'all'} verdicts; use a folder, or one verdict"
        )
    check_suites_place(out, force=force)


def _write(suites: Sequence[Suite], out: Path, *, is_one: bool, force: bool) -> None:
    """Write one suite to a file or to standard output, and several suites to a folder."""
    from synth_search.suites.records import suite_records, write_suite, write_suites

    if str(out) == "-":
        print_data(suite_records(suites[0]).decode())
    elif is_one:
        write_suite(suites[0], out, force=force)
    else:
        write_suites(suites, out, force=force)
