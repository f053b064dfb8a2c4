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
    yield from campaign_lines(answer.results)


def _file_lines(report: FileReport) -> Iterator[str]:
    if report.known:
        yield f"{report.file}: all its lines were collected before"
        return
    canaries = f", and {count(report.canaries, 'line')} of canaries" if report.canaries else ""
    yield f"{report.file}: {count(report.attempts, 'attempt')} with {count(report.launches, 'launch')}{canaries}"
    for line, why in report.refused[:_MOST]:
        yield f"{report.file}:{line}: this line does not count: {why}"
    if (more := len(report.refused) - _MOST) > 0:
        yield f"{report.file}: --json has {count(more, 'more line')} that do not count"
