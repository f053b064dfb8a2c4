"""Formats that a corpus is exported in: records to text, as a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.text import write_program
from synth_corpus.record import read_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def _jsonl(lines: Iterable[str]) -> Iterator[str]:
    """The records as they are."""
    yield from lines


def _text(lines: Iterable[str]) -> Iterator[str]:
    """The programs in text form, each with its id as its name, a blank line between them."""
    for number, line in enumerate(lines, 1):
        record = read_record(line, f"record {number}")
        yield ("\n" if number > 1 else "") + write_program(record.program, record.id)


FORMATS: dict[str, Callable[[Iterable[str]], Iterator[str]]] = {"jsonl": _jsonl, "text": _text}


def check_format(name: str) -> None:
    """Raise InputError unless there is a format of this name."""
    if name not in FORMATS:
        msg = f"format: found {name!r}, expected one of {', '.join(FORMATS)}"
        raise InputError(msg)
