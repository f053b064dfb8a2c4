"""`synth campaign export`: write a campaign for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synth.cli.shared.output_files import OutFile, check_force
from synth.cli.shared.streams import print_data
from synth.cli.shared.vocabulary import one_of

EXAMPLE = "Example: synth campaign export sim.campaign --format jsonl"


def export_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the campaign.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="How to write it: csv, jsonl, results.",
            autocompletion=one_of("csv", "jsonl", "results"),
        ),
    ] = "jsonl",
    out: OutFile = None,
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help="Which table, if the campaign was made of several.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export at that path.")] = False,
) -> None:
    """Write a campaign for other programs.

    `jsonl` has a line for each launch, with all that is known of it. `results` has the lines that emitted programs
    print. `csv` is for a campaign that was made of a published table, and writes this table, to the byte.
    """
    from synth_campaigns.answers.exported import export_text, put_export

    check_force(out, force=force)
    if out is not None:
        put_export(folder, form, table, out, force=force)
    else:
        print_data(export_text(folder, form, table))
