"""Read programs of other projects from files and folders in some format, and give them names.

The first of these rules that applies gives the name:

1. If the file itself has a name for the program, the program keeps it.
2. In a folder, the name is the path of the file inside the folder. In a single file, it is the name of the file, but
   only if the caller gives a prefix. Otherwise the program has no name.
3. If the file has several programs, each has a number instead of the name of the file, or after its path. The numbers
   begin with 0.

A prefix from the caller stands before these names, as in the published suites: `2t_3i/44`.
"""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, TextIO

from synth_checker.errors import InputError
from synth_checker.programs.normal import written_out
from synth_corpus.formats.format import is_alias
from synth_storage.open_file import open_for_reading
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_corpus.formats import Format, ImportedProgram

#: The most characters of a line. A suite on a single line has fewer. A longer line is no text and is not read to its
#: end.
_LONGEST_LINE = 64 << 20


def programs_in(paths: Sequence[Path], form: Format, prefix: str | None = None) -> Iterator[ImportedProgram]:
    """Yield the programs of files, and of all files in folders that have the suffix of the format.

    `prefix` comes before the number or file name of a program without a name.

    Raises:
        InputError: a file is unreadable, or `synth` can only write the format.
    """
    for path in paths:
        try:
            if path.is_dir():
                yield from _in_folder(path, form, prefix)
            else:
                yield from _named(_in_file(path, form), prefix, path.stem)
        except OSError as error:
            raise refusal(path, error, "tests") from error


def _in_folder(folder: Path, form: Format, prefix: str | None) -> Iterator[ImportedProgram]:
    head = "" if prefix is None else f"{prefix}/"
    for path in sorted(folder.rglob(f"*{form.suffix}")):
        if path.is_file():
            stem = path.relative_to(folder).with_suffix("").as_posix()
            yield from _named(_in_file(path, form), f"{head}{stem}", "")


def _in_file(path: Path, form: Format) -> Iterator[ImportedProgram]:
    if form.read is None:
        raise InputError(
            f"format {form.name}: synth can write this format but not read it; choose a format that it can read"
        )
    try:
        with io.TextIOWrapper(open_for_reading(path), encoding="utf-8-sig", newline="") as file:
            yield from form.read(_lines(file, str(path)), str(path))
    except UnicodeDecodeError:
        raise InputError(f"{path}: found a byte that is not UTF-8, expected tests in format {form.name}") from None


def _lines(file: TextIO, source: str) -> Iterator[str]:
    """Yield the lines of a file, and refuse a line that is too long, as in a huge file without line breaks."""
    number = 1
    while line := file.readline(_LONGEST_LINE + 1):
        if len(line) > _LONGEST_LINE:
            raise InputError(
                f"{source}:{number}: found a line of more than {_LONGEST_LINE >> 20} MB, which no file of tests has"
            )
        yield line
        number += 1


def _named(programs: Iterator[ImportedProgram], prefix: str | None, stem: str) -> Iterator[ImportedProgram]:
    """Give an alias to each program without one: the prefix, and the file name or the number of the program.

    The file name is used if the file holds a single program.
    """
    first = list(islice(programs, 2))
    for place, program in enumerate(chain(first, programs)):
        if program.aliases or prefix is None:
            yield program
        else:
            alias = "/".join(filter(None, (prefix, stem if len(first) == 1 else str(place))))
            # The format `tree` names the file of a test without an alias after the id of the test.
            is_id = alias.rpartition("/")[2] == written_out(program.program)
            yield program if is_id else replace(program, aliases=(_word(alias),))


def _word(name: str) -> str:
    """Return the name of a file as an alias, which is a single word of printable characters."""
    return "".join(c if is_alias(c) else "_" for c in name)
