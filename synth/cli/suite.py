"""`synth suite`: the fewest tests that tell a verdict from what is nearly it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import check_word, words
from synth.cli.progress import progress_bar
from synth.cli.vocabulary import completed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth.suites import Goal, Suite

EXAMPLE = "Example: synth suite --model OBE.weak"


def suite_command(
    model: Annotated[
        str,
        typer.Option(
            help="The verdict that all tests pass: {verdicts}; NAME.weak = EXPRESSION, or FILE:NAME.weak.",
            metavar="VERDICT",
            autocompletion=completed("verdicts"),
        ),
    ],
    size: Annotated[int | None, typer.Option(min=1, help="At most so many tests.", metavar="K")] = None,
    cover: Annotated[
        list[str] | None,
        typer.Option(
            help="What to cover: {goals}.  [default: the first three]",
            metavar="KIND",
            autocompletion=completed("goals"),
        ),
    ] = None,
    corpora: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            help="Choose from this corpus.  [default: the corpora that ship]",
            metavar="CORPUS",
            autocompletion=completed("corpora"),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the tests as records into this file; '-' streams them.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Choose a smallest conformance suite for a verdict, and say why each test is in it.

    Each test passes the verdict. Together they fail every verdict that is strictly less fair, every one that is neither
    more nor less fair, and every mutant of the model that guarantees something less.
    """
    from synth.finding import ids_in, names_of
    from synth.suite_records import suite_records, write_suite
    from synth.suites import DEFAULT, KINDS, smallest_suite
    from synth_corpus.shipped import NAMES

    if force and out is None:
        from synth_checker.errors import InputError

        msg = "--force: found it without --out, expected both or none"
        raise InputError(msg)
    asked = words(cover)
    for word in asked:
        check_word("cover", word, KINDS)
    kinds = tuple(kind for kind in KINDS if kind in asked) or DEFAULT
    sources = words(corpora) or NAMES
    with progress_bar(model) as progress:
        ids = (id_ for name in sources for id_ in ids_in(name))
        suite = smallest_suite(model, ids, kinds, size, progress)
    names = names_of([test.id for test in suite.tests], *sources)
    streamed = out is not None and str(out) == "-"
    if streamed:
        typer.echo(suite_records(suite, names), nl=False)
    elif out is not None:
        write_suite(suite, names, out, force=force)
    if as_json:
        _print_json(suite, names, to_stderr=streamed)
    else:
        _print(suite, names, size, to_stderr=streamed)


def _print(suite: Suite, names: Mapping[str, str], size: int | None, *, to_stderr: bool) -> None:
    from synth.cli.streams import tests
    from synth.cli.summary import plain_console
    from synth.suites import listed

    console = plain_console(to_stderr=to_stderr)
    count = len({goal for test in suite.tests for goal in test.reaches})
    console.print(f"{suite.verdict}: {tests(len(suite.tests))} of the {suite.candidates} that pass it, {count} goals")
    proof = f"RC2 proves its cost, {suite.cost}, to be the least"
    if suite.left_out:
        console.print(f"No choice of at most {tests(size or 0)} reaches more: {proof}.")
    else:
        console.print(f"No fewer tests reach them all: {proof}.")
    for number, test in enumerate(suite.tests, 1):
        console.print(f"{number}. {test.id}, {names[test.id]}", style="bold")
        if test.alone:
            console.print(f"   alone {listed(test.alone)}")
        shared = [goal for goal in test.reaches if goal not in test.alone]
        if shared:
            console.print(f"   {listed(shared)}")
    if suite.left_out:
        console.print(f"Left out: {listed(suite.left_out)}.")
    if suite.unreached:
        console.print(f"No candidate {listed(suite.unreached)}.")
    if suite.no_less_fair:
        told = f"with up to {suite.threads} threads they guarantee no less"
        console.print(f"Mutants that no test can tell apart, since {told}: {', '.join(suite.no_less_fair)}.")


def _print_json(suite: Suite, names: Mapping[str, str], *, to_stderr: bool) -> None:
    import json

    def fields(goals: Iterable[Goal]) -> list[dict[str, str]]:
        return [{"kind": goal.kind, "name": goal.name} for goal in goals]

    found = {
        "verdict": suite.verdict,
        "candidates": suite.candidates,
        "cost": suite.cost,
        "tests": [
            {"id": test.id, "called": names[test.id], "reaches": fields(test.reaches), "alone": fields(test.alone)}
            for test in suite.tests
        ],
        "left_out": fields(suite.left_out),
        "unreached": fields(suite.unreached),
        "no_less_fair": list(suite.no_less_fair),
        "threads": suite.threads,
    }
    typer.echo(json.dumps(found, separators=(",", ":")), err=to_stderr)
