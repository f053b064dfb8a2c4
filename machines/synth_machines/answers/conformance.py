"""The simulated device and the machines `@schedulers`, held to each other: schedules as traces of a machine.

A schedule has the lines of `synth sim run --events`. Each line is one or two events of the machine:

| line | events |
|---|---|
| `start W SLOT` | Affectation(m = W, s = SLOT); Batch for the first workgroup of a batch |
| `step W`, then neither `end W` nor `preempt W` | Thread_running(m = W), Thread_yield(m = W) |
| `step W`, `end W` | Thread_running(m = W), bloc_ending(m = W) |
| `step W`, `preempt W` | Thread_running(m = W), Preemption(m = W) |

The order of a queue is a constant of the machine. If a launch draws it at random, it is read off the schedule:
workgroups that never start come last, by rising number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt
from synth_checker.nearest import check_known
from synth_devices.sim.presets import read_preset
from synth_devices.sim.schedules import numbered
from synth_machines.answers.files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from synth_devices.sim.scheduler import Scheduler
    from synth_machines.answers.traces import TraceFields, TraceStepFields

#: The machine of each preset.
MACHINES: Mapping[str, str] = {
    "serial": "slots_fifo",
    "linear": "slots_fifo",
    "varying": "slots_fifo",
    "weighted": "slots_fifo",
    "batched": "slots_batched",
    "jitter": "slots_jitter",
    "strided": "slots_strided",
    "reverse": "slots_reverse",
    "shuffled": "slots_queue",
    "lockstep": "lockstep",
    "preemptive-fair": "slots_preemptive",
    "resident": "resident",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a schedule: its number, the word, the workgroup, and the slot of a start."""

    number: int
    word: str
    workgroup: int
    slot: int = -1


def trace_of_schedule(
    lines: Iterable[str], preset: str, workgroups: int | None = None, scheduler: Scheduler | None = None
) -> TraceFields:
    """Return the schedule of a preset as a trace of its machine.

    `workgroups` is how many there are; by default, as many as the schedule names. `scheduler` replaces that of the
    preset, for other numbers of slots.

    Raises:
        InputError: there is no such preset, or a line is not one of a schedule.
    """
    check_known("preset", preset, MACHINES)
    described_scheduler = scheduler or read_preset(preset).scheduler
    read = list(_read(lines))
    count = 1 + max((line.workgroup for line in read), default=0)
    if workgroups is not None and workgroups < count:
        raise InputError(f"schedule: found the workgroup {count - 1}, expected numbers below {workgroups}")
    count = workgroups or count
    setting = _setting(described_scheduler, read, count)
    first: TraceStepFields = {"event": "INITIALISATION", "parameters": {}, "chosen": {}}
    return {
        "machine": MACHINES[preset],
        "setting": setting,
        "steps": [first, *_events(read, described_scheduler, count)],
    }


def read_schedule(file: Path, preset: str, workgroups: int | None = None) -> TraceFields:
    """Return the schedule in a file as a trace, as `trace_of_schedule` does.

    Raises:
        InputError: the file can't be read, or as for `trace_of_schedule`.
    """
    try:
        text = read_limited(file, expected="a schedule of synth sim").decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file}: found a byte that is no UTF-8, expected a schedule of synth sim") from None
    try:
        return trace_of_schedule(text.splitlines(), preset, workgroups)
    except InputError as error:
        raise type(error)(f"{file}: {error}") from None


def _read(lines: Iterable[str]) -> Iterator[_Line]:
    for number, line in numbered(lines):
        word, *numbers = line.split()
        if line in {"ended", "hung"}:
            return
        wanted = {"start": 2, "step": 1, "preempt": 1, "end": 1}.get(word)
        if wanted != len(numbers) or not all(
            number.isascii() and number.isdigit() and len(number) < 10 for number in numbers
        ):
            expected = "start W SLOT, step W, preempt W, end W or the outcome"
            raise InputError(f"line {number}: found {excerpt(line)!r}, expected {expected}")
        yield _Line(number, word, *map(int, numbers))


def _setting(scheduler: Scheduler, read: list[_Line], count: int) -> dict[str, str]:
    slots = min(scheduler.slots[1], -(-count // scheduler.batch))
    texts = {"nb": str(count), "places": str(slots)}
    if scheduler.order != "linear":
        order = _order(scheduler, read, count)
        texts["order"] = f"{{{', '.join(f'{place} ↦ {workgroup}' for place, workgroup in enumerate(order))}}}"
    if scheduler.order in {"stride", "jitter"}:
        texts[scheduler.order] = str(scheduler.spread)
    if scheduler.batch > 1:
        texts["batch"] = str(scheduler.batch)
    if scheduler.quantum:
        texts["quantum"] = str(scheduler.quantum)
    return texts


def _order(scheduler: Scheduler, read: list[_Line], count: int) -> list[int]:
    """Return the order of the queue. If a launch draws it at random, it is the order in which workgroups start."""
    everyone = range(count)
    match scheduler.order:
        case "reverse":
            return list(reversed(everyone))
        case "stride":
            return sorted(everyone, key=lambda workgroup: workgroup % scheduler.spread)
    started = dict.fromkeys(line.workgroup for line in read if line.word == "start")
    return [*started, *(workgroup for workgroup in everyone if workgroup not in started)]


def _events(read: list[_Line], scheduler: Scheduler, count: int) -> Iterator[TraceStepFields]:
    after = {"end": "bloc_ending", "preempt": "Preemption"}
    for place, line in enumerate(read):
        block = {"m": str(line.workgroup)}
        match line.word:
            case "start":
                is_first = scheduler.batch > 1 and line.workgroup % scheduler.batch == 0
                parameters = {**block, "s": str(line.slot)}
                if is_first:
                    parameters["h"] = str(min(line.workgroup + scheduler.batch, count))
                yield {"event": "Batch" if is_first else "Affectation", "parameters": parameters, "chosen": {}}
            case "step":
                yield {"event": "Thread_running", "parameters": block, "chosen": {}}
                follower = read[place + 1] if place + 1 < len(read) else None
                if follower is None or follower.word not in after:
                    yield {"event": "Thread_yield", "parameters": block, "chosen": {}}
            case word:
                yield {"event": after[word], "parameters": block, "chosen": {}}
