"""`synth campaign table`: a table or a figure of corpora, campaigns or jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from synth.cli.shared.answer_print import as_json
from synth.cli.shared.output_files import (
    AsJson,
    OutFile,
    ReplaceFile,
    check_force,
    chosen_format,
    format_option,
    put_text,
)
from synth.cli.shared.question_options import Aliases
from synth.cli.shared.streams import say
from synth.cli.shared.vocabulary import completer

if TYPE_CHECKING:
    from synth_documents.table import Table

EXAMPLE = "Example: synth campaign table sim.campaign --name never-sometimes-always"
FORMATS = ("markdown", "csv", "svg", "json")


def table_command(
    folders: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDER...",
            help="Corpora, campaigns, jobs, or folders with some of them.",
            autocompletion=completer("corpora"),
        ),
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Which table: {tables}.", autocompletion=completer("tables"))
    ],
    aliases: Aliases = False,
    form: Annotated[str | None, format_option(FORMATS, default="markdown")] = None,
    as_json: AsJson = False,
    out: OutFile = None,
    force: ReplaceFile = False,
) -> None:
    """Write a table of corpora, campaigns or jobs, or draw it as a figure.

    The format `svg` draws the figure. It needs Matplotlib, which the extra `plot` installs. The same data give the same
    bytes in each format.
    """
    from synth_analysis.tables.kinds import table_of

    check_force(out, force=force)
    chosen = chosen_format(form, FORMATS, as_json=as_json)
    table = table_of(folders, name, aliases=aliases)
    text = _written(name, table, chosen)
    for lack in table.lacks if chosen == "csv" else ():  # which has no notes
        say(f"synth: {lack}")
    put_text(text, out, force=force)


def _written(name: str, table: Table, form: str) -> str:
    from synth_analysis.tables.answer import csv_of, table_answer
    from synth_documents.markdown import markdown_of_table

    if form == "svg":
        from synth_analysis.tables.figures import figure_of

        return figure_of(name, table)
    if form == "json":
        return as_json(table_answer(name, table)) + "\n"
    return csv_of(table) if form == "csv" else markdown_of_table(table)
