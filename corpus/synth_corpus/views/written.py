"""Messages about a corpus that a command has written, or that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_corpus.manifest import Manifest


def written_lines(manifest: Manifest, place: Path, *, is_untouched: bool = False) -> Iterator[str]:
    """Yield a line which says how many tests a corpus holds after a run.

    `is_untouched` is true if the run has found fewer tests than the corpus has and so changed nothing.
    """
    yield f"{_held(manifest)} in {shown(str(place))}{', left as they were' if is_untouched else ''}"


def held_lines(manifest: Manifest, place: Path) -> Iterator[str]:
    """Yield a line which says that a corpus is complete already, and how many tests it holds."""
    yield f"{shown(str(place))} already holds the complete answer: {_held(manifest)}"


def merged_lines(manifest: Manifest, place: Path) -> Iterator[str]:
    """Yield a line which says how many tests a merged corpus holds."""
    state = "complete" if manifest.complete else "incomplete"
    yield f"{tests(manifest.tests)} of {manifest.question.name}, {state}, in {shown(str(place))}"


def _held(manifest: Manifest) -> str:
    return f"{tests(manifest.tests)}{'' if manifest.complete else ', incomplete'}"
