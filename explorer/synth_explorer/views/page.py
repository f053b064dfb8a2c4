"""The text of `synth explore`: what the page holds, and how to open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_corpus.store import Corpus
    from synth_explorer.page_data import PageSuite


def lines(corpora: Sequence[Corpus], suites: Sequence[PageSuite], out: Path) -> Iterator[str]:
    """Yield what was written, and for each incomplete corpus and each unfinished campaign that the page says so."""
    yield f"{_held(corpora, suites)} in {shown(str(out))}; open it in a browser"
    yield from _unfinished(corpora, suites)


def served_lines(corpora: Sequence[Corpus], suites: Sequence[PageSuite], address: str) -> Iterator[str]:
    """Yield where the page is, how long it is there, and what it says is unfinished."""
    yield f"{_held(corpora, suites)} at {address}"
    yield from _unfinished(corpora, suites)
    yield "Open the address in a browser on this machine. Reload the page to see what has changed. Ctrl-C ends."


def _held(corpora: Sequence[Corpus], suites: Sequence[PageSuite]) -> str:
    held = []
    campaigns = [suite for suite in suites if suite.kind == "campaign"]
    if len(campaigns) < len(corpora) + len(suites):
        in_suites = sum(len(suite.ids) for suite in suites if suite.kind == "corpus")
        held.append(tests(sum(map(len, corpora)) + in_suites))
    if campaigns:
        held.append(
            f"{count(len(campaigns), 'campaign')} with {tests(sum(len(campaign.ids) for campaign in campaigns))}"
        )
    return " and ".join(held)


def _unfinished(corpora: Sequence[Corpus], suites: Sequence[PageSuite]) -> Iterator[str]:
    for corpus in corpora:
        if not corpus.manifest.complete:
            yield f"{shown(corpus.name)} is incomplete, and the page says so"
    for suite in suites:
        if suite.incomplete:
            yield f"{shown(str(suite.folder))} is not finished, and the page says so"
