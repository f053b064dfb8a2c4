"""A corpus on disk: a folder with the sorted records, compressed, and a manifest.

    3x4.corpus/
        tests.jsonl.zst   one record a line, sorted by id as bytes
        manifest.json     what they answer, counts and checksum

It is written under another name and put in place whole; records are read as a stream.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, InternalError
from synth_corpus.folders import Kind, beginning, put_folder, reason
from synth_corpus.manifest import Manifest, is_manifest
from synth_corpus.shipped import located

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

RECORDS = "tests.jsonl.zst"
MANIFEST = "manifest.json"
#: Bytes, far more than any manifest and any record has; what is longer is none, and is not read to its end.
_LONGEST_MANIFEST = 64 << 20
_LONGEST_RECORD = 1 << 20


class Corpus:
    """A corpus that lies in a folder, or one that ships, by its name.

    Raises:
        InputError: there is none, or its manifest can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder = located(folder)
        try:
            data = beginning(folder / MANIFEST, _LONGEST_MANIFEST + 1)
            text = data.decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            msg = f"{folder}: found no {MANIFEST}, expected a corpus"
            raise InputError(msg) from None
        except (OSError, UnicodeDecodeError) as error:
            msg = f"{folder / MANIFEST}: {reason(error)}, expected the manifest of a corpus"
            raise InputError(msg) from error
        if len(data) > _LONGEST_MANIFEST:
            msg = f"{folder / MANIFEST}: found more than {_LONGEST_MANIFEST >> 20} MB, expected a manifest"
            raise InputError(msg)
        self.manifest = Manifest.from_json(text, str(folder / MANIFEST))

    def lines(self) -> Iterator[str]:
        """The records in their order, as lines with their line ends.

        Raises:
            InputError: the file can't be read, or is not the one that the manifest describes.
        """
        import zstandard

        path = self.folder / RECORDS
        digest = hashlib.sha256()
        count = 0
        try:
            with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
                reader = io.BufferedReader(stream, 1 << 16)
                while line := reader.readline(_LONGEST_RECORD + 1):
                    if len(line) > _LONGEST_RECORD:
                        msg = f"{path}:{count + 1}: found more than {_LONGEST_RECORD >> 20} MB, expected a record"
                        raise InputError(msg)
                    digest.update(line)
                    count += 1
                    yield line.decode("utf-8")
        except (OSError, zstandard.ZstdError, UnicodeDecodeError) as error:
            msg = f"{path}: {reason(error)}, expected the records of {self.manifest.tests} tests"
            raise InputError(msg) from error
        if digest.hexdigest() != self.manifest.sha256:
            expected = self.manifest.sha256  # any text
            msg = f"{path}: found {count} records with checksum {digest.hexdigest()!r}, expected {expected!r}"
            raise InputError(msg)


def is_corpus(folder: Path) -> bool:
    """Whether a folder is a corpus and nothing else, of whatever question and release."""
    manifest = folder / MANIFEST
    return (
        manifest.is_file()
        and {path.name for path in folder.iterdir()} <= {RECORDS, MANIFEST}
        and is_manifest(beginning(manifest, _LONGEST_MANIFEST).decode("utf-8", "replace"))
    )


#: Corpora among folders: what `write_corpus` replaces, if it is told to.
CORPUS = Kind("a corpus", is_corpus)


def write_corpus(folder: Path, lines: Iterable[str], manifest: Manifest, *, force: bool = False) -> Manifest:
    """Write a corpus whose records are `lines`, sorted by id; gives its manifest back, with the checksum.

    Raises:
        InputError: the folder can't be used; with `force` a corpus that is there is replaced.
        ResourceError: writing failed.
        InternalError: the records are not sorted, or not as many as the manifest says.
    """
    written = manifest

    def fill(new: Path) -> None:
        import zstandard

        nonlocal written
        digest = hashlib.sha256()
        count, last = 0, b""
        # One thread: the same records compress to the same bytes.
        with (new / RECORDS).open("wb") as file, zstandard.ZstdCompressor(level=6).stream_writer(file) as stream:
            for line in lines:
                data = line.encode("utf-8")
                if data <= last:  # lines begin with their ids and are ordered as these are
                    msg = f"found the record {data!r} behind {last!r}, expected records sorted by id"
                    raise InternalError(msg)
                digest.update(data)
                stream.write(data)
                count, last = count + 1, data
        if count != manifest.tests:
            msg = f"found {count} records, expected {manifest.tests} as in their manifest"
            raise InternalError(msg)
        written = replace(manifest, sha256=digest.hexdigest())
        (new / MANIFEST).write_text(written.to_json(), "utf-8")

    put_folder(folder, fill, CORPUS, force=force)
    return written
