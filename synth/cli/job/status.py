"""`synth job status`: show how far a job has come, on any machine that sees its folder."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from synth.cli.job.options import JobFolder
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.question_options import limits
from synth.cli.shared.streams import has_reader, print_data
from synth_checker.errors import InputError

EXAMPLE = "Example: synth job status 2x3.job --watch"
#: Seconds between two looks at a job with `--watch`.
_WATCH_S = 5.0
#: Clears a terminal and moves its cursor to the first line (ECMA-48: CUP, ED).
_CLEAR = "\x1b[H\x1b[2J"


def status_command(
    folder: JobFolder,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Print the status again every few seconds, until no process works on the job."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the status as a JSON object.")] = False,
    as_metrics: Annotated[
        bool, typer.Option("--metrics", help="Print the figures in the text format of Prometheus.")
    ] = False,
) -> int:
    """Show how far a job has come: shards done, tests found, time left for each split, processes at work, and failures.

    The command only reads the folder. So it works on any machine that sees the folder, while the job goes on.
    """
    from synth_jobs.answer import status_of
    from synth_jobs.metrics import metrics
    from synth_jobs.views.status import lines

    if as_metrics and (as_json or watch):
        raise InputError(f"--metrics cannot be combined with {'--json' if as_json else '--watch'}; use one of the two")
    if as_metrics:
        print_data(metrics(str(folder.resolve()), status_of(folder)))
        return 0

    def say() -> bool:
        found = status_of(folder)
        if as_json:
            print_json(found, compact=False, indent=None if watch else 2)
        else:
            typer.echo(_CLEAR if watch and sys.stdout.isatty() else "", nl=False)
            print_lines(lines(folder, found))
        return bool(found.workers)

    if not watch:
        say()
        return 0
    with limits(None, None) as stop:
        is_at_work = True
        while is_at_work and has_reader() and stop.look() is None:
            is_at_work = say()
            sys.stdout.flush()
            if is_at_work:
                stop.wait(_WATCH_S)
        return stop.exit_code(complete=False) or 0
