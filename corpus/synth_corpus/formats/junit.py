"""The format `junit`: JUnit XML with a test case for each test, for tools that collect results of conformance suites.

`--model` is the verdict that a device claims, and `--table` holds the results of the device. A test that passes the
verdict and hung is a failure. A test that passes the verdict and always ended has passed. A test that did not run, or
that fails the verdict, is skipped, with the reason. Without a table, no test ran.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_corpus.formats.format import Export, Format
from synth_corpus.formats.results import check_table, hung, results_in, runs_of
from synth_documents.junit import JUnitCase, junit_lines, suite_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.parts import RecordParts
    from synth_documents.junit import CaseResult


def _write(export: Export) -> Iterator[str]:
    check_table(export)
    counts = Counter(_outcome(test, export)[0] for test in export.tests())
    name = " ".join(filter(None, (export.name, export.model, export.table)))
    cases = (JUnitCase(export.model or "", test.id, *_outcome(test, export)) for test in export.tests())
    yield from (f"{line}\n" for line in junit_lines(suite_lines(name, counts, cases), counts))


def _outcome(test: RecordParts, export: Export) -> tuple[CaseResult, str]:
    """Return the outcome of a test (`failure`, `skipped`, or an empty text for a pass) and a message about it."""
    guaranteed = export.guarantees(test)
    rows = results_in(test, export.table) if guaranteed else {}
    if not guaranteed:
        return "skipped", f"not guaranteed under {export.model}"
    cells = {setting: cell for row in rows.values() for setting, cell in row.items() if hung(cell)}
    if not rows:
        return "skipped", "not run"
    if cells:
        words = (f"{setting}: {hung(cell)} of {runs_of(cell)} runs hung" for setting, cell in cells.items())
        return "failure", "; ".join(words)
    return "", ""


FORMAT = Format(
    name="junit",
    says="JUnit XML: whether each test that passes a verdict ended on a device",
    suffix=".xml",
    write=_write,
    needs=("model",),
    takes=("table",),
    of_passing=True,
)
