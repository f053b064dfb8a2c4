"""`synth campaign`: commands for campaigns, with one module for each command."""

from __future__ import annotations

from synth.cli.campaign import (
    analyse,
    bundle,
    collect,
    compare,
    explain,
    export,
    import_,
    next_,
    plan,
    run,
    status,
    table,
)
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS

app = group(
    GROUPS["campaign"],
    run.EXAMPLE,
    ("plan", "Say what a campaign would run, and what it takes", plan.plan_command, plan.EXAMPLE),
    ("run", "Run a campaign, or continue it", run.run_command, run.EXAMPLE),
    ("status", "Say how far a campaign has come, and what it shows", status.status_command, status.EXAMPLE),
    ("analyse", "Say what campaigns show of each device, with the evidence", analyse.analyse_command, analyse.EXAMPLE),
    ("next", "Say which launches tell most next", next_.next_command, next_.EXAMPLE),
    ("explain", "Say which simulated schedulers have the results", explain.explain_command, explain.EXAMPLE),
    ("bundle", "Pack tests for a device of somebody else", bundle.bundle_command, bundle.EXAMPLE),
    ("collect", "Take result lines that others printed", collect.collect_command, collect.EXAMPLE),
    ("import", "Make a campaign of published tables", import_.import_command, import_.EXAMPLE),
    ("export", "Write a campaign for other programs", export.export_command, export.EXAMPLE),
    ("compare", "Say what changed between two campaigns", compare.compare_command, compare.EXAMPLE),
    ("table", "Write a table of corpora, campaigns or jobs, or draw it", table.table_command, table.EXAMPLE),
)
