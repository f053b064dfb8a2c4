"""Write the tests of a corpus in some format, as a stream of text, into a file, or into a folder."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.files import put_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_corpus.formats import Export, Format

#: How many pieces of text are written at once. To write them one by one would take longer than to make them.
_AT_ONCE = 1000


def export_texts(form: Format, export: Export) -> Iterator[str]:
    """Yield the text of an export in pieces of many tests.

    Raises:
        InputError: the format lacks an option that it needs or has no use for one, the format is no text, or a record
            is unreadable.
    """
    form.check_options(export)
    if form.write is None:
        raise InputError(f"format {form.name}: give the {'file' if form.suffix else 'folder'} to write with --out")
    pieces = form.write(export)
    while piece := "".join(islice(pieces, _AT_ONCE)):
        yield piece


def put_export(form: Format, export: Export, out: Path, *, force: bool = False) -> None:
    """Write an export to a place, completely or not at all; with `force` replace an earlier export there.

    Raises:
        InputError: the options do not fit the format, a record is unreadable, or the place is not usable.
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
