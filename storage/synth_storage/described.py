"""What a folder of ours says of itself: a JSON object with its `kind`, its `format` and, under `run`, what wrote it.

Corpora, jobs and certificates each have one. A release reads one format of each kind. Of any other format it can still
read these three, and so refuses it with the name of the release that can read the folder.
"""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage import strict_json
from synth_storage.folders import beginning

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth_storage.strict_json import Json


def described(text: str) -> dict[str, Json] | None:
    """A JSON object that says its `format` and `kind`; None for anything else."""
    try:
        found = strict_json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and {"format", "kind"} <= set(found) else None


def says_kind(path: Path, kind: str, longest: int) -> bool:
    """Whether a file is a JSON object of that `kind`, of whatever format, in no more than so many bytes.

    Raises:
        OSError: it can't be read.
    """
    found = described(beginning(path, longest).decode("utf-8", "replace"))
    return found is not None and found["kind"] == kind


def read_described(text: str, source: str, kind: str, format_: int) -> dict[str, Json]:
    """The object in a text, which must be of that kind and format.

    Raises:
        InputError: it is none, or of another kind or format; the message says which release can read it, if it says.
    """
    found = described(text)
    if found is None:
        msg = f"{source}: found no JSON object with 'format' and 'kind', expected format {format_} of {kind!r}"
        raise InputError(msg)
    if (found["kind"], found["format"]) != (kind, format_):
        is_ours = found["kind"] == kind
        said = f"format {reprlib.repr(found['format'])} of {repr(kind) if is_ours else reprlib.repr(found['kind'])}"
        msg = f"{source}: found {said}, expected format {format_} of {kind!r}, which this release reads"
        tool = _written_by(found)
        raise InputError(f"{msg}; {tool} wrote it and can read it" if is_ours and tool else msg)
    return found


def _written_by(found: Mapping[str, object]) -> str:
    """Which release wrote an object of whatever format, if it says so where this format does."""
    run = found.get("run")
    tool = run.get("tool") if isinstance(run, dict) else None
    return reprlib.repr(tool)[1:-1] if isinstance(tool, str) else ""
