"""A record cut into its parts without reading all of it: formats that write need few of them, for many records.

The lines of a corpus are as `RecordWriter` makes them, which one regular expression cuts. Any other record is read as
such, and written anew before it is cut, so that nobody notices but the clock.
"""

from __future__ import annotations

import functools
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from synth_checker.errors import InternalError
from synth_checker.normal import program_of_id
from synth_corpus.record import read_record, record_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_checker.program import Thread

_RECORD = re.compile(
    r'\{"id":"([0-9a-z_-]+)","threads":\[\[\{[^\]]*(?:\],\[[^\]]*)*\]\],"verdicts":(\{[^{}]*\})(?:,(.*))?\}\n?',
    re.DOTALL,
)


class Cut(NamedTuple):
    """The parts of a record: its id, and as JSON its verdicts and the keys behind them (empty: there are none)."""

    id: str
    verdicts: str
    more: str


def cut_all(lines: Iterable[str]) -> Iterator[Cut]:
    """The records of lines, cut.

    Raises:
        InputError: a line is no record; the message starts with its number.
    """
    for number, line in enumerate(lines, 1):
        found = _RECORD.fullmatch(line) or _RECORD.fullmatch(_regular(line, f"record {number}"))
        if found is None:
            msg = f"record {number} can't be cut"
            raise InternalError(msg)
        yield Cut(found[1], found[2], found[3] or "")


def _regular(line: str, source: str) -> str:
    record = read_record(line, source)
    fields = {**record_fields(record.program, record.verdicts), **record.more}
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


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


@functools.lru_cache(maxsize=65536)
def thread_in(digits: str) -> Thread:
    """One thread of an id; tests share most of theirs."""
    return program_of_id(digits)[0]
