"""`synth explain`: explain why a program fails or passes a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import check_svg, put_text
from synth.cli.shared.program_arguments import OneProgram
from synth.cli.shared.question_options import OWN_SINGLE_VERDICT, NamesOf
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth explain 01100002-01100002 --model HSA.weak"


def explain_command(
    source: OneProgram,
    model: Annotated[
        str,
        typer.Option(
            help=f"The verdict to explain: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("models", "verdicts"),
        ),
    ],
    svg: Annotated[
        Path | None, typer.Option(help="Also draw the states and the proof into this SVG file.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --svg if it exists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object with the whole certificate.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Explain a verdict: show step by step how a program may hang, or say why it always ends.

    With --json, each verdict is an object on a line of its own.
    """
    from synth_documents.graphs.graph import svg_of
    from synth_litmus.explanation import explain_forms
    from synth_litmus.explanation.answer import explain_answer
    from synth_litmus.inputs.programs import given_program
    from synth_litmus.views.explanation import lines

    check_svg(svg, force=force)
    program = given_program(source, corpus)
    explanations = explain_forms(program.program, model)
    if svg is not None:
        if len(explanations) > 1:
            verdicts = " or ".join(explanation.verdict for explanation in explanations)
            raise InputError(
                f"svg: found the model {model}, expected one verdict, {verdicts}, because a drawing shows one proof"
            )
        put_text(svg_of(explanations[0].graph(program.name)), svg, force=force)
    for number, explanation in enumerate(explanations):
        if as_json:
            print_json(explain_answer(program.name, explanation))
        else:
            print_lines([*([""] if number else []), *lines(program, explanation)])
