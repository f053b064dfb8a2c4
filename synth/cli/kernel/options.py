"""The options that the commands of `synth kernel` share, and the question that they ask."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.ending import ended_early
from synth.work.stopping import Stop, parse_memory, parse_time
from synth_checker.errors import InputError, quoted

if TYPE_CHECKING:
    from synth.kernel_needs import Asked, Needs
    from synth_checker.models import Model

Source: TypeAlias = Annotated[
    Path, typer.Argument(metavar="KERNEL", help="A file of kernels: OpenCL C, CUDA, HIP, or typed programs (.kernel).")
]
Name: TypeAlias = Annotated[
    str, typer.Option("--kernel", help="The kernel of the file.  [default: its only one]", metavar="NAME")
]
Workgroups: TypeAlias = Annotated[
    str, typer.Option(help="How many workgroups a launch has: a number, or a range such as 2..4.", metavar="N|A..B")
]
LocalSize: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Threads of a workgroup, in up to three dimensions.  [default: what the kernel requires, or 1]",
        metavar="N,...",
    ),
]
Arguments: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--arg",
        help="The value of a scalar, or of all COUNT elements of an array; repeat it for each argument.",
        metavar="NAME=VALUE[:COUNT]",
    ),
]
Define: TypeAlias = Annotated[
    list[str] | None, typer.Option("--define", "-D", help="Define a macro.", metavar="NAME[=VALUE]")
]
Include: TypeAlias = Annotated[
    list[str] | None, typer.Option("--include", "-I", help="Look for included files here.", metavar="DIR")
]
Standard: TypeAlias = Annotated[
    str,
    typer.Option(
        help="The version of OpenCL C or C++.  [default: the first that compiles, or c++17]",
        metavar="CL1.2|CL2.0|c++17|...",
    ),
]
Instances: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--instantiate", help="Read this instance of a template kernel, too.", metavar="'NAME<ARGUMENT,...>'"),
]
#: Some faults show only from three workgroups on.
DEFAULT = "2..4"
_RANGE = re.compile(r"(\d+)(?:\.\.(\d+))?")


def asked_of(
    source: Path,
    name: str,
    workgroups: str,
    local: str | None,
    arguments: list[str] | None,
    define: list[str] | None,
    include: list[str] | None,
    standard: str,
    instances: list[str] | None,
    models: tuple[Model, ...] | None = None,
) -> Asked:
    """Return the question of a command.

    Raises:
        InputError: an option is wrong.
    """
    from synth.kernel_needs import Asked
    from synth_kernels.progress.arguments import read_arguments
    from synth_kernels.reading import How

    how = How(tuple(define or ()), tuple(include or ()), standard, tuple(instances or ()))
    return Asked(source, _range(workgroups), _local(local), read_arguments(arguments or ()), name, how, models)


def _range(text: str) -> range:
    match = _RANGE.fullmatch(text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        msg = f"workgroups: found {quoted(text)}, expected a number such as 3, or a range such as 2..4"
        raise InputError(msg)
    return range(first, last + 1)


def _local(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*){0,2}", text):
        msg = f"local size: found {quoted(text)}, expected up to three positive numbers, such as 64 or 8,8"
        raise InputError(msg)
    return tuple(map(int, text.split(",")))


def judged(asked: Asked, time_limit: str | None, memory: str | None) -> Needs | int:
    """Return the verdicts on the launches, or the exit code if a limit or a signal ended the work."""
    from synth.kernel_needs import StoppedError, judge

    limit = None if time_limit is None else parse_time(time_limit)
    with Stop(limit, None if memory is None else parse_memory(memory)) as stop:
        try:
            return judge(asked, lambda: stop.look() is not None)
        except StoppedError:
            return ended_early(stop, "nothing is decided")
