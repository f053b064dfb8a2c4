"""The text of `synth campaign collect`: what came of each file, and then the campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_campaigns.views.campaign import campaign_lines
from synth_documents.lines import printable
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_campaigns.answers.collected import CollectedAnswer
    from synth_campaigns.collection import FileReport

#: How many lines that do not count are shown of a file.
_MOST = 10


@printable
def collected_lines(answer: CollectedAnswer) -> Iterator[str]:
    """Yield lines about each file, and then about the campaign."""
    for file in answer.files:
        yield from _file_lines(file)
    yield from campaign_lines(answer.campaign)


def _file_lines(one: FileReport) -> Iterator[str]:
    if one.is_known:
        yield f"{one.file}: all its lines were collected before"
        return
    canaries = f", and {count(one.canaries, 'line')} of canaries" if one.canaries else ""
    yield f"{one.file}: {count(one.attempts, 'attempt')} with {count(one.launches, 'launch')}{canaries}"
    for line, why in one.refused[:_MOST]:
        yield f"{one.file}:{line}: this line does not count: {why}"
    if (more := len(one.refused) - _MOST) > 0:
        yield f"{one.file}: --json has {count(more, 'more line')} that do not count"
