"""A record cut into its parts without reading all of it: formats that write need few of them, for many records.

The lines of a corpus are as `RecordWriter` makes them, and are cut at their quotes and brackets. Any other record is
read as such, and written anew before it is cut, so that nobody notices but the clock.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, TypeAlias

from synth_checker.normal import program_of_id
from synth_checker.program import Program
from synth_corpus.record import read_record, record_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_checker.program import Thread

_ID, _THREADS, _VERDICTS = '{"id":"', '","threads":[[', ',"verdicts":'

#: The parts of a record: its id, and as JSON its verdicts and the keys behind them (empty: there are none).
Cut: TypeAlias = tuple[str, str, str]  # a named tuple takes half a microsecond more, a fifth of the whole


def cut_all(lines: Iterable[str]) -> Iterator[Cut]:
    """The records of lines, cut.

    Raises:
        InputError: a line is no record; the message starts with its number.
    """
    for number, line in enumerate(lines, 1):
        quote = line.find('"', 7)
        at = line.find(_VERDICTS, quote)
        # No other key stands between the threads and the verdicts: the threads end at the first "]],".
        if line[:7] == _ID and line[quote : quote + 14] == _THREADS and line.find("]],", quote) == at - 2:
            start = at + 12
            end = line.find("}", start) + 1
            yield line[7:quote], line[start:end], line[end + 1 : -2]
        else:
            id_, tail = _regular(line, f"record {number}")
            end = tail.find("}") + 1
            yield id_, tail[:end], tail[end + 1 : -2]


def _regular(line: str, source: str) -> tuple[str, str]:
    """The id of a record, and what stands behind the key of its verdicts, as `RecordWriter` would write it."""
    record = read_record(line, source)
    fields = {**record_fields(record.program, record.verdicts), **record.more}
    line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False) + "\n"
    return record.id, line.partition(_VERDICTS)[2]


@functools.lru_cache(maxsize=4096)
def verdicts_in(text: str) -> dict[str, str]:
    """The verdicts of a record; there are few different ones in a corpus, so they are remembered."""
    found: dict[str, str] = json.loads(text)
    return found


def more_in(text: str) -> dict[str, Any]:
    """The keys behind the verdicts."""
    found: dict[str, Any] = json.loads(f"{{{text}}}")
    return found


def aliases_in(text: str) -> list[str]:
    """The aliases among the keys behind the verdicts."""
    found = more_in(text).get("aliases", []) if text else []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def program_in(id_: str) -> Program:
    """The program with this id."""
    return Program(tuple(map(thread_in, id_.split("-"))))


@functools.lru_cache(maxsize=65536)
def thread_in(digits: str) -> Thread:
    """One thread of an id; tests share most of theirs."""
    return program_of_id(digits)[0]
