"""The arguments of commands that take programs or tests, which refuse a file of kernels and name its commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from synth_checker.errors import InputError
from synth_documents.phrases import shell_word

#: The suffixes of files that only the commands for kernels read (`synth_kernels.kernel_file`).
_OF_KERNELS = (".cl", ".cu", ".hip", ".kernel")


def refuse_kernels(ctx: typer.Context, value: str | list[str] | None) -> str | list[str] | None:
    """Return what an argument has, for Typer to call.

    Raises:
        InputError: it names a file of kernels.
    """
    for word in [value] if isinstance(value, str) else value or []:
        if Path(word).suffix in _OF_KERNELS and not ctx.resilient_parsing:
            name = shell_word(word)
            raise InputError(
                f"{word}: found a file of kernels, expected litmus tests; to find races: synth verify {name}; to see "
                f"which progress model it needs: synth kernel need {name}"
            )
    return value


OneProgram: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ID|NAME|FILE", help="The program: an id, a name, or a file.", callback=refuse_kernels),
]
OneTest: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ID|NAME|FILE", help="The test: an id, a name, or a file.", callback=refuse_kernels),
]
