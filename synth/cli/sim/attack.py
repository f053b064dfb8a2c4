"""`synth sim attack`: find a schedule that a model allows and that makes a test hang."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import OutFile, ReplaceFile, check_force
from synth.cli.shared.program_arguments import OneTest
from synth.cli.shared.question_options import OWN_SINGLE_VERDICT, NamesOf
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth sim attack 0011-00_0 --verdict OBE.strong --out attack.txt"


def attack_command(
    test: OneTest,
    verdict: Annotated[
        str,
        typer.Option(
            help=f"The verdict whose model the schedule obeys: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("models", "verdicts"),
        ),
    ],
    out: OutFile = None,
    force: ReplaceFile = False,
    corpus: NamesOf = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Find a schedule that keeps the promise of a model and makes a test hang.

    The command writes the schedule as lines of events. The steps after the line 'cycle' can be repeated without end.
    If no such schedule exists, the command says so and exits with status 1.
    """
    from synth_devices.sim.attacks import attack_lines
    from synth_devices.simulated.schedule_answer import attack_answer
    from synth_devices.simulated.worst_schedule import attack, steps_of
    from synth_devices.views.simulation import no_attack_line
    from synth_litmus.inputs.programs import given_program
    from synth_storage.files import put_bytes

    check_force(out, force=force)
    if as_json and out is not None:
        raise InputError(
            "--json cannot be combined with --out, which writes the lines of the schedule; use one of the two"
        )
    program = given_program(test, corpus).program
    schedule = attack(program, verdict)
    answer = attack_answer(program, verdict, schedule)
    if as_json:
        print_json(answer)
        return int(schedule is None)
    if schedule is None:
        print_lines([no_attack_line(answer)])
        return 1
    lines = attack_lines(schedule, steps_of(program))
    if out is None:
        print_lines(lines)
    else:
        put_bytes(out, "".join(f"{line}\n" for line in lines).encode("ascii"), force=force)
    return 0
