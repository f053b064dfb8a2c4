"""Read and write a certificate on disk.

    2x3.certificate/
        certificate.json           format, kind and question
        tests.txt                  the ids of the listed tests, sorted, one a line
        2+1/formula.cnf.zst        for each split its formula, with a clause that excludes each of its tests,
        2+1/proof.drat.zst         and the proof that nothing satisfies the formula
        ...

The formula is DIMACS text and the proof DRAT text, both compressed. The question, the tests and the solver decide all
contents, except what stands under `run` in certificate.json.

A certificate may come from somebody who wants to do harm. So the reader sets limits:

- It stops in a line that is longer than any genuine line.
- It checks each id of `tests.txt` before it reads the next one.
- It stops in a proof that grows much larger than a genuine proof with such a compressed file.
"""

from __future__ import annotations

import contextlib
import io
import json
from typing import TYPE_CHECKING, BinaryIO, Final

from synth_checker.errors import InputError
from synth_corpus.manifest import question_fields, question_in
from synth_search.completeness import RefutedClaim
from synth_storage.folder_description import is_of_kind, read_described
from synth_storage.folders import FolderKind, beginning
from synth_storage.open_file import open_for_reading
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from synth_checker.question import Question
    from synth_storage.strict_json import Json

#: The number of the format that this release writes and reads.
FORMAT: Final = 1
KIND: Final = "completeness of progress litmus tests"
ABOUT = "certificate.json"
TESTS = "tests.txt"
FORMULA = "formula.cnf"
PROOF = "proof.drat"
#: The most bytes that are read of certificate.json; a genuine one has fewer.
_LONGEST_ABOUT = 1 << 20
#: The most bytes that are read of a line of a list or formula; a genuine one has fewer.
_LONGEST_LINE = 1 << 20
#: A proof may be so many times as large as its compressed file. Genuine proofs are four times as large.
_MOST_TIMES = 1000
#: How many bytes of a text are read at a time.
_PIECE = 1 << 16


def write_about(folder: Path, question: Question, ids: Iterable[str], run: dict[str, Json]) -> None:
    """Write two files of a certificate: the list of its tests, and then, as the last file of all, the question."""
    about = {"format": FORMAT, "kind": KIND, "question": question_fields(question), "run": run}
    (folder / TESTS).write_text("".join(f"{id_}\n" for id_ in ids), "ascii")
    (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def read_about(folder: Path) -> tuple[Question, Iterator[str]]:
    """Return the question of a certificate and the lines of its list of tests; the lines are read one by one.

    Raises:
        InputError: there is no certificate, it has a format that this release does not know, or a file is unreadable.
            An error about the list comes together with its lines.
    """
    path = folder / ABOUT
    try:
        text = beginning(path, _LONGEST_ABOUT).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise refusal(path, error, "a certificate") from error
    about = read_described(text, str(path), KIND, FORMAT)
    try:
        question = question_in(about)
    except InputError as error:
        raise type(error)(f"{path}: {error}") from None
    return question, _listed(folder / TESTS)


def _listed(path: Path) -> Iterator[str]:
    try:
        with open_for_reading(path) as file:
            while line := file.readline(_LONGEST_LINE):
                yield line.decode("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise refusal(path, error, "the ids of the listed tests") from error


def write_lines(folder: Path, name: str, lines: Iterable[str]) -> None:
    """Write the lines of a formula into a compressed file."""
    write_pieces(folder, name, (f"{line}\n".encode("ascii") for line in lines))


def write_pieces(folder: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write a formula or a proof, which comes in pieces, into a compressed file."""
    import zstandard

    # One thread, so that the same text always compresses to the same bytes.
    compressor = zstandard.ZstdCompressor(level=6)
    with (folder / f"{name}.zst").open("wb") as file, compressor.stream_writer(file) as stream:
        for piece in pieces:
            stream.write(piece)


def read_pieces(folder: Path, name: str) -> Iterator[bytes]:
    """Yield a formula or a proof in pieces. If the end of the file is missing, yield what the file has.

    Raises:
        InputError: the file is missing or unreadable.
        Refuted: the text is too large for its compressed file.
    """
    with _opened(folder, name) as stream:
        read, most = 0, _MOST_TIMES * (folder / f"{name}.zst").stat().st_size
        while piece := stream.read(_PIECE):
            read += len(piece)
            if read > most:
                raise RefutedClaim(
                    f"{folder.name}/{name}: found a text of more than {most} bytes, "
                    f"{_MOST_TIMES} times the size of its file"
                )
            yield piece


def read_lines(folder: Path, name: str) -> Iterator[str]:
    """Yield the lines of a formula without their line breaks; a line that is too long comes in pieces.

    Raises:
        InputError: the file is missing or unreadable.
    """
    with _opened(folder, name) as stream:
        text = io.TextIOWrapper(stream, "ascii", errors="backslashreplace", newline="\n")
        while line := text.readline(_LONGEST_LINE):
            yield line.removesuffix("\n")


@contextlib.contextmanager
def _opened(folder: Path, name: str) -> Iterator[BinaryIO]:
    """Open the text that `zstd -d` makes of a file, which may have several frames."""
    import zstandard

    path = folder / f"{name}.zst"
    try:
        with (
            open_for_reading(path) as file,
            zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as stream,
        ):
            yield stream
    except (OSError, zstandard.ZstdError) as error:
        raise refusal(path, error, "a compressed text") from error


def _is_certificate(folder: Path) -> bool:
    path = folder / ABOUT
    return path.is_file() and is_of_kind(path, KIND, _LONGEST_ABOUT)


#: The kind of folder that a new certificate may replace.
CERTIFICATE = FolderKind("a certificate", _is_certificate)
