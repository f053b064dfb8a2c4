"""`synth machine export`: write components for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.machine.options import Source
from synth.cli.shared.answer_print import print_lines
from synth_checker.nearest import check_known

EXAMPLE = "Example: synth machine export @gpu --as rodin project"


def export_command(
    source: Source,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write.")],
    as_: Annotated[
        str, typer.Option("--as", help="rodin: a project with XML files, which Rodin opens.", metavar="rodin")
    ] = "rodin",
    force: Annotated[bool, typer.Option("--force", help="Replace the folder if an earlier export wrote it.")] = False,
) -> int:
    """Write contexts and machines as a project of Rodin.

    The other commands read such a folder, too. `synth machine show` prints it as text.
    """
    from synth_machines.answers.export import export_rodin
    from synth_machines.answers.files import read_project
    from synth_machines.views.machine import export_lines

    check_known("--as", as_, ("rodin",))
    print_lines(export_lines(export_rodin(read_project(source), folder, force=force), folder))
    return 0
