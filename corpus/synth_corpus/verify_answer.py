"""The answer of `synth corpus validate`: what is wrong in a corpus (its faults), and what could not be checked.

`synth corpus validate --json` prints this answer as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypedDict

from synth_corpus.manifest_faults import unconfirmed_entries
from synth_corpus.verification import faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_corpus.store import Corpus
    from synth_corpus.verification import CorpusFault


@dataclass(frozen=True, slots=True)
class VerifyAnswer:
    """A corpus, how many faults it has, and how many of these the user has been shown (`told`)."""

    corpus: Corpus
    faults: int
    told: int


class FaultFields(TypedDict):
    """A fault: the file and line, and what is wrong there."""

    place: str
    text: str


class NotCheckedFields(TypedDict):
    """The last line of `synth corpus validate --json`.

    `not_checked` has the entries of the manifest that the records of the corpus cannot confirm, each with the reason.
    """

    not_checked: dict[str, str]


#: A line of the JSON.
VerifyLine = FaultFields | NotCheckedFields


def verify(corpus: Corpus, most: int, tell: Callable[[CorpusFault], None]) -> VerifyAnswer:
    """Find the faults of a corpus, and return how many there are.

    `tell` is called for each of the first `most` faults as soon as it is found.

    Raises:
        InputError: the verdicts refer to a registered model that is not installed, or whose tables have changed since.
    """
    remaining, shown = faults(corpus), 0
    for fault in islice(remaining, most):
        tell(fault)
        shown += 1
    return VerifyAnswer(corpus, shown + sum(1 for _ in remaining), shown)


def fault_fields(fault: CorpusFault) -> FaultFields:
    """Return a fault as a JSON object, which `synth corpus validate --json` prints on a line."""
    return {"place": fault.place, "text": fault.text}


def verify_fields(answer: VerifyAnswer) -> NotCheckedFields:
    """Return the last line that `synth corpus validate --json` prints, as a JSON object."""
    return {"not_checked": unconfirmed_entries(answer.corpus.manifest)}
