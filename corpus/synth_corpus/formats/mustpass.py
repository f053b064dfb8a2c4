"""The format `mustpass`: the ids, one on each line, of the tests that a device must pass if it claims a verdict.

These are the tests that pass the verdict, so they are guaranteed to end. Lists of this kind tell runners of conformance
suites what to run. When a list is read, lines that begin with `#` are comments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_corpus.formats.format import Export, Format, ImportedProgram

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def _write(export: Export) -> Iterator[str]:
    for test in export.tests():
        if export.guarantees(test):
            yield f"{test.id}\n"


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    for number, line in enumerate(lines, 1):
        word = line.strip()
        if word and not word.startswith("#"):
            try:
                yield ImportedProgram(program_of_id(word), f"{source}:{number}")
            except InputError as error:
                raise type(error)(f"{source}:{number}: {error}") from None


FORMAT = Format(
    name="mustpass",
    says="the ids of the tests that pass a verdict",
    suffix=".txt",
    write=_write,
    read=_read,
    needs=("model",),
    of_passing=True,
)
