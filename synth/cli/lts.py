"""`synth lts`: write the states and steps of a program as a drawing, or for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.output_files import (
    AsJson,
    OutFile,
    ReplaceFile,
    check_force,
    chosen_format,
    format_option,
    put_text,
)
from synth.cli.shared.program_arguments import OneProgram
from synth.cli.shared.question_options import NamesOf
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_checker.transitions.transition_system import AnyState
    from synth_litmus.lts import Lts

EXAMPLE = "Example: synth lts 01100002-01100002 --model OBE --format dot --out mutex.dot"
FORMATS = ("dot", "svg", "aut", "json")


def lts_command(
    source: OneProgram,
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
    form: Annotated[str | None, format_option(FORMATS, default=FORMATS[0])] = None,
    as_json: AsJson = False,
    out: OutFile = None,
    force: ReplaceFile = False,
    corpus: NamesOf = None,
) -> None:
    """Write the states that a program reaches and the steps between them, alone or together with a model.

    The output goes to standard output, or to a file that is complete or not there.
    """
    from synth_litmus.inputs.programs import given_program
    from synth_litmus.lts import lts_of
    from synth_litmus.lts.tables import write_json

    check_force(out, force=force)
    chosen = chosen_format(form, FORMATS, as_json=as_json)
    program = given_program(source, corpus)
    lts = lts_of(program.program, model, program.name)
    put_text(lts_text(lts, chosen, lambda: write_json(lts)), out, force=force)


def lts_text(lts: Lts[AnyState], form: str, json_text: Callable[[], str]) -> str:
    """Return a transition system in one of FORMATS. `json_text` writes it as JSON, whose keys each kind chooses."""
    from synth_documents.graphs.dot import dot_of
    from synth_documents.graphs.graph import svg_of
    from synth_litmus.lts.picture import graph_of
    from synth_litmus.lts.tables import write_aut

    writers = {
        "dot": lambda: dot_of(graph_of(lts)),
        "svg": lambda: svg_of(graph_of(lts)),
        "aut": lambda: write_aut(lts),
        "json": json_text,
    }
    return writers[form]()
