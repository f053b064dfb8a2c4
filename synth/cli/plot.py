"""`synth plot`: a figure of corpora, campaigns or jobs."""

from __future__ import annotations

from typing import Annotated

import typer

from synth.cli.shared.output_files import OutFile, ReplaceFile, check_force, put_text
from synth.cli.shared.question_options import Aliases
from synth.cli.shared.vocabulary import completer

EXAMPLE = "Example: synth plot never-sometimes-always sim.campaign --out figure.svg"


def plot_command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Which figure: {tables}.", autocompletion=completer("tables"))
    ],
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER...",
            help="Corpora, campaigns, jobs, or folders with some of them.",
            autocompletion=completer("corpora"),
        ),
    ],
    aliases: Aliases = False,
    out: OutFile = None,
    force: ReplaceFile = False,
) -> None:
    """Draw a figure of corpora, campaigns or jobs as SVG.

    The figure shows the table that `synth campaign table --name NAME` writes. This command needs Matplotlib, which the
    extra `plot` installs. The same data give the same bytes.
    """
    from synth_analysis.tables.figures import figure_of
    from synth_analysis.tables.kinds import table_of

    check_force(out, force=force)
    put_text(figure_of(name, table_of(folders, name, aliases=aliases)), out, force=force)
