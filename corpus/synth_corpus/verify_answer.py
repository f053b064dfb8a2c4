"""The answer of `synth corpus validate`: what is wrong in a corpus (its faults), and what could not be checked.

`synth corpus validate --json` prints this answer as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from synth_corpus.manifest_faults import unconfirmed_entries
from synth_corpus.verification import CorpusFault, faults
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_corpus.store import Corpus


@dataclass(frozen=True, slots=True)
class VerifyAnswer:
    """The last line of `synth corpus validate --json`.

    `not_checked` has the entries of the manifest that the records of the corpus cannot confirm, each with the reason.
    """

    not_checked: dict[str, str]
    corpus: Corpus = field(metadata=HIDDEN)
    #: How many faults the corpus has, and how many of these the user has been shown.
    faults: int = field(metadata=HIDDEN)
    told: int = field(metadata=HIDDEN)


#: A line of the JSON.
VerifyLine = CorpusFault | VerifyAnswer


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
    number = shown + sum(1 for _ in remaining)
    return VerifyAnswer(unconfirmed_entries(corpus.manifest), corpus, number, shown)
