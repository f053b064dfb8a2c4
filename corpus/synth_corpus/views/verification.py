"""The text of `synth corpus validate`: each fault, the number of faults, and what the records do not decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_corpus.manifest import incomplete_because
from synth_documents.phrases import count, shown
from synth_documents.readable import tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.verification import CorpusFault
    from synth_corpus.verify_answer import VerifyAnswer


def fault_lines(fault: CorpusFault) -> Iterator[str]:
    """Yield a line about one fault of a corpus: its place, and what is wrong there."""
    yield shown(f"{fault.place}: {fault.text}")


def lines(answer: VerifyAnswer) -> Iterator[str]:
    """Yield lines with the number of faults, and with the entries of the manifest that were not checked."""
    manifest, faults, listed = answer.corpus.manifest, answer.faults, answer.told
    where = shown(answer.corpus.name)
    if faults:
        number = count(faults, "fault")
        yield (
            f"{where}: {number}, of which the first {listed} are listed above"
            if faults > listed
            else f"{where}: {number}"
        )
    else:
        because = incomplete_because(manifest)
        complete = f"incomplete: {because}" if because else "complete"
        yield f"{where}: no fault in {tests(manifest.tests)} of {manifest.question.name}, {complete}"
    reasons: dict[str, list[str]] = {}
    for entry, why in answer.not_checked.items():
        reasons.setdefault(why, []).append(entry)
    for why, entries in reasons.items():
        yield shown(f"not checked: {', '.join(entries)}: {why}")
