"""`synth check`: the verdicts of programs, tests or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import NamesOf, check_word
from synth.cli.vocabulary import completed, one_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth.inputs.programs import GivenProgram
    from synth.judging.checking import Check

EXAMPLE = "Example: synth check 01100002-01100002 --model OBE.weak,fair"


def check_command(
    source: Annotated[str, typer.Argument(metavar="FILE|-|ID|NAME", help="Programs as text or records, or a test.")],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="A model, or one of its two verdicts such as OBE.weak: {models}; an expression, "
            "NAME = EXPRESSION, NAME.weak = EXPRESSION, or a file.",
            metavar="MODEL",
            autocompletion=completed("models", "verdicts"),
        ),
    ] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            help="Exit with 1 unless all verdicts asked for are so: pass or fail.",
            metavar="RESULT",
            autocompletion=one_of("pass", "fail"),
        ),
    ] = None,
    certify: Annotated[bool, typer.Option("--certify", help="Prove each verdict, and check the proof.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a program.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Print the verdicts of programs, their normal forms, and the rules that they break.

    Rules and verdicts are those of the program as it is given. If its normal form has others, the output says so.

    With --certify each verdict has a certificate that an independent checker has accepted; see synth explain. Exits
    with status 1 if a verdict that --model names fails, or if one is not what --expect says.
    """
    from synth.cli.streams import is_heard, say
    from synth.inputs.given_models import given_verdicts, split_words
    from synth.inputs.programs import given_programs
    from synth.judging.checking import certified, check_programs

    if expect is not None:
        check_word("expect", expect, ("pass", "fail"))
    models, asked = given_verdicts(split_words(model)) if model else (None, None)
    given = given_programs(source, corpus)
    programs = [one.program for one in given]
    checks = check_programs(programs, asked, models, to_certify=certify, tell=lambda warning: say(f"synth: {warning}"))
    for one, check in zip(given, checks, strict=True):
        for verdict in check.verdicts if certify else ():
            certified(check, verdict, models)
        _print(one, check, is_certified=certify, as_json=as_json)
        if not is_heard():
            break
    wanted = expect or ("pass" if model else None)
    found = {verdict for check in checks for verdict in check.verdicts.values()}
    return int(wanted is not None and found != {wanted})


def _print(given: GivenProgram, check: Check, *, is_certified: bool, as_json: bool) -> None:
    if as_json:
        typer.echo(check_json(given, check, {"certified": True} if is_certified else None))
        return
    from synth.cli.summary import plain_console, print_table, title, verdict_table
    from synth_checker.text import write_program

    console = plain_console()
    console.print(title(given.name, check.id), style="bold")
    console.print(write_program(check.program), end="")
    for note in form_notes(given, check):
        console.print(note)
    console.print("A test." if check.is_test else f"Not a test: it breaks {', '.join(check.breaks)}.")
    print_table(console, verdict_table(check.verdicts))
    for sentence in check.differences():
        console.print(sentence)
    if is_certified:
        console.print("Each verdict is certified.")


def form_notes(given: GivenProgram, check: Check) -> Iterator[str]:
    """That the program shown is the normal form of the one given, and which of the two is judged, if it matters."""
    if given.program != check.program:
        yield "(the normal form of the program given)"
    if check.has_no_ops:
        yield "Rules and verdicts are those of the program given, with its no-ops."


def check_json(given: GivenProgram, check: Check, more: Mapping[str, object] | None = None) -> str:
    """The record of a program with the verdicts asked for; then its name, the rules it breaks, and further keys.

    Rules and verdicts are those of the program given. If it has no-ops, `with_no_ops` writes it out with them, and
    `normal_form` says which rules its normal form breaks and which verdicts that has.
    """
    import json

    from synth_checker.normal import written_out
    from synth_corpus.record import record_fields

    fields: dict[str, object] = {"name": given.name, "test": check.is_test, "breaks": list(check.breaks)}
    if check.has_no_ops:
        fields["with_no_ops"] = written_out(check.judged)
        fields["normal_form"] = {
            "breaks": list(check.normal_form.breaks),
            "verdicts": dict(check.normal_form.verdicts),
        }
    # In ASCII: the name may hold what steers a terminal, or what its encoding does not have.
    return json.dumps(record_fields(check.program, check.verdicts) | fields | dict(more or {}), separators=(",", ":"))
