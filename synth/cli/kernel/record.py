"""`synth kernel record`: run a program, and write down the launches of its kernels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.streams import say
from synth_checker.errors import InputError
from synth_storage.refusals import as_user_errors

EXAMPLE = "Example: synth kernel record --out launches -- ./program"
_SIGNAL = 128


def record_command(
    program: Annotated[
        list[str], typer.Argument(metavar="PROGRAM...", help="The program and its arguments, after the word --.")
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="A new or empty folder, which gets the launches.")],
) -> int:
    """Run a program that uses OpenCL, and write the launches of its kernels into a folder.

    The file `launches.jsonl` of the folder gets a line for each launch: the sizes, the values of scalars and the sizes
    of buffers. Each source that the program builds at run time becomes a file beside it. Then
    `synth verify --from-launch FOLDER/launches.jsonl` verifies these launches.

    This compiles a small library, a layer of OpenCL's loader. It needs a C compiler and the headers of OpenCL. Loaders
    know layers since 2021.

    Exits with the status of the program, or with 128 and the number of the signal that ended it. The status is 2 if
    the program launched no kernel.
    """
    from synth_devices.launch_record import LAUNCHES, record_launches

    with as_user_errors(out, "a place for a new folder"):
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise InputError(f"{out}: expected a new or an empty folder")
        out.mkdir(parents=True, exist_ok=True)
    status = record_launches(program, out)
    launches = out / LAUNCHES
    if not launches.exists():
        raise InputError(
            f"{program[0]} launched no kernel (its exit status was {status}); or its loader of OpenCL is older than"
            " 2021, or is part of the program"
        )
    count = launches.read_text("utf-8", "replace").count("\n")
    say(f"launches: {count}; to verify them: synth verify --from-launch {launches}")
    return _SIGNAL - status if status < 0 else status
