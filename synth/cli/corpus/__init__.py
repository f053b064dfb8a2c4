"""`synth corpus`: what can be done with a corpus, one module a command."""

from __future__ import annotations

import typer

from synth.cli.corpus import export, import_

app = typer.Typer(rich_markup_mode=None, help="Work with corpora.", epilog=export.EXAMPLE)


@app.callback()
def _corpus() -> None:
    """Keep each command a word of its own."""


app.command("export", epilog=export.EXAMPLE)(export.export_command)
app.command("import", epilog=import_.EXAMPLE)(import_.import_command)
