"""Read and write the committed result of a shard: a file that is complete from its first moment, or not there.

    shards/000017.zst                                  the result of shard 17
    shards/.000017,HOST,PID,0123456789abcdef.partial   a result that is being written, or that a killed process has left

A shard is done if its file `NUMBER.zst` is there; nothing else decides this. The file has two frames of zstd (RFC
8878). The second frame has the sorted ids of the kept tests, one on each line; `zstd -dc` shows them. The first frame
is a skippable frame (section 3.1.2 of the RFC) with a header. The header names the shard, and has its counts and the
length of the second frame in bytes. It also has a SHA-256 of the other fields of the header and of the second frame.
Code that reads only the counts checks the length. Code that reads the ids checks the SHA-256.

If two processes do the same shard, both find the same result, so the second commit changes nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from synth_checker.errors import InputError
from synth_storage.folders import sync
from synth_storage.partial_files import partial_name
from synth_storage.refusals import as_user_errors, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".zst"
_FRAME = struct.Struct("<II")  # the magic number of a skippable frame, and the length of the frame
_MAGIC = 0x184D2A50
_LONGEST_HEADER = 1 << 20
#: The compression level of zstd for ids.
LEVEL = 3
#: How many bytes of ids are read at a time. A single id is much shorter.
_CHUNK = 1 << 16


class ShardCounts(NamedTuple):
    """The counts of a shard: all its tests, its minimal tests, and the tests that are kept.

    `minimal` is 0 if the question does not ask for minimal tests. `signatures` has each signature that some test of the
    shard has, as a bit mask, in rising order. It is empty if the question does not need signatures.
    """

    tests: int
    minimal: int
    kept: int
    signatures: tuple[int, ...]


class DamagedError(InputError):
    """The file with the result of a shard is damaged; `path` is the file."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: found {problem}, expected the intact result of a shard")
        self.path = path


def commit(folder: Path, name: str, job: str, counts: ShardCounts, lines: bytes) -> None:
    """Put the result of a shard into the folder of results; an equal result that is there stays as it is.

    `job` is the checksum of the list of shards, and `lines` has the ids of the kept tests.

    Raises:
        ResourceError: writing failed.
    """
    import zstandard

    data = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(lines)
    fields = {"shard": name, "job": job, **counts._asdict(), "bytes": len(data)}
    digest = _digest(fields)
    digest.update(data)
    header = json.dumps({**fields, "sha256": digest.hexdigest()}).encode()
    place = _place(folder, name)
    new = folder / partial_name(name)
    with as_user_errors(place):
        try:
            with new.open("xb") as file:
                file.write(_FRAME.pack(_MAGIC, len(header)) + header + data)
            sync(new)
            new.replace(place)  # if another process was faster, its file has the same contents
            sync(folder)
        finally:
            new.unlink(missing_ok=True)


def counts_of(folder: Path, name: str, job: str) -> ShardCounts | None:
    """Return the counts of a shard, or None if the shard has no committed result yet.

    Raises:
        DamagedError: the file is incomplete, or belongs to another job.
    """
    path = _place(folder, name)
    try:
        with path.open("rb") as file:
            header, size = _header(path, file)
            there = os.fstat(file.fileno()).st_size
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refusal(path, error, "the result of a shard") from error
    if header.get("job") != job or header.get("shard") != name:
        raise DamagedError(path, f"the result of shard {header.get('shard')} of another job")
    if there != size + header["bytes"]:
        raise DamagedError(path, f"{there} bytes instead of {size + header['bytes']}")
    return _counts(header)


def ids_of(folder: Path, name: str) -> Iterator[bytes]:
    """Yield the ids of the kept tests of a committed shard, in order, each with a line break.

    Raises:
        DamagedError: the file is missing or damaged. The error comes before the first id.
        ResourceError: a disk or device failed, so that the contents are unknown.
    """
    path = _place(folder, name)
    with as_user_errors(path):
        try:
            with path.open("rb") as file:
                header, size = _header(path, file)
                file.seek(size)
                digest = _digest(header)
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
                if digest.hexdigest() != header.get("sha256"):
                    raise DamagedError(path, "contents that do not match the checksum of the file")
                file.seek(size)
                yield from lines_in(path, file)
        except FileNotFoundError as error:
            raise DamagedError(path, "no file") from error


def lines_in(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a compressed file, each with its line break.

    Raises:
        DamagedError: a line is longer than any id.
    """
    import zstandard

    with zstandard.ZstdDecompressor().stream_reader(file) as stream:
        rest = b""
        while chunk := stream.read(_CHUNK):
            lines = (rest + chunk).splitlines(keepends=True)
            rest = b"" if lines[-1].endswith(b"\n") else lines.pop()
            if len(rest) > _CHUNK:
                raise DamagedError(path, f"a line of more than {_CHUNK} bytes")
            yield from lines


def _place(folder: Path, name: str) -> Path:
    return folder / f"{name}{SUFFIX}"


def _digest(header: dict[str, Any]) -> hashlib._Hash:
    """Return the checksum of a header, to which the caller adds the bytes that follow."""
    return hashlib.sha256(json.dumps({key: value for key, value in header.items() if key != "sha256"}).encode())


def _header(path: Path, file: BinaryIO) -> tuple[dict[str, Any], int]:
    """Return the header at the start of a file, and its length in bytes."""
    with contextlib.suppress(struct.error, ValueError, KeyError):
        magic, length = _FRAME.unpack(file.read(_FRAME.size))
        if magic == _MAGIC and length <= _LONGEST_HEADER:
            header = json.loads(file.read(length))
            if isinstance(header, dict) and isinstance(header["bytes"], int) and _counts(header):
                return header, _FRAME.size + length
    raise DamagedError(path, "no header")


def _counts(header: dict[str, Any]) -> ShardCounts:
    return ShardCounts(header["tests"], header["minimal"], header["kept"], tuple(header["signatures"]))
