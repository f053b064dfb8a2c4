"""The cells of a campaign, in the order in which they are run.

A *cell* is a test on a device under one mapping, with so many instances, so much stress, and so many busy processes.
Launches are counted by cell, and never added up over several cells.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_backends.mapping import read_mapping
from synth_backends.target import Choices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.litmus_test import LitmusTest
    from synth_campaigns.settings import Settings


#: Which parts of a launch run the threads of a test: workgroups, subgroups of one workgroup, or one subgroup's parts.
Across: TypeAlias = Literal["workgroups", "subgroups", "invocations"]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a test is launched. All cells of a device with the same setting share one build."""

    mapping: str
    instances: int
    stress: int

    def choices(self) -> Choices:
        """Return the setting as the options of a target."""
        return Choices(self.mapping, self.instances, self.stress)


@dataclass(frozen=True, slots=True)
class Cell:
    """A test on a device in a setting, and how many launches were declared for it.

    - `run` is the number of the part `[[run]]` of the campaign file, from 0 on.
    - `across` says which parts of a launch run the threads of a test. Verdicts speak of workgroups only.
    - `row` and `heading` name the row and the column of a published table. Two rows with one test are two cells.
    """

    run: int
    device: str
    test: str
    threads: int
    setting: Setting
    busy: int
    declared: int
    across: Across = "workgroups"
    row: str = ""
    heading: str = ""

    @property
    def workgroups(self) -> int:
        """How many workgroups a launch starts."""
        return self.threads * self.setting.instances + self.setting.stress


def cells_of(settings: Settings, tests: Sequence[LitmusTest]) -> list[Cell]:
    """Return all cells of a campaign, each once, in the order in which they are run.

    The same seed gives the same order.
    """
    found: dict[Cell, None] = {}
    for number, run in enumerate(settings.runs):
        device = run.load()
        for mapping in run.mappings:
            name = read_mapping(mapping).name
            for test in tests:
                threads = len(test.program)
                usual = max(1, (device.usual_workgroups - run.stress) // threads)
                instances = 1 if name == "plain" else run.instances or usual
                setting = Setting(name, instances, run.stress)
                cell = Cell(number, run.device, test.id, threads, setting, run.busy, settings.launches.declared)
                found.setdefault(cell)
    cells = list(found)
    if settings.order == "shuffled":
        random.Random(f"cells {settings.seed}").shuffle(cells)  # noqa: S311  (an order, no secret)
    return cells
