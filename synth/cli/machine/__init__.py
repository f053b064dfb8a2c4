"""`synth machine`: Event-B machines, with one module for each command."""

from __future__ import annotations

from synth.cli.command import group
from synth.cli.machine import check, export, obligations, prove, show

app = group(
    "Read, check and prove Event-B machines.",
    check.EXAMPLE,
    ("show", "Print components in one form of text", show.show_command, show.EXAMPLE),
    ("check", "Check types and references of components", check.check_command, check.EXAMPLE),
    ("obligations", "Print what must be proved", obligations.obligations_command, obligations.EXAMPLE),
    ("prove", "Prove what must be proved, or refute it", prove.prove_command, prove.EXAMPLE),
    ("export", "Write components for Rodin", export.export_command, export.EXAMPLE),
)
