"""`synth lts`: write the states and steps of a program as a drawing, or for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.options import NamesOf, check_word
from synth.cli.output_files import ReplaceFile, check_force, put_text
from synth.cli.vocabulary import completer, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth.transitions import ProgramLts

EXAMPLE = "Example: synth lts 01100002-01100002 --model OBE --format dot --out mutex.dot"
FORMATS = ("dot", "svg", "aut", "json")


def lts_command(
    source: Annotated[str, typer.Argument(metavar="ID|NAME|FILE", help="The program: an id, a name, or a file.")],
    model: Annotated[
        str | None,
        typer.Option(
            help="Add the states and fair sets of this model: {models}. A model of your own is an expression such as "
            "'live & stepped', a definition 'NAME = EXPRESSION', or FILE:NAME for the model NAME of a file. A verdict, "
            "such as OBE.weak, means one form of the model.",
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
    corpus: NamesOf = None,
) -> None:
    """Write the states that a program reaches and the steps between them, alone or together with a model.

    The output goes to standard output, or to a file that is complete or not there.
    """
    from synth.drawing.dot import dot_of
    from synth.drawing.graph import svg_of
    from synth.inputs.programs import given_program
    from synth.transitions import lts_of
    from synth.transitions.drawing import graph_of
    from synth.transitions.tables import write_aut, write_json

    check_force(out, force=force)
    check_word("format", form, FORMATS)
    writers: dict[str, Callable[[ProgramLts], str]]
    writers = {
        "dot": lambda lts: dot_of(graph_of(lts)),
        "svg": lambda lts: svg_of(graph_of(lts)),
        "aut": write_aut,
        "json": write_json,
    }
    given = given_program(source, corpus)
    text = writers[form](lts_of(given.program, model, given.name))
    put_text(text, out, force=force)
