"""The shards of a job that were tried in vain: a file for each, so that whoever works on the job sees them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, NamedTuple

from synth.jobs.layout import WRITABLE
from synth_storage.files import put_bytes
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

#: How often a shard is tried before it is set aside.
MAX_TRIES = 3


class Failed(NamedTuple):
    """A shard that was tried in vain: how often, and what happened the last time."""

    name: str
    tries: int
    error: str

    @property
    def is_set_aside(self) -> bool:
        """Whether it is not to be tried again."""
        return self.tries >= MAX_TRIES


class Failures:
    """The failures of a job, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> dict[str, Failed]:
        """The shards that were tried in vain, by name."""
        found = map(_failed_in, sorted(self._folder.glob("[0-9]*.json")))
        return {failed.name: failed for failed in found if failed is not None}

    def note(self, name: str, error: str, tries: int = 1) -> None:
        """Note that a shard was tried in vain, so many times more.

        Raises:
            ResourceError: writing failed.
        """
        place = self._place(name)
        before = _failed_in(place)
        fields = {
            "tries": tries + (before.tries if before is not None else 0),
            "error": error,
            "when": round(time.time(), 3),
        }
        put_bytes(place, json.dumps(fields).encode() + b"\n", force=True)

    def forget(self, name: str) -> None:
        """Forget that a shard was tried in vain: it is done, or to be tried anew.

        Raises:
            InputError: the folder can't be written.
            ResourceError: what it lies on failed.
        """
        place = self._place(name)
        with as_user_errors(place, WRITABLE):
            place.unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _failed_in(path: Path) -> Failed | None:
    """The shard that a file tells of; None where it is gone, or not ours."""
    try:
        fields = json.loads(path.read_text("utf-8"))
        return Failed(path.stem, fields["tries"], fields["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
