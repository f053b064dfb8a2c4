"""`synth kernel lts`: write the states and steps of a launch as a drawing, or for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.lts import FORMATS
from synth.cli.options import check_word
from synth.cli.output_files import ReplaceFile, check_force, put_text
from synth.cli.vocabulary import completer, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth.cli.kernel.options import Question
    from synth.transitions import Lts

EXAMPLE = "Example: synth kernel lts lock.cl --arg lock=0:1 --arg sum=0:1 --workgroups 2 --model OBE --format aut"


@takes_launches
def lts_command(
    question: Question,
    model: Annotated[
        str | None,
        typer.Option(
            help="Add the states of this model, and which threads are owed a step: {models}. A model of your own is "
            "written as for synth lts. A verdict, such as OBE.weak, means one form of the model.",
            metavar="MODEL",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"The format of the output: {', '.join(FORMATS)}.",
            autocompletion=one_of(*FORMATS),
        ),
    ] = "dot",
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The file to write.  [default: standard output]")
    ] = None,
    force: ReplaceFile = False,
) -> int:
    """Write the states that a launch reaches and the steps between them, alone or together with a model.

    Of a range of workgroups, this is the launch with the fewest. The output goes to standard output, or to a file that
    is complete or not there.
    """
    from synth.drawing.dot import dot_of
    from synth.drawing.graph import svg_of
    from synth.kernel_needs.lts import lts_of_launch, write_json
    from synth.transitions import asked_model
    from synth.transitions.drawing import graph_of
    from synth.transitions.tables import write_aut

    check_force(out, force=force)
    check_word("format", form, FORMATS)
    writers: dict[str, Callable[[Lts[int]], str]] = {
        "dot": lambda lts: dot_of(graph_of(lts)),
        "svg": lambda lts: svg_of(graph_of(lts)),
        "aut": write_aut,
        "json": write_json,
    }
    chosen, forms = asked_model(model)
    found = question.smallest().judged((chosen,) if chosen else ())
    if isinstance(found, int):
        return found
    put_text(writers[form](lts_of_launch(found, forms)), out, force=force)
    return 0
