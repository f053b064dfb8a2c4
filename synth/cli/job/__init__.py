"""`synth job`: commands for long jobs, with one module for each command."""

from __future__ import annotations

from synth.cli.job import gc, list_, plan, plot, resume, start, status, stop, work
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS

app = group(
    GROUPS["job"],
    start.EXAMPLE,
    ("plan", "Predict the tests, time and disk of a job", plan.plan_command, plan.EXAMPLE),
    ("start", "Start a job", start.start_command, start.EXAMPLE),
    ("status", "Say how far a job has come, and when it will be done", status.status_command, status.EXAMPLE),
    ("list", "List the jobs below a folder", list_.list_command, list_.EXAMPLE),
    ("stop", "Ask all processes that work on a job to stop", stop.stop_command, stop.EXAMPLE),
    ("resume", "Continue a job that was stopped", resume.resume_command, resume.EXAMPLE),
    ("work", "Work on the shards (parts) of a job until none is left", work.work_command, work.EXAMPLE),
    ("plot", "Draw the progress of a job over time", plot.plot_command, plot.EXAMPLE),
    ("gc", "Remove files that killed processes have left behind", gc.gc_command, gc.EXAMPLE),
)
