"""`synth job`: long jobs, one module a command."""

from __future__ import annotations

import typer

from synth.cli.job import resume, start, status, stop

app = typer.Typer(
    rich_markup_mode=None, help="Long jobs: stopped, moved and resumed at any moment.", epilog=start.EXAMPLE
)
app.command("start", epilog=start.EXAMPLE)(start.start_command)
app.command("status", epilog=status.EXAMPLE)(status.status_command)
app.command("resume", epilog=resume.EXAMPLE)(resume.resume_command)
app.command("stop", epilog=stop.EXAMPLE)(stop.stop_command)
