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
    """Values of the keys of scheduler files (docs/understand/sim.md). `preempt` 0 stands for never."""

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
        schedulers = []
        for slots, order, batch, preempt, pick in itertools.product(
            self.slots, self.order, self.batch, self.preempt, self.pick
        ):
            if preempt and (batch > 1 or pick not in {"rotate", "lowest"}):
                continue
            read = scheduler_of(f'slots = {slots}\norder = "{order}"')
            schedulers.append(replace(read, batch=batch, quantum=preempt, pick=pick))
        return schedulers


def scheduler_family(grid: Grid, more: Iterable[Scheduler] = ()) -> dict[str, Scheduler]:
    """Return the presets, a grid of schedulers, and further ones, each once, by name.

    The name of a preset is its own. Others are named by the keys of their files. Seeds do not matter.
    """
    names = {replace(preset(name).scheduler, seed=0): name for name in IMPLIED}
    for scheduler in (*grid.schedulers(), *more):
        names.setdefault(replace(scheduler, seed=0), keys_of(scheduler))
    return {name: scheduler for scheduler, name in names.items()}


def keys_of(scheduler: Scheduler) -> str:
    """Return the keys of a scheduler in one line, those with their usual value left out."""
    least, most = scheduler.slots
    slots = "all" if least >= _ALL else str(least) if least == most else f"{least} to {most}"
    rows = [f"slots {slots}", scheduler.order_word]
    if scheduler.batch > 1:
        rows.append(f"batch {scheduler.batch}")
    if scheduler.quantum:
        rows.append(f"preempt {scheduler.quantum}")
    return ", ".join([*rows, scheduler.pick])


def implied_by(scheduler: Scheduler) -> str:
    """Return a verdict that a scheduler keeps whatever the test (docs/understand/sim.md), or an empty text.

    A workgroup that has started keeps its slot if nothing pre-empts it, and steps again and again if the pick is fair.
    """
    if scheduler.quantum:
        return ""
    return {"random": "OBE.strong", "weighted": "OBE.strong", "rotate": "OBE.weak"}.get(scheduler.pick, "")


def is_repeatable(scheduler: Scheduler) -> bool:
    """Whether all launches of a scheduler have the same outcome, because nothing in them is random."""
    return (
        scheduler.is_deterministic
        and scheduler.slots[0] == scheduler.slots[1]
        and scheduler.order not in {"random", "jitter"}
    )
