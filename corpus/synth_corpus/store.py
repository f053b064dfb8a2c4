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
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError

from synth_corpus.folders import put_folder
from synth_corpus.manifest import Manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RECORDS = "tests.jsonl.zst"
MANIFEST = "manifest.json"


class Corpus:
    """A corpus that lies in a folder.

    Raises:
        InputError: there is none, or its manifest can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            text = (folder / MANIFEST).read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            msg = f"{folder}: found no {MANIFEST}, expected a corpus"
            raise InputError(msg) from None
        except (OSError, UnicodeDecodeError) as error:
            msg = f"{folder / MANIFEST}: {error}, expected a manifest"
            raise InputError(msg) from error
        self.manifest = Manifest.from_json(text, str(folder / MANIFEST))

    def lines(self) -> Iterator[str]:
        """The records in their order, as lines with their line ends.

        Raises:
            InputError: the file can't be read, or is not the one that the manifest describes.
        """
        import zstandard  # noqa: PLC0415  (not needed to read a manifest)

        path = self.folder / RECORDS
        digest = hashlib.sha256()
        count = 0
        try:
            with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as stream:
                for line in io.BufferedReader(stream, 1 << 16):  # type: ignore[type-var]
                    digest.update(line)
                    count += 1
                    yield line.decode("utf-8")
        except (OSError, zstandard.ZstdError, UnicodeDecodeError) as error:
            msg = f"{path}: {error}, expected the records of {self.manifest.tests} tests"
            raise InputError(msg) from error
        if digest.hexdigest() != self.manifest.sha256:
            msg = f"{path}: found {count} records with checksum {digest.hexdigest()}, expected {self.manifest.sha256}"
            raise InputError(msg)


def is_corpus(folder: Path) -> bool:
    """Whether a folder is a corpus, of whatever question, whole or not."""
    return (folder / MANIFEST).is_file() and {path.name for path in folder.iterdir()} <= {RECORDS, MANIFEST}


def write_corpus(folder: Path, lines: Iterable[str], manifest: Manifest, *, force: bool = False) -> Manifest:
    """Write a corpus whose records are `lines`, sorted by id; gives its manifest back, with the checksum.

    Raises:
        InputError: the folder can't be used; with `force` a corpus that is there is replaced.
        ResourceFault: writing failed.
    """
    written = manifest

    def fill(new: Path) -> None:
        import zstandard  # noqa: PLC0415  (not needed to read a manifest)

        nonlocal written
        digest = hashlib.sha256()
        # One thread: the same records compress to the same bytes.
        with (new / RECORDS).open("wb") as file, zstandard.ZstdCompressor(level=6).stream_writer(file) as stream:
            for line in lines:
                data = line.encode("utf-8")
                digest.update(data)
                stream.write(data)
        written = replace(manifest, sha256=digest.hexdigest())
        (new / MANIFEST).write_text(written.to_json(), "utf-8")

    put_folder(folder, fill, force=force, is_ours=is_corpus, kind="a corpus")
    return written
