"""The text of `synth explore`: what the page holds, and how to open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.phrases import count, shown
from synth.views.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_corpus.store import Corpus
    from synth_explorer.packing import Suite


def lines(corpora: Sequence[Corpus], suites: Sequence[Suite], out: Path) -> Iterator[str]:
    """Yield what was written, and for each incomplete corpus and each unfinished campaign that the page says so."""
    held = []
    if corpora:
        held.append(tests(sum(map(len, corpora))))
    if suites:
        held.append(f"{count(len(suites), 'campaign')} with {tests(sum(len(one.ids) for one in suites))}")
    yield f"{' and '.join(held)} in {shown(str(out))}; open it in a browser"
    for corpus in corpora:
        if not corpus.manifest.complete:
            yield f"{shown(corpus.name)} is incomplete, and the page says so"
    for suite in suites:
        if suite.incomplete:
            yield f"{shown(str(suite.folder))} is not finished, and the page says so"
