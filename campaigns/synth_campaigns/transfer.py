"""Whether a verdict, which judges one instance of a test, holds of the launches of a cell (definitions, section 10).

All mappings keep the threads of an instance in order. So for the six models the condition of the definitions decides.
For other models, launches of a few instances are judged: two, and also three of a test with two threads. A model with a
counter may notice only larger launches. So there must be more instances than it can count.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_checker.models.guarded import GuardedAutomaton
from synth_checker.relations.transfer import Arrangement, Transfer, part_of, parts_of, proven_transfer, tried_transfer

if TYPE_CHECKING:
    from synth_campaigns.cells import Cell
    from synth_checker.models import Form, Model

#: How many instances of a launch are looked at, in groups of a few.
_LOOKED_AT = 12


def transfer_of(cell: Cell, model: Model, form: Form) -> Transfer:
    """Return whether a verdict of the test of a cell holds of the launches of the cell, and why."""
    setting = cell.setting
    if setting.instances == 1 and not setting.stress:
        return Transfer(holds=True, is_proven=True, reason="there is only one instance")
    known = _proven(model, cell.threads)
    if known is not None:
        return known
    if setting.stress or not setting.instances:
        what = "workgroups that stress memory" if setting.stress else "an unknown number of instances"
        return Transfer(holds=False, is_proven=False, reason=f"{model.name} is not known to transfer to {what}")
    most = 3 if cell.threads <= 2 else 2
    if _counted(model) >= most:
        why = f"{model.name} counts to {_counted(model)}, and only {most} instances can be judged"
        return Transfer(holds=False, is_proven=False, reason=why)
    return tried_transfer(
        cell.test, model, form, _small_launches(setting.mapping, cell.threads, setting.instances, most)
    )


@functools.lru_cache(maxsize=256)
def _proven(model: Model, threads: int) -> Transfer | None:
    return proven_transfer(model, [tuple(range(threads))])


def _counted(model: Model) -> int:
    """Return how far the counters of a model count."""
    if not isinstance(model.fair, GuardedAutomaton):
        return 0
    return max((counter.high - counter.low for counter in model.fair.counters), default=0)


@functools.lru_cache(maxsize=256)
def _small_launches(mapping: str, threads: int, instances: int, most: int) -> tuple[Arrangement, ...]:
    """Return how two, three, up to `most` instances of a launch are arranged.

    Instances at the beginning, in the middle and at the end of the launch are looked at.
    """
    launch = LitmusLaunch(read_mapping(mapping), threads, instances)
    third = _LOOKED_AT // 3
    middle = max(0, instances // 2 - third // 2)
    chosen = {*range(third), *range(middle, middle + third), *range(instances - third, instances)}
    looked_at = part_of(tuple(map(launch.place, range(launch.threads * instances))), chosen)
    return tuple(dict.fromkeys(part for count in range(2, most + 1) for part in parts_of(looked_at, count)))
