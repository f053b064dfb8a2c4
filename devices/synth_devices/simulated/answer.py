"""The answers of the commands below `synth sim` as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, TypedDict, cast

from synth_corpus.record import Id
from synth_devices.sim.presets import IMPLIED, preset

if TYPE_CHECKING:
    from synth_devices.sim.presets import Preset
    from synth_devices.sim.scheduler import Scheduler
    from synth_devices.simulated.counts import SimulationCounts
    from synth_devices.simulated.power import Power


class SimulatedLaunchFields(TypedDict):
    """A launch by its number.

    `started` says for each set of threads in how many instances exactly these threads have had a slot. `finished` says
    in how many instances exactly these threads have ended. A set is written with one digit for each thread, thread 0
    first; the digit 1 says that the thread is in the set.
    """

    launch: int
    outcome: Literal["ended", "hung"]
    steps: int
    slots: int
    period: int
    started: dict[str, int]
    finished: dict[str, int]


class SchedulerFields(TypedDict):
    """The configuration of a scheduler, with the keys of its file."""

    slots: list[int]
    order: str
    batch: int
    preempt: int | None
    pick: str
    seed: int


class SimulationFields(TypedDict):
    """A test, how it was launched, how many launches ended and hung, and each launch."""

    test: Id
    scheduler: SchedulerFields
    mapping: str
    instances: int
    ended: int
    hung: int
    launches: list[SimulatedLaunchFields]


class SchedulerFaultFields(TypedDict):
    """A planted fault, the verdict that it breaks, and for each mapping the tests that catch it.

    `candidates` is how many tests of the suite pass the verdict. `hides_in_plain` says that no launch under the mapping
    `plain` can show the fault, if the test has at most six threads.
    """

    name: str
    about: str
    verdict: str
    hides_in_plain: bool
    candidates: int
    caught_by: dict[str, list[Id]]


class PowerFields(TypedDict):
    """The tests of a suite, and the planted faults that they catch.

    `caught` is how many faults some test catches. `smallest` is the smallest part of the suite with the same power.
    """

    tests: list[Id]
    caught: int
    faults: list[SchedulerFaultFields]
    smallest: list[Id]


class PresetFields(TypedDict):
    """A scheduler that ships, and the strongest verdicts that it implies.

    It also implies each verdict that is at most as fair as one of these.
    """

    name: str
    about: str
    scheduler: SchedulerFields
    implied: list[str]


def scheduler_fields(scheduler: Scheduler) -> SchedulerFields:
    """Return a scheduler as a JSON object, with the keys of its file."""
    return {
        "slots": list(scheduler.slots),
        "order": scheduler.order_word,
        "batch": scheduler.batch,
        "preempt": scheduler.quantum or None,
        "pick": scheduler.pick,
        "seed": scheduler.seed,
    }


def simulation_fields(simulation: SimulationCounts) -> SimulationFields:
    """Return the launches of a test as the JSON object that `synth sim run --json` prints."""
    return {
        "test": simulation.id,
        "scheduler": scheduler_fields(simulation.scheduler),
        "mapping": simulation.mapping,
        "instances": simulation.instances,
        "ended": simulation.ended,
        "hung": simulation.hung,
        "launches": [cast("SimulatedLaunchFields", asdict(counts)) for counts in simulation.each],
    }


def power_fields(power: Power) -> PowerFields:
    """Return the power of a suite as the JSON object that `synth sim power --json` prints."""
    return {
        "tests": list(power.tests),
        "caught": power.caught,
        "faults": [
            {
                "name": fault.fault.name,
                "about": fault.fault.about,
                "verdict": fault.fault.verdict,
                "hides_in_plain": fault.fault.hides_in_plain,
                "candidates": fault.candidates,
                "caught_by": {mapping: list(ids) for mapping, ids in fault.by.items()},
            }
            for fault in power.faults
        ],
        "smallest": list(power.smallest),
    }


def presets() -> list[Preset]:
    """Return all schedulers that ship (presets)."""
    return [preset(name) for name in IMPLIED]


def preset_fields(preset_here: Preset) -> PresetFields:
    """Return a scheduler that ships as a JSON object, which `synth sim list` and `synth sim show` print."""
    return {
        "name": preset_here.name,
        "about": preset_here.about,
        "scheduler": scheduler_fields(preset_here.scheduler),
        "implied": list(preset_here.implied),
    }
