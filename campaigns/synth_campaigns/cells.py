"""The cells of a campaign, in the order in which the campaign launches them.

A *cell* is a test on a device under one mapping, with a number of instances, of workgroups that stress memory, and of
busy processes. A rate of hangs always belongs to one cell.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_backends.mapping import Across, read_mapping
from synth_backends.stress import StressShape, read_shape
from synth_backends.target import Choices, sizes_of_launch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.result_line import Purpose
    from synth_campaigns.settings import Settings


@dataclass(frozen=True, slots=True)
class Setting:
    """How a test is launched. All cells of a device with the same setting share one build.

    - `instances` is how many instances of the test run at once.
    - `stress` is how many workgroups only stress memory, and `stress_shape` what these do.
    - `width` is how many threads a workgroup has.
    """

    mapping: str
    instances: int
    stress: int
    width: int = 1
    stress_shape: str = str(StressShape())

    def choices(self) -> Choices:
        """Return the setting as the options of a target."""
        return Choices(self.mapping, self.instances, self.stress, width=self.width, stress_shape=self.stress_shape)


@dataclass(frozen=True, slots=True)
class Cell:
    """A test on a device in a setting, and how many launches it needs.

    - `run` is the number of the part `[[run]]` of the campaign file, counted from 0.
    - `test` is the id of the test, and `threads` is how many threads it has.
    - `busy` is how many processes keep the processors of the host busy during the launches.
    - `declared` is how many launches the cell needs if none of them hangs.
    - `across` says which parts of a launch run the threads of a test. Verdicts speak of workgroups only.
    - `row` and `heading` name the row and the column of a published table. Two rows with one test are two cells.
    - `purpose` is empty unless the campaign does not declare the cell, but launches it to see whether slowness explains
      a hang (`time_evidence`).
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
    purpose: Purpose | Literal[""] = ""

    @property
    def workgroups(self) -> int:
        """How many workgroups a launch starts."""
        of_instance = 1 if read_mapping(self.setting.mapping).apart else self.threads
        return of_instance * self.setting.instances + self.setting.stress


def cells_of(settings: Settings, tests: Sequence[LitmusTest]) -> list[Cell]:
    """Return all cells of a campaign, each once, in the order in which the campaign launches them.

    The same seed gives the same order.
    """
    distinct: dict[Cell, None] = {}
    for number, run in enumerate(settings.runs):
        device, shape = run.load(), str(read_shape(run.stress_shape) if run.stress else StressShape())
        for mapping in map(read_mapping, run.mappings):
            for test in tests:
                threads = len(test.program)
                asked_for = 1 if mapping.name == "plain" else run.instances
                instances, stress = sizes_of_launch(mapping, threads, asked_for, run.stress, device.usual_workgroups)
                width = max(run.width, mapping.lanes(threads))
                setting = Setting(mapping.name, instances, stress, width, shape)
                cell = Cell(
                    number, run.device, test.id, threads, setting, run.busy, settings.launches.declared,
                    mapping.kind.across,
                )  # fmt: skip
                distinct.setdefault(cell)
    cells = list(distinct)
    if settings.order == "shuffled":
        random.Random(f"cells {settings.seed}").shuffle(cells)  # noqa: S311  (an order, no secret)
    return cells
