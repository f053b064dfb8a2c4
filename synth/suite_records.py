"""A suite as records, which other commands take: each test with its name, its idioms and what it covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.idioms import annotated
from synth_checker.models import verdict_names
from synth_checker.verdicts import judge
from synth_corpus.files import put_bytes
from synth_corpus.parts import with_more
from synth_corpus.record import RecordWriter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from synth.suites import Suite


def suite_records(suite: Suite, names: Mapping[str, str]) -> bytes:
    """The tests of a suite as lines, smallest first; `names` has what each is called, by its id."""
    writer = RecordWriter(verdict_names(suite.models))
    ids = [test.id for test in suite.tests]
    lines = []
    for test, mask, note in zip(suite.tests, judge(ids, suite.models), annotated(ids), strict=True):
        more = {"name": names[test.id], **note, "covers": [str(goal) for goal in test.reaches]}
        lines.append(with_more(writer.line(test.id, mask)[:-1].encode(), more) + b"\n")
    return b"".join(lines)


def write_suite(suite: Suite, names: Mapping[str, str], out: Path, *, force: bool = False) -> None:
    """Write the records of a suite into a file.

    Raises:
        InputError: the file can't be put there; one that is there is replaced only with `force`.
        ResourceError: writing failed.
    """
    put_bytes(out, suite_records(suite, names), force=force)
