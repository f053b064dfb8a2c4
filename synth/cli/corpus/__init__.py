"""`synth corpus`: what can be done with a corpus, one module a command."""

from __future__ import annotations

import typer

from synth.cli.corpus.export import EXAMPLE, export_command

app = typer.Typer(rich_markup_mode=None, help="Work with corpora.", epilog=EXAMPLE)


@app.callback()
def _corpus() -> None:
    """Keep each command a word of its own."""


app.command("export", epilog=EXAMPLE)(export_command)
