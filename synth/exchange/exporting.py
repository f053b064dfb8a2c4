"""Where an export goes: the tests of a corpus in some format, as a stream of text, into a file or into a folder."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.files import put_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_corpus.formats import Export, Format

#: Pieces of text that are written at once: one by one would take longer than making them.
_AT_ONCE = 1000


def export_texts(form: Format, export: Export) -> Iterator[str]:
    """The text of an export, in pieces of many tests.

    Raises:
        InputError: the format lacks an option or has no use for one, is no text, or the records can't be read.
    """
    form.check_options(export)
    if form.write is None:
        msg = f"format {form.name}: found no --out, expected the {'file' if form.suffix else 'folder'} to write"
        raise InputError(msg)
    pieces = form.write(export)
    while piece := "".join(islice(pieces, _AT_ONCE)):
        yield piece


def put_export(form: Format, export: Export, out: Path, *, force: bool = False) -> None:
    """Write an export to a place, whole or not at all; with `force` an earlier one is replaced.

    Raises:
        InputError: as `export_texts`, or nothing can be put there.
        ResourceError: writing failed.
    """
    form.check_options(export)
    if form.put is not None:
        form.put(export, out, force=force)
        return

    def fill(new: Path) -> None:
        with new.open("x", encoding="utf-8", newline="") as file:
            file.writelines(export_texts(form, export))

    put_file(out, fill, force=force)
