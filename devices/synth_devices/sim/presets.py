"""The schedulers that ship (presets), and the verdicts that they imply.

A preset implies a verdict if every test that passes the verdict ends in every launch of the preset. This holds under
each mapping that keeps the ids of the threads of an instance in order. Where the scheduler picks the next workgroup at
random, this holds with probability 1. docs/sim.md has an argument for each preset.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_devices.sim.scheduler import Scheduler, scheduler_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_STARTED_IN_ORDER = ("HSA.strong", "OBE.strong", "LOBE.strong", "HSA+OBE.strong")

#: The strongest verdicts that each preset implies. Whatever is at least as fair follows from these.
IMPLIED: Mapping[str, tuple[str, ...]] = {
    "serial": _STARTED_IN_ORDER,
    "linear": _STARTED_IN_ORDER,
    "varying": _STARTED_IN_ORDER,
    "weighted": _STARTED_IN_ORDER,
    "batched": ("HSA.strong", "OBE.strong", "HSA+OBE.strong"),
    "jitter": ("OBE.strong",),
    "strided": ("OBE.strong",),
    "reverse": ("OBE.strong",),
    "shuffled": ("OBE.strong",),
    "lockstep": ("fair.weak",),
    "preemptive-fair": ("fair.weak",),
    "resident": ("fair.strong",),
}


@dataclass(frozen=True, slots=True)
class Preset:
    """A scheduler that ships: its name, what it does in one sentence, and the verdicts that it implies."""

    name: str
    about: str
    scheduler: Scheduler
    implied: tuple[str, ...]


def preset(name: str) -> Preset:
    """Return the preset with this name.

    Raises:
        InputError: there is no such preset.
    """
    if name not in IMPLIED:
        raise unknown("scheduler", name, IMPLIED, f"a TOML file, or one of {', '.join(IMPLIED)}")
    text = (files(__package__) / "presets" / f"{name}.toml").read_text("utf-8")
    return Preset(name, text.partition("\n")[0].removeprefix("# "), scheduler_of(text), IMPLIED[name])


def read_scheduler(word: str) -> Scheduler:
    """Read a scheduler: the name of a preset, or the path of a file, which has a dot or a slash in it.

    Raises:
        InputError: there is no such preset or file, or the file is not as docs/sim.md says.
    """
    if word in IMPLIED or not any(sign in word for sign in "./\\"):
        return preset(word).scheduler
    try:
        text = Path(word).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        msg = f"{word}: the file of a scheduler can't be read: {reason}"
        raise InputError(msg) from error
    try:
        return scheduler_of(text)
    except InputError as error:
        msg = f"{word}: {error}"
        raise InputError(msg) from error
