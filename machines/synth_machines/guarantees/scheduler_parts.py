"""How a machine is read as a scheduler: which of its parts are threads, steps and time.

    threads = "blocs"                  # the threads, as a set of integers
    thread = "m"                       # the name of a thread in `live` and among the parameters of events
    live = "blocsArray(m) ≠ b_end"     # whether thread m has not ended
    step = "Thread_running"            # the event that is a step of thread m
    goes_on = ["Thread_yield"]         # events of m that happen only if it has not ended with its last step
    ends = ["Thread_finishing"]        # events of m that happen only after its last step
    fairness = "weak: all; strong: Thread_running"
    times = ["T_ev"]                   # variables that measure time (`untimed`)
    settings = ["SM=1, nb_kernel_threads=2"]  # the settings that are explored unless somebody gives others

    [constants]                        # their values in a setting, unless somebody gives others
    warp = "1"

The keys `assumed` and `invariants` and the parts `[rounds]` and `[[stages]]` are for proofs; `premises` explains them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_checker.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_machines.checked_components import CheckedMachine

_FOLDER = Path(__file__).parents[1] / "data"
#: The machines that ship with a reading.
WITH_READING = ("@gpu", "@schedulers")


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage on the way of a thread to its next step (`premises`). All formulas are text.

    `when` says whether thread m is in the stage. `helpful` is the event that leads on. `where` says with which
    parameters: their names have `_` at the end, so that `m_` is a parameter m of the event. By default it is `m_ = m`.
    If the event is only strongly fair, `freed_by` is an event that makes it possible again, and `blocked` says with
    which parameters. `variant` gets smaller if the event leads to the same stage. Stages of a `round` follow each
    other; they may come again and again, as the variant of the round gets smaller (`ranks`). They hold only if the
    `when` of the round does. A stage may hold for some machines of a file only.
    """

    name: str
    when: str
    helpful: str
    where: str = ""
    freed_by: str = ""
    blocked: str = ""
    variant: tuple[str, ...] = ()
    round: str = ""
    machines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StageRound:
    """A round of stages, which share a variant. `when` says whether thread m is in one of them."""

    when: str
    variant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddedInvariant:
    """An invariant that a proof needs, for some machines of a file, or for all if it names none."""

    holds: str
    machines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How a machine is read as a scheduler. The module explains the fields."""

    threads: str
    thread: str
    live: str
    step: str
    fairness: str
    goes_on: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    invariants: tuple[AddedInvariant, ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict)
    rounds: Mapping[str, StageRound] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()

    def invariants_of(self, machine: str) -> tuple[str, ...]:
        """Return the invariants that proofs about a machine add to its own."""
        return tuple(
            invariant.holds for invariant in self.invariants if not invariant.machines or machine in invariant.machines
        )

    def check(self, machine: CheckedMachine) -> None:
        """Raise InputError if the machine does not have what the reading names.

        Several machines may share a reading. So of `goes_on` and of `ends`, one event is enough.
        """
        labels = [event.label for event in machine.events]
        for labels_read in ((self.step,), self.goes_on, self.ends):
            there = [event for event in machine.events if event.label in labels_read]
            if labels_read and not there:
                raise unknown("reading: event", labels_read[0], labels)
            for event in there:
                if self.thread not in event.parameters:
                    raise InputError(
                        f"reading: found no parameter {self.thread} of {event.label}, expected it to name a thread"
                    )


_TEXTS = ("threads", "thread", "live", "step", "fairness")
_LISTS = ("goes_on", "ends", "times", "settings", "assumed")
_PARTS = ("invariants", "constants", "rounds", "stages")


def read_reading(text: str) -> Reading:
    """Read the text of a reading, which is TOML.

    Raises:
        InputError: the text is no reading.
    """
    table = read_toml(text)
    for key in table:
        if key not in (*_TEXTS, *_LISTS, *_PARTS):
            raise unknown("reading: key", key, [*_TEXTS, *_LISTS, *_PARTS])
    threads, thread, live, step, fairness = (_text(key, table.get(key)) for key in _TEXTS)
    lists = {key: _texts(key, table.get(key, [])) for key in _LISTS}
    rounds = {name: _round(name, value) for name, value in _table("rounds", table).items()}
    stages = tuple(_stage(stage_text) for stage_text in _list("stages", table.get("stages", [])))
    for stage in stages:
        if stage.round and stage.round not in rounds:
            raise unknown(f"reading: stage {stage.name}: round", stage.round, rounds)
    return Reading(
        *(threads, thread, live, step, fairness),
        goes_on=lists["goes_on"],
        ends=lists["ends"],
        times=lists["times"],
        settings=lists["settings"],
        assumed=lists["assumed"],
        invariants=tuple(
            _invariant(invariant_text) for invariant_text in _list("invariants", table.get("invariants", []))
        ),
        constants={name: _text(f"constants.{name}", value) for name, value in _table("constants", table).items()},
        rounds=rounds,
        stages=stages,
    )


def _stage(table: object) -> Stage:
    keys = Stage.__dataclass_fields__
    if not isinstance(table, dict) or not set(table) <= set(keys) or not {"name", "when", "helpful"} <= set(table):
        raise InputError(f"reading: found a stage without name, when and helpful, expected keys {', '.join(keys)}")
    texts = {key: _text(f"stages.{key}", value) for key, value in table.items() if key not in {"variant", "machines"}}
    return Stage(
        texts["name"],
        texts["when"],
        texts["helpful"],
        where=texts.get("where", ""),
        freed_by=texts.get("freed_by", ""),
        blocked=texts.get("blocked", ""),
        variant=_variant("stages.variant", table.get("variant", [])),
        round=texts.get("round", ""),
        machines=_texts("stages.machines", table.get("machines", [])),
    )


def _round(name: str, table: object) -> StageRound:
    if not isinstance(table, dict) or set(table) != {"when", "variant"}:
        raise InputError(f"reading: rounds.{name}: found no table with when and variant, expected one")
    return StageRound(_text(f"rounds.{name}.when", table["when"]), _variant(f"rounds.{name}.variant", table["variant"]))


def _invariant(value: object) -> AddedInvariant:
    if not isinstance(value, dict):
        return AddedInvariant(_text("invariants", value))
    if not set(value) <= {"holds", "machines"}:
        raise InputError("reading: invariants: found other keys, expected holds and machines")
    machines = _texts("invariants.machines", value.get("machines", []))
    return AddedInvariant(_text("invariants.holds", value.get("holds")), machines)


def _variant(key: str, value: object) -> tuple[str, ...]:
    return (_text(key, value),) if isinstance(value, str) else _texts(key, value)


def _table(key: str, parent: Mapping[str, object]) -> Mapping[str, object]:
    table = parent.get(key, {})
    if not isinstance(table, dict):
        raise InputError(f"reading: {key}: found no table, expected NAME = VALUE")
    return table


def _texts(key: str, values: object) -> tuple[str, ...]:
    return tuple(_text(key, item) for item in _list(key, values))


def _list(key: str, values: object) -> Iterable[object]:
    if not isinstance(values, list):
        raise InputError(f"reading: {key}: found no list, expected one")
    return values


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"reading: {key}: found no text, expected a text in quotes")
    return value


def shipped_reading(name: str) -> Reading:
    """Return the reading of machines that ship, such as `@gpu`."""
    return read_reading((_FOLDER / f"{name.removeprefix('@')}.toml").read_text("utf-8"))
