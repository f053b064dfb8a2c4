"""The parts of a record of a corpus: its id, its verdicts and the keys behind them, cut without reading all of it.

    {"id":"0010-00_0","threads":[[...],[...]],"verdicts":{"unfair":"fail",...},"aliases":["2t_2i/3"]}
           ^^^^^^^^^                                      ^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^

There are few different verdicts and threads, so their texts are read once. Records of corpora are written with their
keys in a fixed order and without spaces (definitions, section 7), and a line that is not so is refused. What others
write may have its keys in any order, and spaces where JSON allows them: `record.read_record` reads that.
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
from synth_corpus.reading import HEAD, shown_start
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from synth_checker.programs.program import Thread
    from synth_storage.strict_json import Json

_BEFORE = b']],"verdicts":{'
_START, _SIZE = len(HEAD), len(_BEFORE) - 1  # the verdicts begin with their brace
#: Of threads, verdicts and the like that are remembered once they are read.
_REMEMBERED = 1 << 16

#: The id, the text of the verdicts, an object, and that of the keys behind them, without braces, or empty.
Parts: TypeAlias = tuple[bytes, bytes, bytes]  # a named tuple takes half a microsecond more, half of the whole


def cut(line: bytes) -> Parts:
    """The parts of a line, which is given without its line end.

    Raises:
        InputError: it is no record as they are written.
    """
    quote = line.find(b'"', _START)
    before = line.find(b"]],", quote)  # where the threads end: no other key stands behind them
    start = before + _SIZE
    end = line.find(b"}", start) + 1
    rest = line[end:]
    if not line.startswith(_BEFORE, before) or (rest != b"}" and (rest[:1] != b"," or rest[-1:] != b"}")):
        msg = f"found {shown_start(line)}, expected a compact record with the keys id, threads, verdicts"
        raise InputError(msg)
    return line[_START:quote], line[start:end], rest[1:-1]


@functools.lru_cache(maxsize=_REMEMBERED)
def verdicts_in(text: bytes) -> tuple[str, Mapping[str, str]]:
    """The verdicts of `Parts`: the signature that they are, one letter `p` or `f` a verdict, and each by its name.

    Raises:
        InputError: they are no object of `pass` and `fail`.
    """
    found = _object(text)
    verdicts = {name: word for name, word in found.items() if isinstance(word, str) and word in {"pass", "fail"}}
    if len(verdicts) < len(found):
        msg = f"found verdicts {shown_start(text)}, expected an object of 'pass' and 'fail'"
        raise InputError(msg)
    return "".join(verdict[0] for verdict in verdicts.values()), verdicts


def more_in(text: bytes) -> Mapping[str, Json]:
    """The further keys of `Parts` and their values.

    Raises:
        InputError: they are no JSON.
    """
    return _object(b"{%b}" % text)


def aliases_in(more: Mapping[str, Json]) -> list[str]:
    """The aliases among further keys."""
    found = more.get("aliases", [])
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def program_in(id_: str) -> Program:
    """The program with an id, each of its threads read once: tests share most of theirs.

    Raises:
        InputError: there is none; LimitError where a number is beyond the limits.
    """
    try:
        return Program(tuple(map(thread_in, threads_of(id_))))
    except InputError:  # which tells of the thread alone
        return program_of_id(id_)


@functools.lru_cache(maxsize=_REMEMBERED)
def thread_in(digits: str) -> Thread:
    """One thread of an id. Raises as `program_in`."""
    for thread in program_of_id(digits):
        return thread
    msg = "found a thread without digits, expected four an instruction"
    raise InputError(msg)


def _check_id(id_: str) -> None:
    """Raise InputError unless there is a program with this id; it is read only where one of its threads is none."""
    if not all(map(_is_thread, threads_of(id_))):
        program_of_id(id_)


@functools.lru_cache(maxsize=_REMEMBERED)
def _is_thread(digits: str) -> bool:
    """Whether these are the digits of a thread."""
    fits = ID_PATTERN.fullmatch(digits) is not None and len(digits) <= LONGEST_THREAD
    return fits and max(digits[TARGET]) <= DIGITS[len(digits) // WIDTH]  # no target behind its end


def uses_of(id_: str) -> tuple[int, int, int, int]:
    """The threads and instructions of a program, and the least numbers of locations and values that have all names.

    By its id, which must be one.
    """
    instructions, locations, values = zip(*map(_used_by, threads_of(id_)), strict=True)
    return len(instructions), sum(instructions), max(locations), max(values)


@functools.lru_cache(maxsize=_REMEMBERED)
def _used_by(thread: str) -> tuple[int, int, int]:
    """The instructions, locations and values of one thread of an id."""
    values = (thread[CHECK] + thread[EXCH]).replace(NO_EXCHANGE, "")
    return len(thread) // WIDTH, 1 + number(max(thread[LOC])), 1 + number(max(values))


class Fields(NamedTuple):
    """A record, read but for its threads, which the id says as well; `signature` has a letter a verdict."""

    id: str
    signature: str
    verdicts: Mapping[str, str]
    more: Mapping[str, Json]


def fields_of(line: bytes, place_of: Callable[[bytes], str]) -> Fields:
    """Read a record; `place_of` says where a line stands, and is asked only if it must be told.

    Raises:
        InputError: it is none; the message starts with its place.
    """
    try:
        head, verdicts, more = cut(line)
        id_ = head.decode("ascii", "replace")
        _check_id(id_)
        return Fields(id_, *verdicts_in(verdicts), more_in(more) if more else {})
    except InputError as error:
        msg = f"{place_of(line)}: {error}"
        raise type(error)(msg) from None


def with_more(line: bytes, more: Mapping[str, object]) -> bytes:
    """A record whose further keys are these, which JSON can write, whatever they were before."""
    _, _, before = cut(line)
    end = len(line) - len(before) - 1 - bool(before)
    text = strict_json.dumps(dict(more)).encode()
    return line[:end] + (b"," if more else b"") + text[1:]


def _object(text: bytes) -> Mapping[str, Json]:
    try:
        found = strict_json.loads(text)
    except (ValueError, RecursionError) as error:
        msg = f"found {shown_start(text)} ({' '.join(str(error).split())}), expected a JSON object"
        raise InputError(msg) from None
    if not isinstance(found, dict):
        msg = f"found {shown_start(text)}, expected a JSON object"
        raise InputError(msg)
    return found
