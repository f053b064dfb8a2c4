"""The candidates for invariants of a kernel as answers tell them: each with its loop, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_kernels.candidates.annotation_texts import annotation, scope_of, typed_lines
from synth_kernels.flow import Flow
from synth_kernels.kernel_file import CUDA, TYPED
from synth_kernels.program import Kernel, KernelClaim
from synth_kernels.source_place import Placed

if TYPE_CHECKING:
    from synth_kernels.reports import KernelReport
    from synth_kernels.subject import Subject


@dataclass(frozen=True, slots=True)
class JudgedCandidate(Placed):
    """A candidate of a rule for a loop, with the place of the loop's test.

    The outcome is `kept`, `refuted` or `dropped`; the last word says that the solver gave up on it. `round` is 0 for
    candidates that were not refuted, and `engine` is what refuted it: `H` is Houdini. `lines` is the candidate as an
    annotation, or as lines of a typed program. The rule of a candidate of the kernel's own is empty.
    """

    rule: str
    file: str = field(init=False)
    line: int = field(init=False)
    outcome: str
    round: int
    engine: str
    lines: tuple[str, ...]


def candidates_of(subject: Subject, report: KernelReport) -> list[JudgedCandidate]:
    """Return the candidates of a kernel, loop by loop: those that it has of its own, and those that rules made."""
    kernel = subject.kernel
    own = [
        (block.name, _judged(subject, report, "", block.name, claim.line, _own_text(kernel, claim)))
        for block in kernel.blocks
        for claim in block.instructions
        if isinstance(claim, KernelClaim) and claim.kind == "candidate"
    ]
    is_typed, cuda = subject.path.suffix == TYPED, subject.path.suffix in CUDA
    flow = Flow(kernel)
    of_rules = []
    for number, candidate in enumerate(report.candidates):
        header = candidate.header
        text = None if is_typed else annotation(candidate.meaning, kernel, scope_of(flow, header), cuda=cuda)
        lines = typed_lines(candidate.meaning, f"inv{number}.") if text is None else [text]
        of_rules.append((header, _judged(subject, report, candidate.rule, header, candidate.line, tuple(lines))))
    headers = dict.fromkeys(header for header, _ in (*of_rules, *own))
    return [judged for name in headers for header, judged in (*own, *of_rules) if header == name]


def _judged(  # noqa: PLR0913, PLR0917
    subject: Subject, report: KernelReport, rule: str, header: str, line: int, lines: tuple[str, ...]
) -> JudgedCandidate:
    outcome = report.inferred.outcome(line)
    engine = report.inferred.by.get(line, "H") if outcome == "refuted" else ""
    place = subject.place(subject.kernel.block(header).end.line)
    return JudgedCandidate(place, rule, outcome, report.inferred.refuted.get(line, 0), engine, lines)


def _own_text(kernel: Kernel, claim: KernelClaim) -> tuple[str, ...]:
    """Return a candidate of the kernel's own as its source has it."""
    place = kernel.places.get(claim.line)
    return (place.expression if place is not None and place.expression else f"candidate {claim.value}",)
