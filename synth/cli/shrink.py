"""`synth shrink`: reduce a program to its minimal sub-programs, step by step."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.program_arguments import OneProgram
from synth.cli.shared.question_options import (
    Models,
    NamesOf,
    Without,
    models_of,
    words,
)
from synth.cli.shared.vocabulary import completer
from synth_checker.nearest import check_known
from synth_checker.programs.rules import DROPPABLE

EXAMPLE = "Example: synth shrink 01100002-01100002 --keep OBE.strong=pass,HSA.strong=fail"


def shrink_command(
    source: OneProgram,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="A verdict and the result that the smaller programs must have, such as OBE.weak=pass: {verdicts}. A "
            "model means both of its verdicts.  [default: all verdicts of the program]",
            metavar="VERDICT=RESULT",
            autocompletion=completer("kept verdicts"),
        ),
    ] = None,
    model: Models = None,
    without: Without = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    corpus: NamesOf = None,
) -> int:
    """Reduce a program to the minimal tests among its sub-programs that have its verdicts, and show each step.

    It shrinks the normal form of the program, and keeps the verdicts of the normal form. Exits with status 1 if no
    sub-program is such a test.
    """
    from synth_litmus.facts.shrink_facts import shrink_given
    from synth_litmus.inputs.programs import given_program
    from synth_litmus.inputs.verdicts import kept_verdicts

    dropped = words(without)
    for rule in dropped:
        check_known("without", rule, DROPPABLE)
    models = models_of(model)
    verdicts_to_keep = kept_verdicts(keep, models) if keep else None
    answer = shrink_given(given_program(source, corpus), verdicts_to_keep, models, dropped, corpus)
    if as_json:
        print_json(answer)
    else:
        from synth_litmus.views.shrink import lines

        print_lines(lines(answer))
    return 0 if answer.minimal else 1
