"""`synth kernel explain`: show step by step how a launch of a kernel may run for ever under a progress model."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.kernel.options import (
    DEFAULT,
    Arguments,
    Define,
    Include,
    Instances,
    LocalSize,
    Name,
    Source,
    Standard,
    Workgroups,
    asked_of,
    judged,
)
from synth.cli.options import OWN_SINGLE_VERDICT, Memory, TimeLimit
from synth.cli.printing import print_json, print_lines
from synth.cli.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth kernel explain lock.cl --arg lock=0:1 --arg sum=0:1 --model HSA.weak"


def explain_command(
    source: Source,
    model: Annotated[
        str,
        typer.Option(
            help=f"The verdict to explain: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("verdicts"),
        ),
    ],
    kernel: Name = "",
    workgroups: Workgroups = DEFAULT,
    local_size: LocalSize = None,
    arg: Arguments = None,
    define: Define = None,
    include: Include = None,
    standard: Standard = "",
    instantiate: Instances = None,
    time_limit: TimeLimit = None,
    memory: Memory = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Show step by step how a launch may run for ever on a device that keeps the promise of a progress model.

    If the launch must end, the answer says so.
    """
    from synth.inputs.given_models import given_verdicts
    from synth.kernel_needs.answer import needs_fields
    from synth.views.kernel_needs import hang_lines

    models, verdicts = given_verdicts([model])
    if len(verdicts) != 1:
        msg = f"model: found {model}, which means {' and '.join(verdicts)}; expected one of them"
        raise InputError(msg)
    asked = asked_of(source, kernel, workgroups, local_size, arg, define, include, standard, instantiate, models)
    found = judged(asked, time_limit, memory)
    if isinstance(found, int):
        return found
    if as_json:
        print_json(needs_fields(found, verdicts))
    else:
        print_lines(hang_lines(found, verdicts[0]))
    return 0
