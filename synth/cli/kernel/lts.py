"""`synth kernel lts`: write the states and steps of a launch as a drawing, or for other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.kernel.options import takes_launches
from synth.cli.shared.lts_formats import FORMATS, lts_text
from synth.cli.shared.output_files import (
    AsJson,
    OutFile,
    ReplaceFile,
    check_force,
    chosen_format,
    format_option,
    put_text,
)
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth.cli.kernel.options import LaunchQuestion

EXAMPLE = "Example: synth kernel lts lock.cl --arg lock=0:1 --arg sum=0:1 --workgroups 2 --model OBE --format aut"


@takes_launches
def lts_command(
    question: LaunchQuestion,
    model: Annotated[
        str | None,
        typer.Option(
            help="Add the states of this model, and which threads are promised a step: {models}. A model of your own "
            "is written as for synth lts. A verdict, such as OBE.weak, means one form of the model.",
            metavar="MODEL",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    form: Annotated[str | None, format_option(FORMATS, default=FORMATS[0])] = None,
    as_json: AsJson = False,
    out: OutFile = None,
    force: ReplaceFile = False,
) -> int:
    """Write the states that a launch reaches and the steps between them, alone or together with a model.

    Of a range of workgroups, this is the launch with the fewest. The output goes to standard output, or to a file that
    is complete or not there.
    """
    from synth_kernels.needs.lts import lts_of_launch, write_json
    from synth_litmus.lts import named_model

    check_force(out, force=force)
    chosen = chosen_format(form, FORMATS, as_json=as_json)
    named, forms = named_model(model)
    needs = question.smallest().judge((named,) if named else ())
    if isinstance(needs, int):
        return needs
    lts = lts_of_launch(needs, forms)
    put_text(lts_text(lts, chosen, lambda: write_json(lts)), out, force=force)
    return 0
