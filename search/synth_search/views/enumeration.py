"""The text of an enumeration: the tests that it has found, and how long that took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import signature_table, split_table
from synth_documents.readable import kept_counts, tests
from synth_search.enumeration.runs import Enumeration

if TYPE_CHECKING:
    from synth_documents.lines import Lines
    from synth_search.enumeration.runs import EnumerationRun


def lines(run: EnumerationRun) -> Lines:
    """Yield tables that count the tests by split and, if they were kept, by signature; then lines about the run."""
    yield split_table(run.question, run.splits())
    if isinstance(run, Enumeration) and run.ids:
        yield signature_table(run.verdicts, run.signatures())
        yield "pass: passes both forms of the model; strong: passes only its strong form"
    state = "complete" if run.complete else "INCOMPLETE"
    what = tests(run.tests)
    if isinstance(run, Enumeration) and run.found:
        what = kept_counts(run.tests, run.found)
    rate = run.searched / run.seconds if run.seconds else 0.0
    yield f"{what}, {state}, {run.seconds:.2f} s, {rate:,.0f} tests/s, engine {run.engine}"
