"""A corpus on disk: a folder with the sorted, compressed records and a manifest.

    3x4.corpus/
        tests.jsonl.zst   one record a line, sorted by id as bytes
        manifest.json     what they answer, counts and checksum

A corpus is written under another name, and renamed when it is complete. Records are read as a stream.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, InternalError, check_type
from synth_checker.notebook import NotebookObject
from synth_corpus.checksums import Checksum
from synth_corpus.manifest import KIND, Manifest
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.record import read_record
from synth_corpus.record_batches import lines_of, read_in_order
from synth_corpus.shipped import locate_corpus
from synth_storage.folder_description import is_of_kind
from synth_storage.folders import FolderKind, beginning, put_folder
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd

    from synth_corpus.record import Record
    from synth_corpus.record_batches import RecordBatch

RECORDS = "tests.jsonl.zst"
MANIFEST = "manifest.json"
#: The level of zstd. It compresses 1.1 GB/s, to 6.8 bytes for each record; level 6 compresses 0.2 GB/s, to 11 % less.
LEVEL = 3
#: The most bytes of a manifest, far more than any has. A longer file is refused without reading its end.
_LONGEST_MANIFEST = 64 << 20


class Corpus(NotebookObject):
    """A corpus in a folder, or one that ships, given by its name.

    `len` counts its tests, and iterating over it gives their records. `name` is the word that was given, and
    `manifest_text` is the text of the manifest file.

    Raises:
        InputError: there is no corpus, or its manifest cannot be read.
        ResourceError: the disk failed.
    """

    def __init__(self, folder: Path | str) -> None:
        check_type("corpus", folder, (PathLike, str), "a folder, or the name of a corpus that ships")
        self.name = str(folder)
        self.folder = folder = locate_corpus(folder)
        try:
            data = beginning(folder / MANIFEST, _LONGEST_MANIFEST + 1)
            text = data.decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(f"{folder}: there is no {MANIFEST} in it, expected the folder of a corpus") from None
        except (OSError, UnicodeDecodeError) as error:
            raise refusal(folder / MANIFEST, error, "the manifest of a corpus") from error
        if len(data) > _LONGEST_MANIFEST:
            raise InputError(
                f"{folder / MANIFEST}: the file has more than {_LONGEST_MANIFEST >> 20} MB, expected a manifest"
            )
        self.manifest_text = text
        self.manifest = Manifest.from_json(text, str(folder / MANIFEST))

    def __repr__(self) -> str:
        return f"<Corpus {self.name}: {self.manifest.tests} tests of {self.manifest.question.name}>"

    def __len__(self) -> int:
        return self.manifest.tests

    def __bool__(self) -> bool:
        return True  # a corpus is true even if it has no tests

    def __iter__(self) -> Iterator[Record]:
        for number, line in enumerate(self.lines(), 1):
            yield read_record(line, f"{self.folder / RECORDS}:{number}")

    def to_pandas(self) -> pd.DataFrame:
        """Return the tests as a data frame of pandas, with the columns of the format `parquet`.

        Raises:
            InputError: pandas is not installed, or the records cannot be read or do not agree with the manifest.
            ResourceError: the disk failed.
        """
        from synth_corpus.frames import frame

        records = (fields_of(line, self.place_of) for line in self.raw_lines())
        tests = ((fields.id, fields.signature, aliases_in(fields.more)) for fields in records)
        return frame(tests, self.manifest.verdicts)

    def batches(self) -> Iterator[RecordBatch]:
        """Yield the records in their order as batches, each of which holds many lines.

        Raises:
            InputError: the records cannot be read or do not agree with the manifest.
            ResourceError: the disk failed.
        """
        return read_in_order(self.folder / RECORDS, self.manifest.tests, self.manifest.sha256)

    def lines(self) -> Iterator[str]:
        """Yield the records in their order, as texts with line ends.

        Raises:
            InputError: the records cannot be read or do not agree with the manifest.
            ResourceError: the disk failed.
        """
        for line in self.raw_lines():
            yield f"{line.decode('utf-8')}\n"

    def raw_lines(self) -> Iterator[bytes]:
        """Yield the records in their order, as bytes without line ends.

        Raises:
            InputError: the records cannot be read or do not agree with the manifest.
            ResourceError: the disk failed.
        """
        return lines_of(self.batches())

    def place_of(self, beginning: bytes) -> str:
        """Return the file and line of the record with this beginning, or an empty text. The file is read again."""
        for batch in self.batches():
            for number, line in enumerate(batch.lines, batch.number):
                if line.startswith(beginning):
                    return f"{self.folder / RECORDS}:{number}"
        return ""


def is_corpus(folder: Path) -> bool:
    """Return whether a folder contains a corpus and nothing else; its question and its release do not matter."""
    manifest = folder / MANIFEST
    return (
        manifest.is_file()
        and {path.name for path in folder.iterdir()} <= {RECORDS, MANIFEST}
        and is_of_kind(manifest, KIND, _LONGEST_MANIFEST)
    )


#: The kind of folder that a corpus is; `write_corpus` replaces no other kind.
CORPUS = FolderKind("a corpus", is_corpus)


def write_corpus(
    folder: Path, records: Iterable[bytes], manifest: Manifest | Callable[[], Manifest], *, force: bool = False
) -> Manifest:
    """Write a corpus and return its manifest, which includes the checksum of the records.

    `records` are texts of one or more lines, sorted by id. `manifest` may be a function, which is called after the last
    record. With `force`, a corpus that is in the folder is replaced.

    Raises:
        InputError: the folder cannot be used.
        ResourceError: writing failed.
        InternalError: the records are not sorted, or their number is not the one in the manifest.
    """
    written: Manifest

    def fill(new: Path) -> None:
        import zstandard

        nonlocal written
        count, last = 0, b""
        # One thread: the same records compress to the same bytes.
        compressor = zstandard.ZstdCompressor(level=LEVEL)
        with Checksum() as checksum:
            with (new / RECORDS).open("wb") as file, compressor.stream_writer(file) as stream:
                for lines in records:
                    count += _count_rising(lines, last)
                    last = lines[lines.rfind(b"\n", 0, -1) + 1 :] or last
                    checksum.update(lines)
                    stream.write(lines)
            sha256 = checksum.hexdigest()
        complete_manifest = manifest() if callable(manifest) else manifest
        if count != complete_manifest.tests:
            raise InternalError(f"found {count} records, expected {complete_manifest.tests} as in their manifest")
        written = replace(complete_manifest, sha256=sha256)
        (new / MANIFEST).write_text(written.to_json(), "utf-8")

    put_folder(folder, fill, CORPUS, force=force)
    return written


def _count_rising(lines: bytes, last: bytes) -> int:
    """Return the number of lines, after checking that they are sorted by id and come after the line `last`."""
    from synth_checker._native import rising_lines

    count, are_all = rising_lines(lines, last)
    if not are_all:
        before, record = [last, *lines.splitlines(keepends=True)][count : count + 2]
        raise InternalError(f"found the record {record!r} after {before!r}, expected records sorted by id")
    return count
