"""`synth machine replay`: check that a trace is one of a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.machine.options import AsJson, Source
from synth.cli.shared.answer_print import print_json, print_lines
from synth_checker.errors import InputError

EXAMPLE = "Example: synth machine replay counter.eventb trace.json"


def replay_command(
    source: Source,
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A trace that synth machine animate wrote.")],
    preset: Annotated[
        str | None,
        typer.Option(
            help="TRACE is a schedule of this preset of synth sim. MACHINES must be @schedulers.", metavar="PRESET"
        ),
    ] = None,
    workgroups: Annotated[
        int | None,
        typer.Option(help="So many workgroups wait.  [default: those of the schedule]", min=1, metavar="N"),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check each step of a trace: its guards hold, and its actions allow the values that it chooses.

    The setting is that of the trace. Exits with status 1 if a step is not allowed, and names the event and the guard.
    """
    from synth_machines.animation.machine_steps import Animation
    from synth_machines.animation.replay import Rejection, replayed
    from synth_machines.animation.settings import setting_of
    from synth_machines.answers.animation import machine_of
    from synth_machines.answers.conformance import read_schedule
    from synth_machines.answers.files import read_project
    from synth_machines.answers.traces import ReplayAnswer, read_trace, trace_steps
    from synth_machines.views.animation import replay_lines

    if workgroups is not None and preset is None:
        raise InputError("--workgroups needs --preset, because a trace has its setting")
    recorded = read_trace(trace) if preset is None else read_schedule(trace, preset, workgroups)
    machine = machine_of(read_project(source, partly=True), recorded["machine"])
    animation = Animation(machine, setting_of(machine, recorded["setting"], "the setting of the trace"))
    result = replayed(animation, trace_steps(animation, recorded["steps"]))
    rejection = result if isinstance(result, Rejection) else None
    answer = ReplayAnswer(machine.name, rejection is None, len(recorded["steps"]), *rejection or ())
    if as_json:
        print_json(answer)
    else:
        print_lines(replay_lines(answer))
    return int(not answer.accepted)
