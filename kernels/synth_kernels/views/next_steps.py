"""What a person may want to do after `synth verify` has answered about a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import shell_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.program import Kernel
    from synth_kernels.verification.folder import KernelOutcome


def next_lines(source: Path, outcomes: Sequence[KernelOutcome]) -> Iterator[str]:
    """Yield a line for each next step: a page of the faults, limits of values, or which model is needed."""
    verified = [outcome.verified for outcome in outcomes if outcome.verified is not None]
    reports = [kernel.report for kernel in verified]
    if any(report.counterexamples for report in reports):
        yield "To look at the faults beside the source, add: --format html --out faults.html"
    if any(not fault.is_confirmed for report in reports for fault in report.counterexamples):
        yield "A fault that is not confirmed may rest on values that never occur; __requires, --args and sizes say so."
    if verified and all(outcome.verdict == "verified" for outcome in outcomes):
        kernel = verified[0].kernel
        words = ["synth kernel need", shell_word(source), "--kernel", shell_word(kernel.name), *_arguments(kernel)]
        yield f"To see which progress model it needs to end: {' '.join(words)}"


def _arguments(kernel: Kernel | object) -> Iterator[str]:
    """Yield the options that a kernel needs, with dots for values."""
    names = [array.name for array in getattr(kernel, "arrays", ()) if array.space in {"global", "constant"}]
    yield from (f"--arg {name}=..." for name in [*names, *(scalar for scalar, _ in getattr(kernel, "scalars", ()))])
