"""Note the shards of a job that have failed: a file for each, so that all processes that work on the job see it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_jobs.layout import WRITABLE
from synth_storage.files import put_bytes
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

#: After so many failed tries a shard is set aside.
MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class FailedShard:
    """A shard that has failed: how many tries there were, the last error, and whether no further try will follow."""

    name: str
    tries: int
    error: str
    set_aside: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "set_aside", self.tries >= MAX_TRIES)


class Failures:
    """The failed shards of a job, in a folder with a file for each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> dict[str, FailedShard]:
        """Return the shards that have failed, by name."""
        records = map(_failed_in, sorted(self._folder.glob("[0-9]*.json")))
        return {failed.name: failed for failed in records if failed is not None}

    def note(self, name: str, error: str, tries: int = 1) -> None:
        """Add `tries` failed tries of a shard to those that are noted already, with the error of the last one.

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
        """Forget that a shard has failed, because it is done or gets new tries.

        Raises:
            InputError: the folder is not writable.
            ResourceError: a disk or device failed.
        """
        place = self._place(name)
        with as_user_errors(place, WRITABLE):
            place.unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _failed_in(path: Path) -> FailedShard | None:
    """Return the failed shard that a file describes, or None if the file is gone or is none of ours."""
    try:
        fields = json.loads(path.read_text("utf-8"))
        return FailedShard(path.stem, fields["tries"], fields["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
