"""`synth machine`: Event-B machines, with one module for each command."""

from __future__ import annotations

from synth.cli.machine import animate, compare, export, guarantees, obligations, prove, replay, run, show, validate
from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS

app = group(
    GROUPS["machine"],
    validate.EXAMPLE,
    ("show", "Print components in one form of text", show.show_command, show.EXAMPLE),
    ("validate", "Check types and references of components", validate.validate_command, validate.EXAMPLE),
    ("obligations", "Print what must be proved", obligations.obligations_command, obligations.EXAMPLE),
    ("prove", "Prove what must be proved, or refute it", prove.prove_command, prove.EXAMPLE),
    ("animate", "Step through a machine, or draw its states", animate.animate_command, animate.EXAMPLE),
    ("replay", "Check that a trace is one of a machine", replay.replay_command, replay.EXAMPLE),
    ("run", "Print the times of a kernel on the repaired GPU", run.run_command, run.EXAMPLE),
    (
        "guarantees",
        "Say which progress models a scheduler guarantees",
        guarantees.guarantees_command,
        guarantees.EXAMPLE,
    ),
    ("export", "Write components for Rodin", export.export_command, export.EXAMPLE),
    ("compare", "Compare obligations with those of Rodin", compare.compare_command, compare.EXAMPLE),
)
