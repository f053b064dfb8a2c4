"""What a person may want to do after `synth verify` has answered about a file."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from synth_documents.phrases import shell_word
from synth_kernels.program import Kernel
from synth_kernels.progress.arguments import missing_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_kernels.verification.folder import KernelOutcome


def next_lines(source: Path, outcomes: Sequence[KernelOutcome], reading: Sequence[str]) -> Iterator[str]:
    """Yield a line for each next step: a page of the faults, limits of values, or which model is needed.

    `reading` has the words of the options by which the file was read.
    """
    verified = [outcome.verified for outcome in outcomes if outcome.verified is not None]
    faults = [fault for kernel in verified for fault in kernel.report.counterexamples]
    if faults:
        yield "To look at the faults beside the source, add: --format html --out faults.html"
    if not all(fault.is_confirmed for fault in faults):
        yield "A fault that is not confirmed may rest on values that never occur; __requires, --args and sizes say so."
    kernels = [answer.kernel for answer in verified if isinstance(answer.kernel, Kernel) and not answer.kernel.function]
    if kernels and all(outcome.verdict == "verified" for outcome in outcomes):
        first = kernels[0]
        needed = [f"--arg {argument}" for argument in missing_arguments(first)]
        options = shlex.join(["--kernel", first.name, *reading])
        call = " ".join(["synth kernel need", shell_word(source), options, *needed])
        yield f"To see which progress model it needs to end: {call}"
