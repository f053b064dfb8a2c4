"""`synth kernel`: which progress model a kernel needs, and its launches, with one module for each command."""

from __future__ import annotations

from synth.cli.kernel import check, explain, lts, need, record
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS

app = group(
    GROUPS["kernel"],
    need.EXAMPLE,
    ("need", "Say which model a kernel needs, and why", need.need_command, need.EXAMPLE),
    ("check", "Print whether a kernel must end under each model", check.check_command, check.EXAMPLE),
    ("explain", "Show how a kernel may hang", explain.explain_command, explain.EXAMPLE),
    ("lts", "Write the states and steps of a launch", lts.lts_command, lts.EXAMPLE),
    ("record", "Run a program and write down the launches of its kernels", record.record_command, record.EXAMPLE),
)
