"""What a person may want to do after `synth verify` has answered about a file."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.verification.folder import KernelOutcome


def next_lines(source: Path, outcomes: Sequence[KernelOutcome]) -> Iterator[str]:
    """Yield a line for each next step: a page of the faults, more time, or the question which model is needed."""
    name = shlex.quote(str(source))
    verified = [outcome.verified for outcome in outcomes if outcome.verified is not None]
    reports = [kernel.report for kernel in verified]
    if any(report.counterexamples for report in reports):
        yield f"To look at the faults beside the source: synth verify {name} --format html --out faults.html"
    if any(not fault.is_confirmed for report in reports for fault in report.counterexamples):
        yield "A fault that is not confirmed may rest on values that never occur; __requires, --args and sizes say so."
    if verified and all(outcome.verdict == "verified" for outcome in outcomes):
        kernel = f" --kernel {shlex.quote(verified[0].kernel.name)}" if len(verified) > 1 else ""
        yield f"To see which progress model it needs to end: synth kernel need {name}{kernel}"
