"""`synth shrink`: from a program down to its minimal sub-programs, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import Models, NamesOf, Without, check_word, models_of, words
from synth.cli.vocabulary import completed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_checker.program import Program
    from synth_checker.shrinking import Shrunk

EXAMPLE = "Example: synth shrink 01100002-01100002 --keep OBE.strong=pass,HSA.strong=fail"


def shrink_command(
    source: Annotated[str, typer.Argument(metavar="FILE|ID|NAME", help="A program.")],
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="Keep a verdict, such as OBE.weak=pass, of {verdicts}; a model means both of its verdicts.  "
            "[default: keep all]",
            metavar="VERDICT=RESULT",
            autocompletion=completed("kept verdicts"),
        ),
    ] = None,
    model: Models = None,
    without: Without = None,
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Reduce a program to the minimal tests among its sub-programs that have its verdicts, and show each step.

    It shrinks the normal form of the program, and keeps the verdicts of the normal form. Exits with status 1 if no
    sub-program is such a test.
    """
    from synth.inputs.named_tests import names_of
    from synth.inputs.programs import given_program
    from synth.judging.checking import check_programs, kept_verdicts
    from synth_checker.normal import normal_form, written_out
    from synth_checker.rules import DROPPABLE, broken_rules, rule_names
    from synth_checker.shrinking import shrink

    dropped = words(without)
    for rule in dropped:
        check_word("without", rule, DROPPABLE)
    models = models_of(model)
    kept = kept_verdicts(keep, models) if keep else None
    given = given_program(source, corpus)
    (check,) = check_programs([given.program], models=models)
    program = normal_form(given.program, keep_store_checks="meaningful-comparisons" in dropped)
    id_ = written_out(program)
    found = shrink(id_, kept, models, dropped)
    names = names_of([shrunk.id for shrunk in found], corpus)
    as_given = [rule for rule in check.breaks if rule not in dropped]
    breaks = [rule for rule in rule_names(*broken_rules([id_])) if rule not in dropped]
    if as_json:
        _print_json(program, as_given, breaks, kept, found, names)
    else:
        others = [f"{name} {check.verdicts[name]}" for name in check.seen_no_ops]
        as_given_only = [rule for rule in as_given if rule not in breaks]
        what = "its signature" if kept is None else _told(kept)
        _print(given.name, program, _as_given(as_given_only, others), breaks, what, found, names)
    return 0 if found else 1


def _as_given(breaks: Sequence[str], others: Sequence[str]) -> str:
    """What is true of a program and not of its normal form: rules that it breaks, and other verdicts."""
    told = [f"breaks {', '.join(breaks)}"] if breaks else []
    told += [f"has other verdicts ({', '.join(others)})"] if others else []
    return f"As given, it {' and '.join(told)}; this is its normal form, which is shrunk." if told else ""


def _print(
    name: str | None,
    program: Program,
    as_given: str,
    breaks: Sequence[str],
    what: str,
    found: Sequence[Shrunk],
    names: Mapping[str, str],
) -> None:
    from synth.cli.printing import plain_console
    from synth.views.words import title
    from synth_checker.normal import program_of_id, written_out
    from synth_checker.text import write_program

    console = plain_console()
    console.print(title(name, written_out(program)), style="bold")
    console.print(write_program(program), end="")
    # Normal form forgets no-ops and what stores compare with: the program as given may be no test where this is one.
    if as_given:
        console.print(as_given)
    if breaks:
        console.print(f"Not a test: it breaks {', '.join(breaks)}.")
    if not found:
        console.print(f"Neither it nor a sub-program is a test with {what}.")
    elif not found[0].steps:
        console.print(f"Minimal: no sub-program is a test with {what}.")
    else:
        console.print(f"{len(found)} minimal test{'' if len(found) == 1 else 's'} with {what}.")
    for shrunk in found if found and found[0].steps else ():
        console.print(f"\nDown to {shrunk.id}, {names[shrunk.id]}:", style="bold")
        for number, step in enumerate(shrunk.steps, 1):
            console.print(f"{number}. {step}: {step.left}", style="bold")
            console.print(write_program(program_of_id(step.left)), end="")


def _told(kept: Mapping[str, bool]) -> str:
    return ", ".join(f"{name}={'pass' if passes else 'fail'}" for name, passes in kept.items())


def _print_json(
    program: Program,
    as_given: Sequence[str],
    breaks: Sequence[str],
    kept: Mapping[str, bool] | None,
    found: Sequence[Shrunk],
    names: Mapping[str, str],
) -> None:
    import json

    from synth_checker.normal import written_out

    fields = {
        "id": written_out(program),
        "test": not as_given,
        "breaks": as_given,
        "normal_form_breaks": breaks,
        "keep": None if kept is None else {name: "pass" if passes else "fail" for name, passes in kept.items()},
        "minimal": [
            {
                "id": shrunk.id,
                "called": names[shrunk.id],
                "steps": [{"does": str(step), "left": step.left} for step in shrunk.steps],
            }
            for shrunk in found
        ],
    }
    typer.echo(json.dumps(fields, separators=(",", ":")))
