"""The text of `synth job start --one-in`: what some shards took, and what follows for the whole job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import shown
from synth_documents.readable import three_digits
from synth_jobs.views.plan import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from synth_checker.question import Question
    from synth_documents.lines import Lines
    from synth_jobs.trial import TrialResult


def lines(folder: Path, question: Question, tried: TrialResult) -> Lines:
    """Yield what the shards took, a table with a row for each predicted number, and how to go on."""
    took = f"planned {three_digits(tried.planned)} processor seconds, took {three_digits(tried.taken)}"
    yield f"{tried.done} of {tried.shards} shards done: {took}"
    yield table_of(question, tried.tests, tried.kept, tried.cpu_seconds, ())
    yield f"intervals of 90 %; synth job resume {shown(str(folder))} does the rest"
