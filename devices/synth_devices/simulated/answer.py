"""The answers of the commands below `synth sim` as JSON. That of `synth sim power` is `power.Power`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_corpus.record import Id
from synth_devices.sim.presets import IMPLIED, preset
from synth_devices.simulated.counts import LaunchCounts
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from synth_devices.sim.presets import Preset
    from synth_devices.sim.scheduler import Scheduler
    from synth_devices.simulated.counts import SimulationCounts


class SchedulerAnswer(NamedTuple):
    """The configuration of a scheduler, with the keys of its file."""

    slots: list[int]
    order: str
    batch: int
    preempt: int | None
    pick: str
    seed: int


class SimulationAnswer(NamedTuple):
    """A test, how it was launched, how many launches ended and hung, and each launch."""

    test: Id
    scheduler: SchedulerAnswer
    mapping: str
    instances: int
    ended: int
    hung: int
    launches: tuple[LaunchCounts, ...]


class PresetAnswer(NamedTuple):
    """A scheduler that ships, and the strongest verdicts that it implies.

    It also implies each verdict that is at most as fair as one of these.
    """

    name: str
    about: str
    scheduler: SchedulerAnswer
    implied: tuple[str, ...]


def _scheduler(of: Scheduler) -> SchedulerAnswer:
    return SchedulerAnswer(list(of.slots), of.order_word, of.batch, of.quantum or None, of.pick, of.seed)


def simulation_answer(counts: SimulationCounts) -> SimulationAnswer:
    """Return the launches of a test as `synth sim run --json` prints them."""
    scheduler = _scheduler(counts.scheduler)
    return answer_from(SimulationAnswer, counts, test=counts.id, scheduler=scheduler, launches=counts.each)


def preset_answer(of: Preset) -> PresetAnswer:
    """Return a scheduler that ships, as `synth sim list` and `synth sim show` print it."""
    return answer_from(PresetAnswer, of, scheduler=_scheduler(of.scheduler))


def presets() -> list[Preset]:
    """Return all schedulers that ship (presets)."""
    return [preset(name) for name in IMPLIED]
