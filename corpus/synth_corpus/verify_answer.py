"""What `synth corpus verify` says: each fault, then how many there are and what was not checked; and the JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypedDict

from synth_corpus.manifest_faults import unchecked
from synth_corpus.verifying import faults

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_corpus.store import Corpus
    from synth_corpus.verifying import Fault


@dataclass(frozen=True, slots=True)
class VerifyAnswer:
    """A corpus, and how many faults it has, of which so many were told."""

    corpus: Corpus
    faults: int
    told: int


class FaultFields(TypedDict):
    """A fault: the file and line, and what is wrong there."""

    place: str
    text: str


class NotCheckedFields(TypedDict):
    """The last line: the entries of the manifest that its records do not decide, each with the reason."""

    not_checked: dict[str, str]


#: A line of the JSON.
VerifyLine = FaultFields | NotCheckedFields


def verify(corpus: Corpus, most: int, tell: Callable[[Fault], None]) -> VerifyAnswer:
    """Look for faults in a corpus, and count them. `tell` is given each of the first `most` as soon as it is found.

    Raises:
        InputError: it was judged under a registered model that is not here, or is another one now.
    """
    found, told = faults(corpus), 0
    for fault in islice(found, most):
        tell(fault)
        told += 1
    return VerifyAnswer(corpus, told + sum(1 for _ in found), told)


def fault_fields(fault: Fault) -> FaultFields:
    """A fault, as JSON has it."""
    return {"place": fault.place, "text": fault.text}


def verify_fields(answer: VerifyAnswer) -> NotCheckedFields:
    """What is said in the end, as JSON has it."""
    return {"not_checked": unchecked(answer.corpus.manifest)}
