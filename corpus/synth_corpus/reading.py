"""The records of a corpus as batches of raw lines, read once and in order.

Lines begin with their ids and are ordered as these are, so corpora are joined, merged and compared as bytes; JSON is
parsed only of what a command is about. Decompressing and the checksum go on in a thread of their own, without the
interpreter's lock. What is no longer as it was written is told with file and line.
"""

from __future__ import annotations

import contextlib
import hashlib
import operator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_checker.normal import DIGITS, ID_PATTERN
from synth_corpus.folders import reason

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

#: How a record begins: its id follows.
HEAD = b'{"id":"'
_START = len(HEAD)
#: What ids are made of.
_OF_IDS = f"{DIGITS}_-".encode()
#: Bytes read at a time, and far more than any record has: what is longer is none, and is not read to its end.
_CHUNK = 1 << 19
_LONGEST_RECORD = 1 << 20


class Batch(NamedTuple):
    """Some lines that follow each other, without their line ends; `number` is that of the first, counted from 1."""

    number: int
    lines: list[bytes]


class Digest:
    """What is known of a file when it has been read: how many lines, and the SHA-256 of them all."""

    def __init__(self) -> None:
        self.lines = 0
        self._sha256 = hashlib.sha256()

    def update(self, data: bytes) -> None:
        """Add the bytes that follow."""
        self._sha256.update(data)

    @property
    def sha256(self) -> str:
        """The checksum so far, in hexadecimal digits."""
        return self._sha256.hexdigest()


def id_of(line: bytes) -> bytes:
    """The id at the head of a record, whose bytes `ordered` has looked at."""
    return line[_START : line.find(b'"', _START)]


def ordered(path: Path, tests: int, sha256: str) -> Iterator[Batch]:
    """The records in a file, each with an id, ids rising, as many and with the checksum that a manifest says.

    Raises:
        InputError: the file can't be read, or is not that one; of two faults the first, with its line.
    """
    digest = Digest()
    last = b""
    for batch in raw(path, digest):
        if not in_order(batch, last):
            for number, fault in faults_of_order(batch, last):
                raise InputError(f"{path}:{number}: {fault}")
        last = id_of(batch.lines[-1])
        yield batch
    fault = fault_of_end(digest, tests, sha256)
    if fault:
        raise InputError(f"{path}{fault}")


def in_order(batch: Batch, last: bytes) -> bool:
    """Whether `faults_of_order` would find nothing, as far as a look at all lines at once tells."""
    ids = [line[_START : line.find(b'"', _START)] for line in batch.lines]  # as `id_of`, without a call each
    rise = last < ids[0] and all(map(operator.lt, ids, ids[1:]))
    heads = all(map(bytes.startswith, batch.lines, repeat(HEAD)))
    return rise and heads and _are_ids(ids) and _are_texts(batch.lines)


def lines_of(batches: Iterable[Batch]) -> Iterator[bytes]:
    """The lines of batches, one by one."""
    return chain.from_iterable(map(operator.itemgetter(1), batches))


def faults_of_order(batch: Batch, last: bytes) -> Iterator[tuple[int, str]]:
    """What is wrong with the ids of a batch, which follows a line with the id `last`: line numbers and words.

    Likewise where a line is no text.
    """
    for number, line in enumerate(batch.lines, batch.number):
        id_ = id_of(line)
        if not line.startswith(HEAD) or ID_PATTERN.fullmatch(id_.decode("utf-8", "replace")) is None:
            yield number, f'found {shown_start(line)}, expected a record, which begins with {HEAD.decode()}ID"'
            continue
        if not _are_texts([line]):
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
    """The lines of a compressed file, whatever they are; `digest` counts them.

    Raises:
        InputError: the file can't be read, is cut off, or has a line longer than any record.
    """
    import zstandard

    rest = b""
    try:
        with contextlib.closing(_ahead(_chunks(path, digest))) as chunks:
            for chunk in chunks:
                *lines, rest = (rest + chunk).split(b"\n")
                if lines:
                    digest.lines += len(lines)
                    yield Batch(digest.lines - len(lines) + 1, lines)
                if len(rest) > _LONGEST_RECORD:
                    msg = f"{path}:{digest.lines + 1}: found more than {_LONGEST_RECORD >> 20} MB, expected a record"
                    raise InputError(msg)
    except OSError as error:
        raise InputError(f"{path}: {reason(error)}, expected compressed records") from error
    except zstandard.ZstdError as error:
        raise InputError(f"{path}:{digest.lines + 1}: {error}, expected compressed records") from error
    if rest:
        msg = f"{path}:{digest.lines + 1}: found {shown_start(rest)} without a line end, expected a whole record"
        raise InputError(msg)


def shown_start(line: bytes) -> str:
    """The first bytes of a line, as a message quotes them."""
    text = line[:40].decode("utf-8", "backslashreplace")
    return f"{text!r}{'...' if len(line) > 40 else ''}"


def _chunks(path: Path, digest: Digest) -> Generator[bytes]:
    """A file decompressed, some of it at a time."""
    import zstandard

    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as data:
        while chunk := data.read(_CHUNK):
            digest.update(chunk)
            yield chunk


def _ahead(chunks: Generator[bytes]) -> Generator[bytes]:
    """The same, the next one made in another thread while this one is looked at."""
    with contextlib.closing(chunks), ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, chunks, b"")
        while chunk := coming.result():
            coming = thread.submit(next, chunks, b"")
            yield chunk


def _are_ids(ids: list[bytes]) -> bool:
    """Whether they have no other bytes than ids have; what else is wrong with one, its reader says."""
    return not b"".join(ids).translate(None, _OF_IDS) and b"" not in ids


def _are_texts(lines: list[bytes]) -> bool:
    """Whether lines are UTF-8; nearly all have no letters but those of ASCII, which is seen at once."""
    if all(map(bytes.isascii, lines)):
        return True
    try:
        b"".join(lines).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
