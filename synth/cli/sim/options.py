"""The options that say how `synth sim` launches a test."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from synth.cli.shared.vocabulary import completer
from synth_devices.sim.defaults import WORKGROUPS

Scheduler: TypeAlias = Annotated[
    str,
    typer.Option(
        help="The scheduler: {schedulers}, or the path of a TOML file that describes one.",
        metavar="SCHEDULER",
        autocompletion=completer("schedulers"),
    ),
]
Mapping: TypeAlias = Annotated[
    str,
    typer.Option(
        help="Which workgroup runs which thread: {mappings}.",
        metavar="MAPPING",
        autocompletion=completer("mappings"),
    ),
]
Instances: TypeAlias = Annotated[
    int | None,
    typer.Option(
        help=f"How many instances of a test run at once.  [default: enough to fill {WORKGROUPS:,} workgroups]",
        metavar="N",
    ),
]
First: TypeAlias = Annotated[
    int,
    typer.Option(
        help="The number of the first launch, which decides its random choices together with the seed.", metavar="N"
    ),
]
Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(help="The seed of the random choices.  [default: the seed of the scheduler]", metavar="N"),
]
