"""`synth sim`: tests on a simulated device whose scheduler is known, with one module for each command or two."""

from __future__ import annotations

from synth.cli.shared.command_class import group
from synth.cli.shared.command_list import GROUPS
from synth.cli.sim import attack, power, presets, replay, run

app = group(
    GROUPS["sim"],
    run.EXAMPLE,
    ("run", "Launch tests on a simulated scheduler", run.run_command, run.EXAMPLE),
    ("attack", "Find the worst schedule that a model allows", attack.attack_command, attack.EXAMPLE),
    ("replay", "Check and run a schedule that a file has", replay.replay_command, replay.EXAMPLE),
    ("list", "List the schedulers that ship with synth", presets.list_command, presets.LIST_EXAMPLE),
    ("power", "Say which planted faults a suite catches", power.power_command, power.EXAMPLE),
    ("show", "Show a scheduler and the verdicts that it implies", presets.show_command, presets.SHOW_EXAMPLE),
)
