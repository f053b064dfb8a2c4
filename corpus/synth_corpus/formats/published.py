"""The format `published`: a JSON array of tests in the form that was published with the paper.

Each test has the keys `alias` (row and number), `pseudo` and `artifact` (two texts of the program), `threads` (as in a
record) and `verdicts` (all except `unfair`). Tests are written in the order of their ids. A test without an alias has
its id as its alias. When a test is read, both texts must agree with its threads.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_corpus.formats import artifact, text
from synth_corpus.formats.format import Export, Format, ImportedProgram
from synth_corpus.formats.jsonl import aliases_of
from synth_corpus.parts import aliases_in, program_in
from synth_corpus.record import read_record, record_fields
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_UNPUBLISHED = "unfair"
_TEXTS = {"pseudo": text.FORMAT.read, "artifact": artifact.FORMAT.read}


def _write(export: Export) -> Iterator[str]:
    yield "["
    between = "\n"
    for test in export.tests():
        fields = {
            "alias": next(iter(aliases_in(test.more)), test.id),
            "pseudo": text.body(test.id),
            "artifact": artifact.body(test.id),
            "threads": record_fields(program_in(test.id), {})["threads"],
            "verdicts": {name: word for name, word in test.verdicts.items() if name != _UNPUBLISHED},
        }
        yield between + json.dumps(fields, indent=1, ensure_ascii=False).replace("\n", "\n ").join((" ", ""))
        between = ",\n"
    yield "\n]\n"


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    try:
        entries = strict_json.loads("".join(lines))
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{source}: this is not JSON ({reason}), expected an array of tests") from None
    if not isinstance(entries, list):
        raise InputError(f"{source}: the JSON is not an array, expected an array of tests")
    for place, fields in enumerate(entries, 1):
        yield _given(fields, f"{source}: test {place}")


def _given(fields: object, place: str) -> ImportedProgram:
    try:
        line = json.dumps(fields)
    except RecursionError:
        raise InputError(f"{place}: found JSON nested too deeply to be read, expected a test") from None
    record = read_record(line, place)
    more = dict(record.more)
    for name, read in _TEXTS.items():
        said = more.pop(name, None)
        if said is None or read is None:
            continue
        programs = list(read(str(said).splitlines(keepends=True), f"{place}, {name}"))
        if [program.program for program in programs] != [record.program]:
            raise InputError(f"{place}: the programs under {name!r} and 'threads' differ, expected the same program")
    aliases = tuple(alias for alias in aliases_of(more, place) if alias != record.id)
    return ImportedProgram(record.program, place, aliases, record.verdicts, more)


FORMAT = Format(
    name="published",
    says="a JSON array of tests, as published with the paper",
    suffix=".json",
    write=_write,
    read=_read,
)
