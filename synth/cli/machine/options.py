"""The options that the commands of `synth machine` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from synth.cli.shared.answer_print import print_lines
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from collections.abc import Iterable

Source: TypeAlias = Annotated[
    Path,
    typer.Argument(
        metavar="MACHINES",
        help="A file of contexts and machines (.eventb), a file of Rodin (.buc, .bum), a folder of such files, or "
        "machines that ship: {machines}.",
        autocompletion=completer("machines"),
    ),
]
ComponentName: TypeAlias = Annotated[
    str | None,
    typer.Option("--component", help="Only this context or machine.  [default: all]", metavar="NAME"),
]
#: Says what the limit of a query means: the solvers count steps of their own.
SECONDS_HELP = (
    "The limit of a solver for one query: the steps that it takes in so many seconds of an idle processor. So the "
    "verdicts are the same on a busy computer."
)
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", help="The size of a carrier set, or the value of a constant.", metavar="NAME=VALUE"),
]
Limits: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        help="A predicate that the steps of an event must fulfil, such as 'tick: t < T_ev + 2'.",
        metavar="EVENT:PREDICATE",
    ),
]


def print_problems(problems: Iterable[str]) -> None:
    """Print what is wrong with components that the command leaves out, one line for each."""
    print_lines((f"synth: {problem}" for problem in problems), to_stderr=True)
