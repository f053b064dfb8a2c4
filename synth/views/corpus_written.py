"""What commands say of a corpus that they have written, or that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.views.readable import shown, tests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_corpus.manifest import Manifest


def written_lines(manifest: Manifest, place: Path, *, is_untouched: bool = False) -> Iterator[str]:
    """How many tests a corpus holds after a run; `is_untouched` if the run has found fewer and changed nothing."""
    yield f"{_held(manifest)} in {shown(str(place))}{', left as they were' if is_untouched else ''}"


def held_lines(manifest: Manifest, place: Path) -> Iterator[str]:
    """How many tests are in a corpus that is complete before any work is done."""
    yield f"{shown(str(place))} already holds the complete answer: {_held(manifest)}"


def merged_lines(manifest: Manifest, place: Path) -> Iterator[str]:
    """What a corpus holds that was made of several."""
    state = "complete" if manifest.complete else "incomplete"
    yield f"{tests(manifest.tests)} of {manifest.question.name}, {state}, in {shown(str(place))}"


def _held(manifest: Manifest) -> str:
    return f"{tests(manifest.tests)}{'' if manifest.complete else ', incomplete'}"
