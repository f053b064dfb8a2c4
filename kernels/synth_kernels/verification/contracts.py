"""The contracts of functions in the answer of `synth verify --modular`: what the source says, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_kernels.candidates.annotation_texts import contract_annotation, typed_lines
from synth_kernels.kernel_file import CUDA
from synth_kernels.modular.clauses import strongest_clauses
from synth_kernels.program import KernelClaim

if TYPE_CHECKING:
    from synth_kernels.reports import KernelReport
    from synth_kernels.source_place import SourcePlace
    from synth_kernels.subject import Subject


class ContractLine(NamedTuple):
    """A line of the contract of a function. `word` is `requires` or `ensures`, and `text` is an annotation.

    `outcome` is `given` for what the source says. Candidates are `kept`, `refuted` or `dropped`; the last word says
    that the solver gave up on it. Kept ones that others imply do not count.
    """

    word: str
    text: str
    outcome: str
    file: str
    line: int


def contract_of(subject: Subject, report: KernelReport) -> list[ContractLine]:
    """Return the contract of a function, first what the source says. Kernels have none."""
    kernel = subject.kernel
    if (function := kernel.function) is None:
        return []
    lines: dict[tuple[str, str, str, SourcePlace], None] = {}
    for claim in subject.kernel.steps:
        place = kernel.places.get(claim.line)
        if isinstance(claim, KernelClaim) and claim.kind in {"rely", "guarantee"} and place and not place.calls:
            word = "requires" if claim.kind == "rely" else "ensures"
            if place.expression.startswith((f"__{word}", f"__global_{word}")):
                lines[word, place.expression, "given", place] = None
    kept = [clause for clause in report.clauses if clause.line not in report.inferred.removed]
    implied = {clause.line for clause in kept} - {clause.line for clause in strongest_clauses(kept)}
    for clause in report.clauses:
        if clause.line in implied:
            continue
        word = f"global_{clause.word}" if clause.once else clause.word
        text = contract_annotation(clause.meaning, kernel, word, cuda=subject.path.suffix in CUDA)
        text = text or "; ".join(typed_lines(clause.meaning, "v"))
        lines[clause.word, text, report.inferred.outcome(clause.line), function.place] = None
    return [ContractLine(word, text, outcome, place.file, place.line) for word, text, outcome, place in lines]
