"""Programs of others, read from files and folders in some format, each with a name where it can have one.

What a file says of a program comes first. A folder names programs by their files, and a prefix those of a file by their
places in it, from 0, as the published suites do: `2t_3i/44`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, TextIO

from synth_checker.errors import InputError
from synth_checker.normal import written_out
from synth_corpus.formats.format import is_alias
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_corpus.formats import Format, Given

#: Characters, more than any suite on one line has; what is longer is no text, and is not read to its end.
_LONGEST_LINE = 64 << 20


def programs_in(paths: Sequence[Path], form: Format, prefix: str | None = None) -> Iterator[Given]:
    """The programs of files, and of all files in folders that have the suffix of the format.

    Raises:
        InputError: a file can't be read, or the format is only written.
    """
    for path in paths:
        try:
            if path.is_dir():
                yield from _in_folder(path, form, prefix)
            else:
                yield from _named(_in_file(path, form), prefix, path.stem)
        except OSError as error:
            raise refusal(path, error, "tests") from error


def _in_folder(folder: Path, form: Format, prefix: str | None) -> Iterator[Given]:
    head = "" if prefix is None else f"{prefix}/"
    for path in sorted(folder.rglob(f"*{form.suffix}")):
        if path.is_file():
            stem = path.relative_to(folder).with_suffix("").as_posix()
            yield from _named(_in_file(path, form), f"{head}{stem}", "")


def _in_file(path: Path, form: Format) -> Iterator[Given]:
    if form.read is None:
        msg = f"format {form.name}: found one that is only written, expected one that can be read"
        raise InputError(msg)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from form.read(_lines(file, str(path)), str(path))
    except UnicodeDecodeError:
        msg = f"{path}: found a byte that is not UTF-8, expected tests in format {form.name}"
        raise InputError(msg) from None


def _lines(file: TextIO, source: str) -> Iterator[str]:
    """The lines of a file, which may be a huge one without any."""
    number = 1
    while line := file.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:
            msg = f"{source}:{number}: found a line of more than {_LONGEST_LINE >> 20} MB, expected tests"
            raise InputError(msg)
        yield line
        number += 1


def _named(found: Iterator[Given], prefix: str | None, stem: str) -> Iterator[Given]:
    """Give programs without an alias one: the prefix with the stem of a file that holds one, or with the place."""
    first = list(islice(found, 2))
    for place, one in enumerate(chain(first, found)):
        if one.aliases or prefix is None:
            yield one
        else:
            alias = "/".join(filter(None, (prefix, stem if len(first) == 1 else str(place))))
            # A tree names the file of a test that has no alias after its id.
            is_id = alias.rpartition("/")[2] == written_out(one.program)
            yield one if is_id else replace(one, aliases=(_word(alias),))


def _word(name: str) -> str:
    """A name of a file as an alias, which is one word that can be printed."""
    return "".join(c if is_alias(c) else "_" for c in name)
