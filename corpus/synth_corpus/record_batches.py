"""Read the records of a corpus as batches of lines, once and in order.

Lines begin with their ids and are sorted by them. So corpora can be joined, merged and compared as bytes, and a command
parses only the records that it needs. Decompression and the checksum run in a thread of their own, without the lock of
the Python interpreter. If a file has been damaged, the message names the file and the line.
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
from synth_storage.open_file import open_for_reading
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: The beginning of every record; the id follows.
HEAD = b'{"id":"'
_START = len(HEAD)
#: How many bytes are read at a time, and the most bytes of a record. A longer line is refused without reading its end.
_CHUNK = 1 << 20
_LONGEST_RECORD = 1 << 20


@dataclass(frozen=True)
class RecordBatch:
    """Several consecutive lines: a text in which a line end follows each.

    `number` is that of the first line, from 1.
    """

    number: int
    text: bytes

    @functools.cached_property
    def lines(self) -> list[bytes]:
        """Return the lines without their line ends."""
        return self.text.split(b"\n")[:-1]

    @property
    def last(self) -> bytes:
        """Return the last line without its line end."""
        return self.text[self.text.rfind(b"\n", 0, -1) + 1 : -1]


class Digest:
    """The number of lines of a file and the SHA-256 of its bytes, counted while the file is read."""

    def __init__(self) -> None:
        self.lines = 0
        self._sha256 = hashlib.sha256()

    def update(self, data: bytes | memoryview) -> None:
        """Add the next bytes of the file."""
        self._sha256.update(data)

    @property
    def sha256(self) -> str:
        """Return the checksum of the bytes so far, in hexadecimal digits."""
        return self._sha256.hexdigest()


def id_of(line: bytes) -> bytes:
    """Return the id at the beginning of a record. The record must have been checked by `read_in_order`."""
    return line[_START : line.find(b'"', _START)]


def read_in_order(path: Path, tests: int, sha256: str) -> Iterator[RecordBatch]:
    """Yield the records in a file, after checking that their ids rise and that the file agrees with its manifest.

    `tests` and `sha256` are the number of records and the checksum in the manifest.

    Raises:
        InputError: the file cannot be read or is damaged; the message names the line of the first fault.
        ResourceError: the disk failed.
    """
    digest = Digest()
    last = b""
    for batch in raw_batches(path, digest):
        if not is_in_order(batch, last):
            for number, fault in faults_of_order(batch, last):
                raise InputError(f"{path}:{number}: {fault}")
        last = id_of(batch.last)
        yield batch
    fault = fault_of_end(digest, tests, sha256)
    if fault:
        raise InputError(f"{path}{fault}")


def is_in_order(batch: RecordBatch, last: bytes) -> bool:
    """Return whether the ids of a batch rise and follow the id `last`, as `faults_of_order` requires.

    The C++ core checks all lines at once.
    """
    from synth_checker._native import ids_rise

    return ids_rise(batch.text, HEAD, last) and _is_text(batch.text)


def lines_of(batches: Iterable[RecordBatch]) -> Iterator[bytes]:
    """Yield the lines of batches, one by one."""
    return chain.from_iterable(batch.lines for batch in batches)


def faults_of_order(batch: RecordBatch, last: bytes) -> Iterator[tuple[int, str]]:
    """Yield a line number and a message for each line of a batch that is no record or stands in the wrong order.

    Each line must be UTF-8, and begin with an id that is greater than the id of the line before it. The line before the
    batch has the id `last`.
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
            yield number, f"found {id_.decode()} after {last.decode()}, expected records sorted by id"
        last = max(id_, last)


def fault_of_end(digest: Digest, tests: int, sha256: str) -> str:
    """Return why a file that has been read to its end does not agree with its manifest, or an empty text if it does.

    Messages put the result after the name of the file. `tests` and `sha256` are the number of records and the checksum
    in the manifest.
    """
    if digest.lines != tests:
        return f":{min(digest.lines, tests) + 1}: found {digest.lines} records, expected {tests} as in the manifest"
    if digest.sha256 != sha256:
        return f": found {tests} records with the checksum {digest.sha256!r}, expected {sha256!r} as in the manifest"
    return ""


def raw_batches(path: Path, digest: Digest) -> Iterator[RecordBatch]:
    """Yield the lines of a compressed file in batches, without a check of what the lines contain.

    While the caller works on a batch, another operating-system thread reads the next one. At the end, `digest` has the
    number of all lines and the checksum of the file.

    Raises:
        InputError: the file cannot be read, is cut off, or has a line that is longer than any record.
        ResourceError: the disk failed.
    """
    batches = _batches(path, digest)
    return takewhile(bool, run_in_order(repeat(functools.partial(next, batches, None)), threads=1, ahead=1))


def shown_start(line: bytes) -> str:
    """Return the first 40 bytes of a line in quotes, for a message; `...` follows if the line is longer."""
    text = line[:40].decode("utf-8", "backslashreplace")
    return f"{text!r}{'...' if len(line) > 40 else ''}"


def _batches(path: Path, digest: Digest) -> Iterator[RecordBatch]:
    """Yield the batches of `raw_batches`, one after the other, without a thread."""
    import zstandard

    from synth_checker._native import ended_lines

    buffer = bytearray(_LONGEST_RECORD + _CHUNK)  # used again and again: new memory costs as much as a checksum
    view = memoryview(buffer)
    rest = 0  # the number of bytes at its start that belong to a line whose end has not been read
    try:
        with (
            open_for_reading(path) as file,
            zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as data,
        ):
            while length := data.readinto(view[rest : rest + _CHUNK]):
                digest.update(view[rest : rest + length])
                end = buffer.rfind(b"\n", rest, rest + length) + 1
                unfinished = bytes(view[end : rest + length])
                if end:
                    batch = RecordBatch(digest.lines + 1, bytes(view[:end]))
                    digest.lines += ended_lines(batch.text)
                    yield batch
                view[: len(unfinished)] = unfinished
                rest = len(unfinished)
                if rest > _LONGEST_RECORD:
                    size = f"{_LONGEST_RECORD >> 20} MB"
                    raise InputError(f"{path}:{digest.lines + 1}: found a line of more than {size}, expected a record")
    except OSError as error:
        raise refusal(path, error, "compressed records") from error
    except zstandard.ZstdError as error:
        raise InputError(f"{path}:{digest.lines + 1}: {error}, expected compressed records") from error
    if rest:
        raise InputError(
            f"{path}:{digest.lines + 1}: found {shown_start(unfinished)} without a line end, expected a whole record"
        )


def _is_text(data: bytes) -> bool:
    """Return whether bytes are UTF-8. Nearly all are ASCII, which is quick to check."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
