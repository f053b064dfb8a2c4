"""The schedulers that ship (presets), and the verdicts that they imply.

A preset implies a verdict if every test that passes the verdict ends in every launch of the preset. This holds under
each mapping that keeps the ids of the threads of an instance in order. Where the scheduler picks the next workgroup at
random, this holds with probability 1. docs/understand/sim.md has an argument for each preset.
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

_STARTED_IN_ORDER = ("LOBE.strong",)

#: The strongest verdicts that each preset implies. It implies all verdicts, too, that are at most as fair as one of
#: these, see `synth_checker.relations.fairness_order`.
IMPLIED: Mapping[str, tuple[str, ...]] = {
    "serial": _STARTED_IN_ORDER,
    "linear": _STARTED_IN_ORDER,
    "varying": _STARTED_IN_ORDER,
    "weighted": _STARTED_IN_ORDER,
    "batched": ("HSA+OBE.strong",),
    "jitter": ("OBE.strong",),
    "strided": ("OBE.strong",),
    "reverse": ("OBE.strong",),
    "shuffled": ("OBE.strong",),
    "lockstep": ("fair.weak",),
    "preemptive-fair": ("fair.weak",),
    "resident": ("fair.strong",),
}


#: The most bytes of the file of a scheduler.
MOST_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Preset:
    """A scheduler that ships: its name, what it does in one sentence, and the strongest verdicts that it implies."""

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
    """Read a scheduler: the name of a preset, or the path of a file.

    If a word is both, it means the preset.

    Raises:
        InputError: there is no such preset or file, or the file is not as docs/understand/sim.md says.
    """
    return read_preset(word).scheduler


def read_preset(word: str) -> Preset:
    """Return a preset, or a scheduler that a file describes, of which it is not known what it implies.

    Raises:
        InputError: there is no such preset or file, or the file is not as docs/understand/sim.md says.
    """
    is_path = any(sign in word for sign in "./\\") or _exists(word)
    if word in IMPLIED or not is_path:
        return preset(word)
    return Preset(word, "A scheduler that a file describes.", _read_file(word), ())


def _read_file(word: str) -> Scheduler:
    try:
        return scheduler_of(_text(Path(word)))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"{word}: the file of a scheduler can't be read: {reason}") from error
    except InputError as error:
        raise InputError(f"{word}: {error}") from error


def _exists(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):  # a word that is too long for a name, or has a zero character
        return False


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():  # a device may have no end, and a pipe may never begin
        raise InputError("found a folder or a device, expected the file of a scheduler")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"found more than {MOST_BYTES:,} bytes, expected the file of a scheduler, which is small")
    return data.decode("utf-8-sig")
