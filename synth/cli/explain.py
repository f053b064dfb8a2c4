"""`synth explain`: explain why a program fails or passes a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.options import OWN_SINGLE_VERDICT, NamesOf
from synth.cli.output_files import check_svg, put_text
from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer

EXAMPLE = "Example: synth explain 01100002-01100002 --model HSA.weak"


def explain_command(
    source: Annotated[str, typer.Argument(metavar="ID|NAME|FILE", help="The program: an id, a name, or a file.")],
    model: Annotated[
        str,
        typer.Option(
            help=f"The verdict to explain: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("verdicts"),
        ),
    ],
    svg: Annotated[
        Path | None, typer.Option(help="Also draw the states and the proof into this SVG file.", metavar="FILE")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --svg if it exists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object with the whole certificate.")] = False,
    corpus: NamesOf = None,
) -> None:
    """Explain a verdict: show step by step how a program may run for ever, or say why it always ends."""
    from synth.drawing.graph import svg_of
    from synth.explaining import explain
    from synth.explaining.answer import ExplainAnswer, explain_fields
    from synth.inputs.programs import given_program
    from synth.views.explanation import lines

    check_svg(svg, force=force)
    given = given_program(source, corpus)
    answer = ExplainAnswer(given, explain(given.program, model))
    if svg is not None:
        put_text(svg_of(answer.explanation.graph(given.name)), svg, force=force)
    if as_json:
        print_json(explain_fields(answer))
    else:
        print_lines(lines(answer))
