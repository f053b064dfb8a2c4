"""The format `jsonl`: the records as they are, one compact JSON object on each line (definitions, section 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_corpus.formats.format import Export, Format, ImportedProgram, is_alias
from synth_corpus.record import read_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_storage.strict_json import Json


def _write(export: Export) -> Iterator[str]:
    for line in export.lines():
        yield f"{line.decode('utf-8')}\n"


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            place = f"{source}:{number}"
            record = read_record(line, place)
            more = dict(record.more)
            yield ImportedProgram(record.program, place, aliases_of(more, place), record.verdicts, more)


def aliases_of(more: dict[str, Json], place: str) -> tuple[str, ...]:
    """Remove the aliases from the keys of a record and return them: `aliases` is a list, and `alias` is one alias.

    Raises:
        InputError: a value is not an alias.
    """
    aliases_given = more.pop("aliases", [])
    alias_given = more.pop("alias", None)
    aliases = (
        [*aliases_given, *([] if alias_given is None else [alias_given])] if isinstance(aliases_given, list) else [None]
    )
    if not all(isinstance(alias, str) and is_alias(alias) for alias in aliases):
        raise InputError(f"{place}: the aliases are wrong, expected a list of names without spaces")
    return tuple(map(str, aliases))


FORMAT = Format(name="jsonl", says="records, one on each line", suffix=".jsonl", write=_write, read=_read)
