"""The text of `synth corpus import`: what became of the programs in the input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.import_report import ImportReport

_OF_NORMAL_FORM = " for its normal form, in which it has no no-ops"


def lines(report: ImportReport, out: str, aside: str) -> Iterator[str]:
    """Yield lines which say how many programs became tests, and which programs broke rules or were duplicates.

    `out` and `aside` are the corpus and the file of programs set aside.
    """
    yield from map(shown, _lines(report, out, aside))


def _lines(report: ImportReport, out: str, aside: str) -> Iterator[str]:
    yield f"{count(report.read, 'program')} read, {count(report.tests, 'test')} in {out}"
    if report.models:
        yield f"judged also under {', '.join(report.models)}"
    for rule, names in report.breaking.items():
        yield f"without {rule}, which {count(len(names), 'test')} break{'s' * (len(names) == 1)}: {', '.join(names)}"
    for duplicate in report.duplicates:
        yield f"{duplicate.source}: {duplicate.name} is a duplicate of {duplicate.of}: both are {duplicate.id}"
    agree = report.verdicts - len(report.differing)
    if report.verdicts:
        yield f"the files give {count(report.verdicts, 'verdict')}, of which {agree} agree with those of synth"
    for differing in report.differing:
        yield (
            f"{differing.source}: {differing.name}: the file says {differing.given} for {differing.verdict}, "
            f"but synth decides the opposite{_OF_NORMAL_FORM if differing.with_no_ops else ''}"
        )
    for test in report.aside:
        yield f"{test.source}: {test.name} is set aside: {test.why}"
    if report.aside:
        yield f"{count(len(report.aside), 'program')} set aside in {aside}"
