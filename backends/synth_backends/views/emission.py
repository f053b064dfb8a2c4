"""The text of `synth emit`: what was written, and where to read how to build and run it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from synth_documents.phrases import shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_backends.emission import EmissionSummary


def lines(answer: EmissionSummary) -> Iterator[str]:
    """Yield a line with the number of tests and the folder; for several targets, with the folder of each."""
    tests_in = f"{tests(answer.tests)} in {shown(answer.folder)}"
    if len(answer.targets) == 1:
        yield f"{tests_in}; its README.md says how to build and run"
    else:
        folders = ", ".join(shown(str(Path(answer.folder) / name)) for name in answer.targets)
        yield f"{tests_in}, for each target in a folder whose README.md says how to build and run: {folders}"
