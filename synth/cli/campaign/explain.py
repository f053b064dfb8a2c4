"""`synth campaign explain`: say which simulated schedulers have the results of a device."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.progress_bar import progress_bar
from synth.cli.shared.question_options import words
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

EXAMPLE = "Example: synth campaign explain sim.campaign --most-instances 50"


def explain_command(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of campaigns.")],
    device: Annotated[
        str | None, typer.Option(help="The only device to explain.  [default: each device]", metavar="DEVICE")
    ] = None,
    scheduler: Annotated[
        list[str] | None,
        typer.Option(
            help="A further scheduler to compare: the path of a TOML file that describes it.",
            metavar="SCHEDULER",
            autocompletion=completer("schedulers"),
        ),
    ] = None,
    slots: Annotated[
        list[str] | None, typer.Option(help="In the grid, use schedulers with these numbers of slots.", metavar="N,...")
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Option(help="In the grid, use schedulers with these orders of workgroups.", metavar="ORDER,..."),
    ] = None,
    batch: Annotated[
        list[str] | None, typer.Option(help="In the grid, use schedulers with batches of these sizes.", metavar="N,...")
    ] = None,
    preempt: Annotated[
        list[str] | None,
        typer.Option(
            help="In the grid, use schedulers that pre-empt after so many steps, or never.", metavar="N,...,never"
        ),
    ] = None,
    pick: Annotated[
        list[str] | None,
        typer.Option(help="In the grid, use schedulers that pick the next slot in these ways.", metavar="PICK,..."),
    ] = None,
    instances: Annotated[
        int | None,
        typer.Option(
            help="How many instances a launch has whose cell does not say it.  [default: enough to fill 65,535 "
            "workgroups]",
            metavar="N",
        ),
    ] = None,
    most_instances: Annotated[
        int | None,
        typer.Option(help="Simulate at most so many instances, to save time.  [default: all]", metavar="N"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many threads simulate at once.  [default: the CPUs]", metavar="N")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array with an object for each device.")] = False,
) -> int:
    """Say which simulated schedulers have the results of a device, cell by cell, and which test tells them apart.

    The command compares the presets, and a grid of schedulers: all combinations of some values of the keys of a
    scheduler file. The options for these keys replace the values of the grid. If no scheduler has the results of some
    device, the command names the nearest ones and exits with status 1.
    """
    from synth_analysis.answers.scheduler import ExplanationRequest, explanations_of
    from synth_analysis.schedulers import Grid
    from synth_analysis.views.scheduler import explanation_lines
    from synth_devices.sim.presets import read_scheduler

    usual = Grid()
    grid = Grid(
        _numbers("slots", slots) or usual.slots,
        words(order) or usual.order,
        _numbers("batch", batch) or usual.batch,
        _numbers("preempt", preempt, never=True) or usual.preempt,
        words(pick) or usual.pick,
    )
    question = ExplanationRequest(
        device, grid, [read_scheduler(word) for word in scheduler or ()], instances, most_instances
    )
    with progress_bar("explain", "cell") as progress:
        explanations = explanations_of(folders, question, jobs, progress)
    if as_json:
        print_json(explanations)
    else:
        for number, explanation in enumerate(explanations):
            print_lines([""] * bool(number))
            print_lines(explanation_lines(explanation))
    return 0 if all(explanation.left for explanation in explanations) else 1


def _numbers(option: str, option_words: list[str] | None, *, never: bool = False) -> list[int]:
    """Return the numbers that an option has; with `never`, this word stands for 0."""
    numbers = []
    for word in words(option_words):
        if never and word == "never":
            numbers.append(0)
        elif word.isascii() and word.isdigit() and int(word) > 0:
            numbers.append(int(word))
        else:
            raise InputError(f"--{option}: found {word!r}, expected a number from 1 on{', or never' if never else ''}")
    return numbers
