"""The contracts of functions in the answer of `synth verify --modular`: what the source says, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

from synth_kernels.candidates.annotation_texts import contract_annotation, typed_lines
from synth_kernels.kernel_file import CUDA
from synth_kernels.modular.clauses import strongest_clauses
from synth_kernels.modular.effects import calls_of
from synth_kernels.program import Kernel, KernelClaim, SourcePlace, UnreadKernel

if TYPE_CHECKING:
    from synth_kernels.verification import Verified


class ContractLine(NamedTuple):
    """A line of the contract of a function: `requires` or `ensures`, its text, and what came of it.

    Those of the source are `given`. Candidates are `kept`, `refuted` or `dropped`. Kept ones that others imply do not
    count.
    """

    word: str
    text: str
    outcome: str
    place: SourcePlace


def contract_of(verified: Verified) -> list[ContractLine]:
    """Return the contract of a function, first what the source says. Kernels have none."""
    if not isinstance(verified.kernel, Kernel) or (function := verified.kernel.function) is None:
        return []
    lines = []
    for block in verified.kernel.blocks:
        for claim in block.instructions:
            place = verified.kernel.places.get(claim.line)
            if isinstance(claim, KernelClaim) and claim.kind in {"rely", "guarantee"} and place and not place.calls:
                text = place.text
                word = "requires" if claim.kind == "rely" else "ensures"
                if text.startswith((f"__{word}", f"__global_{word}")):
                    lines.append(ContractLine(word, text, "given", place))
    inferred = verified.report.inferred
    kept = [clause for clause in verified.report.clauses if clause.line not in inferred.removed]
    implied = {clause.line for clause in kept} - {clause.line for clause in strongest_clauses(kept)}
    for clause in verified.report.clauses:
        if clause.line in implied:
            continue
        outcome = (
            "dropped" if clause.line in inferred.dropped else "refuted" if clause.line in inferred.refuted else "kept"
        )
        word = f"global_{clause.word}" if clause.once else clause.word
        text = contract_annotation(
            clause.meaning, verified.kernel, word, cuda=verified.path.suffix in CUDA
        ) or "; ".join(typed_lines(clause.meaning, "v"))
        lines.append(ContractLine(clause.word, text, outcome, function.place))
    return list(dict.fromkeys(lines))


class ClauseFields(TypedDict):
    """A line of the contract of a function. `word` is `requires` or `ensures`, and `text` is an annotation.

    `outcome` is `given` for what the source says. Candidates are `kept`, `refuted` or `dropped`; the last word says
    that the solver gave up on it.
    """

    word: str
    text: str
    outcome: str
    file: str
    line: int


def contract_fields(verified: Verified, *, with_candidates: bool) -> list[ClauseFields]:
    """Return the JSON form of a contract. Refuted candidates are there if they are asked for."""
    return [
        {
            "word": line.word,
            "text": line.text,
            "outcome": line.outcome,
            "file": line.place.file,
            "line": line.place.line,
        }
        for line in contract_of(verified)
        if with_candidates or line.outcome in {"given", "kept"}
    ]


def is_function(verified: Verified) -> bool:
    """Return whether this is a function that is not inlined, and no kernel."""
    return (
        verified.kernel.is_function
        if isinstance(verified.kernel, UnreadKernel)
        else verified.kernel.function is not None
    )


def called_functions(verified: Verified) -> list[str]:
    """Return the functions that a kernel or a function calls and that are not inlined, by their names."""
    if not isinstance(verified.kernel, Kernel):
        return []
    return list(dict.fromkeys(call.unit.rpartition("#")[0] for call in calls_of(verified.kernel)))
