"""`synth show`: show the facts about one program."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.program_arguments import OneProgram
from synth.cli.shared.question_options import NamesOf

EXAMPLE = "Example: synth show 01100002-01100002"


def show_command(
    source: OneProgram,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Show one program: its name, its text, the kind of each instruction, its idioms, the rules, and its verdicts."""
    from synth_litmus.facts.program_facts import describe_program
    from synth_litmus.inputs.programs import given_program

    answer = describe_program(given_program(source, corpus), corpus)
    if as_json:
        print_json(answer)
    else:
        from synth_litmus.views.program import show_lines

        print_lines(show_lines(answer))
