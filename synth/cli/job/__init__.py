"""`synth job`: long jobs, one module a command."""

from __future__ import annotations

import typer

from synth.cli.job import gc, list_, plan, plot, resume, start, status, stop, work

app = typer.Typer(
    rich_markup_mode=None, help="Long jobs: stopped, moved and resumed at any moment.", epilog=start.EXAMPLE
)
app.command("plan", epilog=plan.EXAMPLE)(plan.plan_command)
app.command("start", epilog=start.EXAMPLE)(start.start_command)
app.command("status", epilog=status.EXAMPLE)(status.status_command)
app.command("list", epilog=list_.EXAMPLE)(list_.list_command)
app.command("stop", epilog=stop.EXAMPLE)(stop.stop_command)
app.command("resume", epilog=resume.EXAMPLE)(resume.resume_command)
app.command("work", epilog=work.EXAMPLE)(work.work_command)
app.command("plot", epilog=plot.EXAMPLE)(plot.plot_command)
app.command("gc", epilog=gc.EXAMPLE)(gc.gc_command)
