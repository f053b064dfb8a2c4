"""`synth machine run`: the times of threads, blocks and a kernel on the repaired GPU."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from synth.cli.machine.options import AsJson
from synth.cli.shared.answer_print import as_json as json_text
from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import ReplaceFile, check_force, put_text
from synth_checker.errors import InputError

EXAMPLE = "Example: synth machine run --threads 1024 --c 10 --duration 4"
_LEAST, _MOST = 1, 1_000_000


def run_command(
    threads: Annotated[
        int | None, typer.Option(min=_LEAST, max=_MOST, help="The threads of the kernel.", metavar="N")
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(help="Run this litmus test instead, step by step: its id, name or file.", metavar="TEST"),
    ] = None,
    steps: Annotated[
        int, typer.Option(min=_LEAST, max=10_000, help="With --test: end after so many instructions.", metavar="N")
    ] = 100,
    multiprocessors: Annotated[int, typer.Option(min=_LEAST, max=100, help="The multiprocessors.", metavar="N")] = 16,
    warp: Annotated[int, typer.Option(min=_LEAST, max=_MOST, help="The threads of a block.", metavar="N")] = 32,
    c: Annotated[
        int, typer.Option(min=0, max=_MOST, help="The time to divide the kernel into blocks.", metavar="N")
    ] = 1,
    duration: Annotated[
        int, typer.Option(min=_LEAST, max=_MOST, help="For how long a thread has the memory.", metavar="N")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the run as a trace of thread_execution into this file, as JSON.", metavar="FILE"),
    ] = None,
    force: ReplaceFile = False,
    as_json: AsJson = False,
) -> int:
    """Print when threads, blocks and the kernel start and end, in one run of the machines @gpu.

    All happens as early as it can. Blocks go to free multiprocessors in their order, and threads take the one token for
    memory in the order of their election. With --out, synth machine replay @gpu can check the run.

    With --test, each block runs one thread of a litmus test, and executes one instruction whenever it has the token.
    The command exits with status 1 if the run goes round and round, and with 75 if --steps cut it off before it ended.
    """
    if (threads is None) == (test is None):
        raise InputError("found both or none of --threads and --test, expected one of them")
    if test is not None:
        check_force(out, force=force)
        return _run_test(test, _Machine(multiprocessors, c, duration, steps), out, force=force, as_json=as_json)
    assert threads is not None  # noqa: S101  (one of the two is given)
    from synth_machines.answers.gpu_times import LaunchTimes, times_of_launch, trace
    from synth_machines.views.gpu_times import run_lines

    check_force(out, force=force)
    launch = LaunchTimes(threads, multiprocessors, warp, c, duration)
    times = times_of_launch(launch)
    if out is not None:
        put_text(json_text(trace(launch)) + "\n", out, force=force)
    if as_json:
        print_json(times)
    else:
        print_lines(run_lines(times))
    return 0


class _Machine(NamedTuple):
    """The sizes and times of a run, and the number of instructions after which it ends."""

    multiprocessors: int
    c: int
    duration: int
    steps: int


def _run_test(word: str, machine: _Machine, out: Path | None, *, force: bool, as_json: bool) -> int:
    from synth_litmus.inputs.programs import given_program
    from synth_machines.answers.gpu_tests import litmus_trace, run_litmus
    from synth_machines.views.gpu_times import litmus_lines

    named = given_program(word)
    multiprocessors, c, duration, steps = machine
    execution = run_litmus(named.program, word, multiprocessors=multiprocessors, c=c, duration=duration, most=steps)
    if out is not None:
        put_text(json_text(litmus_trace(execution, len(named.program))) + "\n", out, force=force)
    if as_json:
        print_json(execution)
    else:
        print_lines(litmus_lines(execution))
    if execution.ended:
        return 0
    return 75 if execution.cycle is None else 1
