"""The text of `synth explore`: what the page holds, and how to open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import shown, tests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_corpus.store import Corpus


def lines(corpora: Sequence[Corpus], out: Path) -> Iterator[str]:
    """Yield what was written, and for each incomplete corpus that the page says so."""
    yield f"{tests(sum(map(len, corpora)))} in {shown(str(out))}; open it in a browser"
    for corpus in corpora:
        if not corpus.manifest.complete:
            yield f"{shown(corpus.name)} is incomplete, and the page says so"
