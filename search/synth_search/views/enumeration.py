"""The text of an enumeration: the tests that it has found, and how long that took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.columns import signature_table, split_table
from synth_documents.readable import kept_words, tests
from synth_search.enumeration.runs import Enumeration

if TYPE_CHECKING:
    from synth_documents.lines import Lines
    from synth_search.enumeration.runs import Run


def lines(found: Run) -> Lines:
    """Yield tables that count the tests by split and, if they were kept, by signature; then lines about the run."""
    yield split_table(found.question, found.splits())
    if isinstance(found, Enumeration) and found.ids:
        yield signature_table(found.verdicts, found.signatures())
        yield "pass: passes both forms of the model; strong: passes only its strong form"
    state = "complete" if found.complete else "INCOMPLETE"
    what = tests(found.tests)
    if isinstance(found, Enumeration) and found.found:
        what = kept_words(found.tests, found.found)
    rate = found.searched / found.seconds if found.seconds else 0.0
    yield f"{what}, {state}, {found.seconds:.2f} s, {rate:,.0f} tests/s, engine {found.engine}"
