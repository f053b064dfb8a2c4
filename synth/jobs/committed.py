"""The result of a shard: a file that is there, whole and for ever, or not at all. It is the only truth about a job.

    shards/000017.zst                                  what shard 17 has
    shards/.000017,HOST,PID,0123456789abcdef.partial   being written, or left by a killed process

A file is a header in a skippable frame of zstd (RFC 8878, section 3.1.2) and one ordinary frame with the ids of the
tests that are kept, sorted, a line each: `zstd -dc` shows them. The header tells the shard, its counts, how many bytes
follow, and the SHA-256 of itself without that and of what follows. That a file is as long as it should be is seen
whenever it is looked at, that its bytes are those written when they are read.

Processes that do the same shard twice come to the same result; the second commit changes nothing.
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
from synth_storage.partial import partial_name
from synth_storage.refusals import as_user_errors, refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".zst"
_FRAME = struct.Struct("<II")  # the magic number of a skippable frame, and its size
_MAGIC = 0x184D2A50
_LONGEST_HEADER = 1 << 20
#: Of zstd, for ids.
LEVEL = 3
#: Bytes of ids read at a time, far more than one has.
_CHUNK = 1 << 16


class Counts(NamedTuple):
    """What was counted of a shard: all its tests, the minimal ones where those were asked for, and those that are kept.

    `signatures` are those of all tests as bit masks, rising; none where they were not asked for.
    """

    tests: int
    minimal: int
    kept: int
    signatures: tuple[int, ...]


class DamagedError(InputError):
    """A shard's file is not as it was written; `path` says which."""

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"{path}: found {found}, expected the result of a shard as it was written")
        self.path = path


def commit(folder: Path, name: str, job: str, counts: Counts, lines: bytes) -> None:
    """Put the result of a shard into the folder of the shards; where it is already, the same once more.

    `job` is the checksum of the list of shards that it belongs to, `lines` the ids that are kept.

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
            new.replace(place)  # the other's, if it was faster, had the same in it
            sync(folder)
        finally:
            new.unlink(missing_ok=True)


def counts_of(folder: Path, name: str, job: str) -> Counts | None:
    """What a shard has been found to have, None while it is not committed.

    Raises:
        DamagedError: the file is not whole, or is that of another job.
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
        raise DamagedError(path, f"shard {header.get('shard')} of another job")
    if there != size + header["bytes"]:
        raise DamagedError(path, f"{there} bytes instead of {size + header['bytes']}")
    return _counts(header)


def ids_of(folder: Path, name: str) -> Iterator[bytes]:
    """The ids that a committed shard has kept, sorted, each with its line end.

    Raises:
        DamagedError: the file is gone, or not as it was written; said before the first id.
        ResourceError: it can't be read, which says nothing of what is in it.
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
                    raise DamagedError(path, "other bytes than its checksum is of")
                file.seek(size)
                yield from lines_in(path, file)
        except FileNotFoundError as error:
            raise DamagedError(path, "no file") from error


def lines_in(path: Path, file: BinaryIO) -> Iterator[bytes]:
    """The lines of a compressed file, each with its line end.

    Raises:
        DamagedError: one is longer than any id, and is not read to its end.
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
    """The checksum of a header, to be updated with what follows it."""
    return hashlib.sha256(json.dumps({key: value for key, value in header.items() if key != "sha256"}).encode())


def _header(path: Path, file: BinaryIO) -> tuple[dict[str, Any], int]:
    """The header at the start of a file, and how many bytes it takes."""
    with contextlib.suppress(struct.error, ValueError, KeyError):
        magic, length = _FRAME.unpack(file.read(_FRAME.size))
        if magic == _MAGIC and length <= _LONGEST_HEADER:
            found = json.loads(file.read(length))
            if isinstance(found, dict) and isinstance(found["bytes"], int) and _counts(found):
                return found, _FRAME.size + length
    raise DamagedError(path, "no header")


def _counts(header: dict[str, Any]) -> Counts:
    return Counts(header["tests"], header["minimal"], header["kept"], tuple(header["signatures"]))
