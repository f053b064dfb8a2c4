"""`synth sim replay`: run a schedule that a file has, and check each of its lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.program_arguments import OneTest
from synth.cli.shared.question_options import OWN_SINGLE_VERDICT, NamesOf
from synth.cli.shared.vocabulary import completer
from synth.cli.sim.options import First, Instances, Mapping, Scheduler, Seed
from synth_checker.errors import InputError
from synth_devices.sim.defaults import MAPPING, SCHEDULER
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_devices.simulated.schedule_answer import ReplayedSchedule

EXAMPLE = "Example: synth sim replay 0011-00_0 attack.txt --verdict OBE.strong"


def replay_command(
    test: OneTest,
    schedule: Annotated[
        Path,
        typer.Argument(metavar="SCHEDULE", help="The file with the lines of 'synth sim run --events' or 'sim attack'."),
    ],
    scheduler: Scheduler = SCHEDULER,
    mapping: Mapping = MAPPING,
    instances: Instances = None,
    first: First = 0,
    seed: Seed = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            help="For the schedule of an attack: exit with status 1 unless it keeps the promise of this verdict's "
            f"model: {{verdicts}}. {OWN_SINGLE_VERDICT}",
            metavar="VERDICT",
            autocompletion=completer("models", "verdicts"),
        ),
    ] = None,
    corpus: NamesOf = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> int:
    """Run a schedule that a file has, and check that each line keeps the rules of the scheduler.

    The launch must be given as it was for 'synth sim run --events'. If the scheduler picks at random, each step is that
    of the schedule. A schedule with a line 'cycle' is that of an attack: all threads of one instance step as the lines
    say, and the cycle must lead back to the state in which it begins.
    """
    from synth_devices.sim.attacks import is_attack, replay_attack
    from synth_devices.sim.schedules import ScheduleError, replay
    from synth_devices.simulated import Launches, seeded_scheduler
    from synth_devices.simulated.schedule_answer import replay_answer, replayed_attack
    from synth_devices.simulated.worst_schedule import steps_of, why_unfair
    from synth_devices.views.simulation import replay_line
    from synth_litmus.inputs.programs import given_program

    program = given_program(test, corpus).program

    if schedule.exists() and not schedule.is_file():  # it is read several times
        raise InputError(
            f"{schedule}: found {'a folder' if schedule.is_dir() else 'a pipe or a device'}, expected a schedule"
        )

    def lines() -> Iterator[str]:
        try:
            with schedule.open(encoding="utf-8") as file:
                yield from file
        except OSError as error:
            raise refusal(str(schedule), error, "a schedule") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{schedule}: found a byte that is not UTF-8, expected the lines of a schedule") from error

    def say(answer: ReplayedSchedule) -> None:
        if as_json:
            print_json(answer)
        else:
            print_lines([replay_line(answer)])

    try:
        if is_attack(lines()):
            replayed = replay_attack(lines(), steps_of(program))
            why = None if verdict is None else why_unfair(replayed, program, verdict)
            say(replayed_attack(program, replayed, verdict, why))
            return 0 if why is None else 1
        if verdict is not None:
            raise InputError(f"{schedule}: --verdict needs the schedule of an attack, but no line is 'cycle'")
        launches_asked = Launches(seeded_scheduler(scheduler, seed), mapping, instances, first, 1)
        result = replay(launches_asked.simulator(program), first, lines)
        say(replay_answer(program, result))
    except ScheduleError as error:
        raise InputError(f"{schedule}: {error}") from error
    return 0
