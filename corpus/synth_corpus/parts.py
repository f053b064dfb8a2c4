"""The parts of a record as bytes: its id, its verdicts and the keys behind them, cut without JSON.

    {"id":"0010-00_0","threads":[[...],[...]],"verdicts":{"unfair":"fail",...},"aliases":["2t_2i/3"]}
           ^^^^^^^^^                                      ^^^^^^^^^^^^^^^^^^^^^ ^^^^^^^^^^^^^^^^^^^^^^

There are few different verdicts, so their text is read once. Records are written with their keys in a fixed order and
without spaces (definitions, section 7); a line that is not so is no record.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from synth_checker.errors import InputError
from synth_corpus.reading import HEAD, id_of, shown_start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_corpus.store import Corpus

_BEFORE = b']],"verdicts":'
#: Nothing between the id and that key has this letter, and one letter is found faster than a word.
_LETTER = b"v"
_AHEAD = _BEFORE.index(_LETTER)


class Parts(NamedTuple):
    """`verdicts` is the text of an object, `more` that of the keys behind it without braces, or empty."""

    id: bytes
    verdicts: bytes
    more: bytes


def cut(line: bytes) -> Parts:
    """The parts of a line, which is given without its line end.

    Raises:
        InputError: it is no record as they are written.
    """
    tail = tail_of(line)
    end = tail.find(b"}") + 1
    if not tail.startswith(_BEFORE + b"{") or tail[-1:] != b"}" or tail[end : end + 1] not in (b"}", b","):
        msg = f"found {shown_start(line)}, expected a compact record with the keys id, threads, verdicts"
        raise InputError(msg)
    return Parts(id_of(line), tail[len(_BEFORE) : end], tail[end + 1 : -1])


def tail_of(line: bytes) -> bytes:
    """The end of a record, from the brackets before its verdicts; of other lines, any bytes that are no such end."""
    return line[max(line.find(_LETTER, line.find(b'"', len(HEAD))) - _AHEAD, 0) :]


@functools.lru_cache(maxsize=1 << 12)
def verdicts_in(text: bytes) -> Mapping[str, str]:
    """The verdicts of `Parts`, by name.

    Raises:
        InputError: they are no object of `pass` and `fail`.
    """
    found = _object(text)
    if not all(verdict in ("pass", "fail") for verdict in found.values()):
        msg = f"found verdicts {shown_start(text)}, expected an object of 'pass' and 'fail'"
        raise InputError(msg)
    return found


@functools.lru_cache(maxsize=1 << 12)
def letters_in(text: bytes) -> str:
    """The signature that verdicts are, one letter `p` or `f` a verdict, as manifests have it. Raises as they do."""
    return "".join(verdict[0] for verdict in verdicts_in(text).values())


def more_in(text: bytes) -> Mapping[str, Any]:
    """The further keys of `Parts` and their values.

    Raises:
        InputError: they are no JSON.
    """
    return _object(b"{%b}" % text)


class Fields(NamedTuple):
    """A record, read but for its threads, which the id says as well; `signature` has a letter a verdict."""

    id: str
    signature: str
    verdicts: Mapping[str, str]
    more: Mapping[str, Any]


def fields_of(line: bytes, corpus: Corpus) -> Fields:
    """Read a record of a corpus.

    Raises:
        InputError: it is none; the message says in which line of which file.
    """
    try:
        id_, verdicts, more = cut(line)
        return Fields(id_.decode(), letters_in(verdicts), verdicts_in(verdicts), more_in(more) if more else {})
    except InputError as error:
        msg = f"{corpus.place_of(line)}: {error}"
        raise InputError(msg) from None


def with_more(line: bytes, more: Mapping[str, Any]) -> bytes:
    """A record whose further keys are these, whatever they were before."""
    parts = cut(line)
    end = len(line) - len(parts.more) - 1 - bool(parts.more)
    text = json.dumps(dict(more), separators=(",", ":"), ensure_ascii=False).encode()
    return line[:end] + (b"," if more else b"") + text[1:]


def _object(text: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        msg = f"found {shown_start(text)}, expected a JSON object"
        raise InputError(msg)
    return found
