"""Split a record into its parts without parsing all of it: its id, its verdicts, and the keys after the verdicts.

    {"id":"0010-00_0","threads":[[...],[...]],"verdicts":{"unfair":"fail",...},"aliases":["2t_2i/3"]}
           ^^^^^^^^^                                      ^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^

Many records have the same text of verdicts or the same threads, so each different text of these is parsed only once.
The records of corpora have their keys in a fixed order and no spaces (definitions, section 7); a line in another form
is refused. Records that other programs write may have their keys in any order, and spaces; `record.read_record` reads
those.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_checker.errors import InputError
from synth_checker.programs.id_layout import (
    CHECK,
    DIGITS,
    EXCH,
    ID_PATTERN,
    LOC,
    LONGEST_THREAD,
    NO_EXCHANGE,
    TARGET,
    WIDTH,
    number,
    threads_of,
)
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.program import Program
from synth_corpus.record_batches import HEAD, shown_start
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from synth_checker.programs.program import Thread
    from synth_storage.strict_json import Json

_BEFORE = b']],"verdicts":{'
_START, _SIZE = len(HEAD), len(_BEFORE) - 1  # the verdicts begin with their brace
#: How many threads, verdicts and similar texts are kept after they have been parsed.
_REMEMBERED = 1 << 16

#: The id, the text of the verdicts (a JSON object), and the text of the keys after them (without braces, maybe empty).
Parts: TypeAlias = tuple[bytes, bytes, bytes]  # a named tuple takes half a microsecond more, half of the whole


def split_record(line: bytes) -> Parts:
    """Return the parts of a record. The line must be given without its line end.

    Raises:
        InputError: the line is not a record in the form of corpora.
    """
    quote = line.find(b'"', _START)
    before = line.find(b"]],", quote)  # where the threads end: no other key stands behind them
    start = before + _SIZE
    end = line.find(b"}", start) + 1
    rest = line[end:]
    if not line.startswith(_BEFORE, before) or (rest != b"}" and (rest[:1] != b"," or rest[-1:] != b"}")):
        raise InputError(f"found {shown_start(line)}, expected a compact record with the keys id, threads, verdicts")
    return line[_START:quote], line[start:end], rest[1:-1]


@functools.lru_cache(maxsize=_REMEMBERED)
def verdicts_in(text: bytes) -> tuple[str, Mapping[str, str]]:
    """Parse the text of the verdicts in `Parts`: return the signature, and the verdicts by name.

    The signature has one letter `p` or `f` for each verdict.

    Raises:
        InputError: the text is not a JSON object with values `pass` and `fail`.
    """
    fields = _object(text)
    verdicts = {name: word for name, word in fields.items() if isinstance(word, str) and word in {"pass", "fail"}}
    if len(verdicts) < len(fields):
        raise InputError(f"found verdicts {shown_start(text)}, expected an object of 'pass' and 'fail'")
    return "".join(verdict[0] for verdict in verdicts.values()), verdicts


def more_in(text: bytes) -> Mapping[str, Json]:
    """Parse the last part of a record in `Parts`: return the keys after the verdicts, with their values.

    Raises:
        InputError: the text is not JSON.
    """
    return _object(b"{%b}" % text)


def aliases_in(more: Mapping[str, Json]) -> list[str]:
    """Return the aliases of a test. `more` holds the keys of its record that come after the verdicts."""
    aliases = more.get("aliases", [])
    return [alias for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []


def program_in(id_: str) -> Program:
    """Return the program with this id. Each thread is parsed only once, because tests share most of their threads.

    Raises:
        InputError: the text is not an id.
        LimitError: a number is above the limits.
    """
    try:
        return Program(tuple(map(thread_in, threads_of(id_))))
    except InputError:  # its message is about the thread alone
        return program_of_id(id_)


@functools.lru_cache(maxsize=_REMEMBERED)
def thread_in(digits: str) -> Thread:
    """Return the thread with these digits.

    Raises:
        InputError: the text is not the digits of a thread.
        LimitError: a number is above the limits.
    """
    for thread in program_of_id(digits):
        return thread
    raise InputError("found a thread without digits, expected four digits for each instruction")


def _check_id(id_: str) -> None:
    """Raise InputError unless there is a program with this id. The whole id is parsed only if a thread is wrong."""
    if not all(map(_is_thread, threads_of(id_))):
        program_of_id(id_)


@functools.lru_cache(maxsize=_REMEMBERED)
def _is_thread(digits: str) -> bool:
    """Return whether a text is the digits of a thread."""
    fits = ID_PATTERN.fullmatch(digits) is not None and len(digits) <= LONGEST_THREAD
    return fits and max(digits[TARGET]) <= DIGITS[len(digits) // WIDTH]  # no target behind its end


def uses_of(id_: str) -> tuple[int, int, int, int]:
    """Return how many threads, instructions, locations and values a program in normal form has, given its id."""
    instructions, locations, values = zip(*map(_used_by, threads_of(id_)), strict=True)
    return len(instructions), sum(instructions), max(locations), max(values)


@functools.lru_cache(maxsize=_REMEMBERED)
def _used_by(thread: str) -> tuple[int, int, int]:
    """Return the numbers of instructions, locations and values that one thread of an id needs."""
    values = (thread[CHECK] + thread[EXCH]).replace(NO_EXCHANGE, "")
    return len(thread) // WIDTH, 1 + number(max(thread[LOC])), 1 + number(max(values))


class RecordParts(NamedTuple):
    """A record without its threads, which follow from the id. `signature` has a letter for each verdict."""

    id: str
    signature: str
    verdicts: Mapping[str, str]
    more: Mapping[str, Json]


def fields_of(line: bytes, place_of: Callable[[bytes], str]) -> RecordParts:
    """Parse a record. `place_of` returns the place of a line; it is called only for the message of an error.

    Raises:
        InputError: the line is not a record; the message starts with its place.
    """
    try:
        head, verdicts, more = split_record(line)
        id_ = head.decode("ascii", "replace")
        _check_id(id_)
        return RecordParts(id_, *verdicts_in(verdicts), more_in(more) if more else {})
    except InputError as error:
        raise type(error)(f"{place_of(line)}: {error}") from None


def with_more(line: bytes, more: Mapping[str, object]) -> bytes:
    """Return a record in which the keys of `more` replace all keys after the verdicts.

    The values in `more` must be JSON values.
    """
    _, _, before = split_record(line)
    end = len(line) - len(before) - 1 - bool(before)
    text = strict_json.dumps(dict(more)).encode()
    return line[:end] + (b"," if more else b"") + text[1:]


def _object(text: bytes) -> Mapping[str, Json]:
    try:
        entries = strict_json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"found {shown_start(text)} ({' '.join(str(error).split())}), expected a JSON object"
        ) from None
    if not isinstance(entries, dict):
        raise InputError(f"found {shown_start(text)}, expected a JSON object")
    return entries
