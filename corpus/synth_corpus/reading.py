"""The records of a corpus as batches of raw lines, read once and in order.

Lines begin with their ids and are ordered as these are, so corpora are joined, merged and compared as bytes; JSON is
parsed only of what a command is about. Decompressing and the checksum go on in a thread of their own, without the
interpreter's lock. What is no longer as it was written is told with file and line.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from itertools import chain, repeat, takewhile
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.os_threads import run_in_order
from synth_checker.programs.id_layout import ID_PATTERN
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: How a record begins: its id follows.
HEAD = b'{"id":"'
_START = len(HEAD)
#: Bytes read at a time, and far more than any record has: what is longer is none, and is not read to its end.
_CHUNK = 1 << 20
_LONGEST_RECORD = 1 << 20


@dataclass(frozen=True)
class Batch:
    """Some lines that follow each other: a text, each of them ended; `number` is that of the first, counted from 1."""

    number: int
    text: bytes

    @functools.cached_property
    def lines(self) -> list[bytes]:
        """The lines, without their line ends."""
        return self.text.split(b"\n")[:-1]

    @property
    def last(self) -> bytes:
        """The last line."""
        return self.text[self.text.rfind(b"\n", 0, -1) + 1 : -1]


class Digest:
    """What is known of a file when it has been read: how many lines, and the SHA-256 of them all."""

    def __init__(self) -> None:
        self.lines = 0
        self._sha256 = hashlib.sha256()

    def update(self, data: bytes | memoryview) -> None:
        """Add the bytes that follow."""
        self._sha256.update(data)

    @property
    def sha256(self) -> str:
        """The checksum so far, in hexadecimal digits."""
        return self._sha256.hexdigest()


def id_of(line: bytes) -> bytes:
    """The id at the head of a record, whose bytes `read_in_order` has looked at."""
    return line[_START : line.find(b'"', _START)]


def read_in_order(path: Path, tests: int, sha256: str) -> Iterator[Batch]:
    """The records in a file, each with an id, ids rising, as many and with the checksum that a manifest says.

    Raises:
        InputError: the file can't be read, or is not that one; of two faults the first, with its line.
        ResourceError: what it lies on failed.
    """
    digest = Digest()
    last = b""
    for batch in raw(path, digest):
        if not is_in_order(batch, last):
            for number, fault in faults_of_order(batch, last):
                raise InputError(f"{path}:{number}: {fault}")
        last = id_of(batch.last)
        yield batch
    fault = fault_of_end(digest, tests, sha256)
    if fault:
        raise InputError(f"{path}{fault}")


def is_in_order(batch: Batch, last: bytes) -> bool:
    """Whether `faults_of_order` finds nothing, which the core tells of all lines at once."""
    from synth_checker._native import ids_rise

    return ids_rise(batch.text, HEAD, last) and _is_text(batch.text)


def lines_of(batches: Iterable[Batch]) -> Iterator[bytes]:
    """The lines of batches, one by one."""
    return chain.from_iterable(batch.lines for batch in batches)


def faults_of_order(batch: Batch, last: bytes) -> Iterator[tuple[int, str]]:
    """What is wrong with the ids of a batch, which follows a line with the id `last`: line numbers and words.

    Likewise where a line is no text.
    """
    for number, line in enumerate(batch.lines, batch.number):
        id_ = id_of(line)
        if not line.startswith(HEAD) or ID_PATTERN.fullmatch(id_.decode("utf-8", "replace")) is None:
            yield number, f'found {shown_start(line)}, expected a record, which begins with {HEAD.decode()}ID"'
            continue
        if not _is_text(line):
            yield number, f"found {shown_start(line)} with a byte that is not UTF-8, expected a record"
        if id_ == last:
            yield number, f"found {id_.decode()} a second time, expected each id once"
        elif id_ < last:
            yield number, f"found {id_.decode()} behind {last.decode()}, expected records sorted by id"
        last = max(id_, last)


def fault_of_end(digest: Digest, tests: int, sha256: str) -> str:
    """What is wrong with a file that has been read to its end; a text that follows its name, empty if nothing is."""
    if digest.lines != tests:
        return f":{min(digest.lines, tests) + 1}: found {digest.lines} records, expected {tests} as in the manifest"
    if digest.sha256 != sha256:
        return f": found {tests} records with checksum {digest.sha256!r}, expected {sha256!r}"
    return ""


def raw(path: Path, digest: Digest) -> Iterator[Batch]:
    """The lines of a compressed file, whatever they are, in batches that are read while one is looked at.

    At the end `digest` has counted them.

    Raises:
        InputError: the file can't be read, is cut off, or has a line longer than any record.
        ResourceError: what it lies on failed.
    """
    batches = _batches(path, digest)
    return takewhile(bool, run_in_order(repeat(functools.partial(next, batches, None)), threads=1, ahead=1))


def shown_start(line: bytes) -> str:
    """The first bytes of a line, as a message quotes them."""
    text = line[:40].decode("utf-8", "backslashreplace")
    return f"{text!r}{'...' if len(line) > 40 else ''}"


def _batches(path: Path, digest: Digest) -> Iterator[Batch]:
    """The batches of `raw`, one after the other."""
    import zstandard

    from synth_checker._native import ended_lines

    buffer = bytearray(_LONGEST_RECORD + _CHUNK)  # the same one again: new memory costs as much as a checksum
    view = memoryview(buffer)
    rest = 0  # so many bytes at its start are of a line whose end was not read
    try:
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as data:
            while length := data.readinto(view[rest : rest + _CHUNK]):
                digest.update(view[rest : rest + length])
                end = buffer.rfind(b"\n", rest, rest + length) + 1
                left = bytes(view[end : rest + length])
                if end:
                    batch = Batch(digest.lines + 1, bytes(view[:end]))
                    digest.lines += ended_lines(batch.text)
                    yield batch
                view[: len(left)] = left
                rest = len(left)
                if rest > _LONGEST_RECORD:
                    msg = f"{path}:{digest.lines + 1}: found more than {_LONGEST_RECORD >> 20} MB, expected a record"
                    raise InputError(msg)
    except OSError as error:
        raise refusal(path, error, "compressed records") from error
    except zstandard.ZstdError as error:
        raise InputError(f"{path}:{digest.lines + 1}: {error}, expected compressed records") from error
    if rest:
        msg = f"{path}:{digest.lines + 1}: found {shown_start(left)} without a line end, expected a whole record"
        raise InputError(msg)


def _is_text(data: bytes) -> bool:
    """Whether bytes are UTF-8; nearly all are letters of ASCII, which is seen at once."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
