"""Write a campaign for other programs: its published table again, its launches, or its result lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_campaigns.answers.published_tables import table_texts
from synth_campaigns.export import launch_lines, result_lines, text_of_line
from synth_campaigns.folder import open_store
from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_storage.files import put_bytes

if TYPE_CHECKING:
    from pathlib import Path

#: The formats, and what each is.
FORMATS = {
    "csv": "the published table of which the campaign was made, to the byte",
    "jsonl": "a line of JSON for each launch, with all that is known of it",
    "results": "the result lines of all attempts, as emitted programs print them",
}


def export_text(folder: Path, form: str, table: str | None = None) -> str:
    """Return a campaign in one of the formats. `table` says which table, if the campaign was made of several.

    Raises:
        InputError: the folder holds no campaign, the format is unknown, or the campaign has nothing for it.
    """
    check_known("format", form, FORMATS)
    if form == "csv":
        texts = table_texts(folder)
        if table is None and len(texts) > 1:
            raise InputError(
                f"{folder}: it was made of {len(texts)} tables; choose one with --table: {', '.join(texts)}"
            )
        name = next(iter(texts)) if table is None else table
        check_known("table", name, texts)
        return texts[name]
    if table is not None:
        raise InputError(f"--table cannot be combined with the format {form}, which has the whole campaign")
    with open_store(folder) as store:
        lines = launch_lines(store) if form == "jsonl" else result_lines(store)
        text = "".join(text_of_line(line) for line in lines)
    if not text:
        what = "launch" if form == "jsonl" else "attempt that a result line can tell"
        raise InputError(f"{folder}: found no {what}; there is nothing to export")
    return text


def put_export(folder: Path, form: str, table: str | None, out: Path, *, force: bool) -> None:
    """Write a campaign in one of the formats to a file.

    Raises:
        InputError: `export_text` refuses, or the file is there and `force` is false.
        ResourceError: writing failed.
    """
    put_bytes(out, export_text(folder, form, table).encode("utf-8"), force=force)
