"""The text of `synth campaign bundle`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.lines import printable
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_campaigns.answers.bundled import BundleAnswer


@printable
def bundle_lines(answer: BundleAnswer) -> Iterator[str]:
    """Yield lines about a bundle, and what to do with it."""
    parts = ", ".join(part.folder for part in answer.parts)
    yield f"{count(answer.tests, 'test')} in {answer.folder}: {parts}"
    yield f"Give away {answer.zip or answer.folder}; its README.md says what to type."
    yield f"Then read the results: synth campaign collect {answer.folder} results.jsonl"
