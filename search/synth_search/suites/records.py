"""Write suites as records, which other commands read.

A record has a test, its name, its idioms, the goals that it covers, and the definition of a model of the user's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.idioms import annotated
from synth_checker.models import verdict_names
from synth_checker.verdicts import judge
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter
from synth_corpus.record_models import definitions_of
from synth_storage.files import put_bytes
from synth_storage.folders import FolderKind, beginning, check_place, put_folder, write_texts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from synth_search.suites.answer import Suite

#: The file that says what a folder of suites holds, and its first line.
_ABOUT, _MARK = "README.md", "# Conformance suites, written by synth suite\n"


def suite_records(suite: Suite) -> bytes:
    """Return the tests of a suite as records, one a line, the smallest first."""
    writer = RecordWriter(verdict_names(suite.models))
    ids = [test.id for test in suite.tests]
    lines = []
    for test, mask, note in zip(suite.tests, judge(ids, suite.models), annotated(ids), strict=True):
        more = {"name": test.called, **note, "covers": [str(goal) for goal in test.reaches]}
        more |= definitions_of(suite.models)
        lines.append(with_more(writer.line(test.id, mask)[:-1].encode(), more) + b"\n")
    return b"".join(lines)


def write_suite(suite: Suite, out: Path, *, force: bool = False) -> None:
    """Write the records of a suite into a file.

    Raises:
        InputError: the file can't be written, or it exists and `force` is not given.
        ResourceError: writing failed.
    """
    put_bytes(out, suite_records(suite), force=force)


def write_suites(suites: Iterable[Suite], out: Path, *, force: bool = False) -> None:
    """Write the records of several suites into a folder, one file for each suite, named after its verdict.

    Raises:
        InputError: the folder can't be used, or it holds an earlier output and `force` is not given.
        ResourceError: writing failed.
    """
    files = {f"{suite.verdict}.jsonl": suite_records(suite).decode() for suite in suites}
    lines = (f"- `{name}`: {len(text.splitlines())} tests\n" for name, text in files.items())
    about = f"{_MARK}\nEach file has the suite for one verdict, and is named after this verdict.\n\n{''.join(lines)}"
    put_folder(out, lambda new: write_texts(new, {_ABOUT: about, **files}), _OUTPUT, force=force)


def check_suites_place(out: Path, *, force: bool = False) -> None:
    """Check that `write_suites` can write into a folder; call it before the suites are made.

    Raises:
        InputError: the folder can't be used.
    """
    check_place(out, _OUTPUT, force=force)


def is_folder_of_suites(folder: Path) -> bool:
    """Return whether `write_suites` has written a folder."""
    about = folder / _ABOUT
    return about.is_file() and beginning(about, len(_MARK)) == _MARK.encode()


_OUTPUT = FolderKind("an earlier output of synth suite", is_folder_of_suites)
