"""The description in a folder that `synth` writes: a JSON object with the keys `kind`, `format` and `run`.

Corpora, jobs and certificates each have one. `run` says, among other things, which release wrote the folder. A release
can read one format of each kind. It can read these three keys in any format. So if it refuses a folder, it can name the
release that can read it.
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
    """Return the JSON object in a text if it has the keys `format` and `kind`; return None for anything else."""
    try:
        value = strict_json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and {"format", "kind"} <= set(value) else None


def is_of_kind(path: Path, kind: str, longest: int) -> bool:
    """Return whether a file is a JSON object of this kind, of any format, with at most `longest` bytes.

    Raises:
        OSError: reading the file failed.
    """
    description = described(beginning(path, longest).decode("utf-8", "replace"))
    return description is not None and description["kind"] == kind


def read_described(text: str, source: str, kind: str, format_: int) -> dict[str, Json]:
    """Return the JSON object in a text, which must be of this kind and format.

    `source` is the name of the text in messages.

    Raises:
        InputError: the text is not such an object, or has another kind or format. The message names the release that
            wrote it, if the text says so.
    """
    description = described(text)
    if description is None:
        raise InputError(
            f"{source}: found no JSON object with the keys kind and format, expected kind {kind!r}, format {format_}"
        )
    if (description["kind"], description["format"]) != (kind, format_):
        is_ours = description["kind"] == kind
        shown_kind = repr(kind) if is_ours else reprlib.repr(description["kind"])
        said = f"format {reprlib.repr(description['format'])} of {shown_kind}"
        msg = f"{source}: found {said}, expected format {format_} of {kind!r}, which this release reads"
        tool = _written_by(description)
        raise InputError(f"{msg}; {tool} wrote it and can read it" if is_ours and tool else msg)
    return description


def _written_by(description: Mapping[str, object]) -> str:
    """Return the release that wrote an object of any format, or an empty text if the object does not say."""
    run = description.get("run")
    tool = run.get("tool") if isinstance(run, dict) else None
    return reprlib.repr(tool)[1:-1] if isinstance(tool, str) else ""
