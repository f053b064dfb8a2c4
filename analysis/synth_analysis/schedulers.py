"""A family of simulated schedulers: the presets, and a grid of all combinations of some values of their keys."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.sim.scheduler import Scheduler, scheduler_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: So many slots that all workgroups are resident.
_ALL = 1 << 20


@dataclass(frozen=True, slots=True)
class Grid:
    """Values of the keys of scheduler files (docs/sim.md). `preempt` 0 stands for never."""

    slots: Sequence[int] = (1, 2, 4, 8, 16, 32, 64, _ALL)
    order: Sequence[str] = ("linear", "reverse", "stride:13", "random", "jitter:96")
    batch: Sequence[int] = (1, 4)
    preempt: Sequence[int] = (0, 7)
    pick: Sequence[str] = ("rotate", "lowest", "random")

    def schedulers(self) -> list[Scheduler]:
        """Return all combinations that a scheduler file allows.

        Raises:
            InputError: a value is not allowed.
        """
        found = []
        for slots, order, batch, preempt, pick in itertools.product(
            self.slots, self.order, self.batch, self.preempt, self.pick
        ):
            if preempt and (batch > 1 or pick not in {"rotate", "lowest"}):
                continue
            read = scheduler_of(f'slots = {slots}\norder = "{order}"')
            found.append(replace(read, batch=batch, quantum=preempt, pick=pick))
        return found


def family(grid: Grid, more: Iterable[Scheduler] = ()) -> dict[str, Scheduler]:
    """Return the presets, a grid of schedulers, and further ones, each once, by name.

    The name of a preset is its own. Others are named by the keys of their files. Seeds do not matter.
    """
    found = {replace(preset(name).scheduler, seed=0): name for name in IMPLIED}
    for scheduler in (*grid.schedulers(), *more):
        found.setdefault(replace(scheduler, seed=0), keys_of(scheduler))
    return {name: one for one, name in found.items()}


def keys_of(one: Scheduler) -> str:
    """Return the keys of a scheduler in one line, those with their usual value left out."""
    least, most = one.slots
    slots = "all" if least >= _ALL else str(least) if least == most else f"{least} to {most}"
    rows = [f"slots {slots}", one.order_word]
    if one.batch > 1:
        rows.append(f"batch {one.batch}")
    if one.quantum:
        rows.append(f"preempt {one.quantum}")
    return ", ".join([*rows, one.pick])


def implied_by(one: Scheduler) -> str:
    """Return a verdict that a scheduler keeps whatever the test (docs/sim.md), or an empty text.

    A workgroup that has started keeps its slot if nothing pre-empts it, and steps again and again if the pick is fair.
    """
    if one.quantum:
        return ""
    return {"random": "OBE.strong", "weighted": "OBE.strong", "rotate": "OBE.weak"}.get(one.pick, "")


def is_repeatable(one: Scheduler) -> bool:
    """Whether all launches of a scheduler have the same outcome, because nothing in them is random."""
    return one.is_deterministic and one.slots[0] == one.slots[1] and one.order not in {"random", "jitter"}
