"""The answers of `synth verify` as SARIF 2.1.0, which editors and forges show beside the source.

Each fault is a result: an error if a run has confirmed it, and else a warning. Its code flow has a thread flow for each
of the two threads. A kernel that was not decided is a notification of the run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from synth_kernels.source_place import NOWHERE, SourcePlace
from synth_kernels.verification.answer import answer_of
from synth_kernels.views.kernel import (
    FAULTS,
    confirmation,
    fault_words,
    numbers,
    step_words,
    unread_reason,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_kernels.verification.answer import VerifiedKernel
    from synth_kernels.verification.faults import KernelFault
    from synth_kernels.verification.folder import KernelOutcome

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_of(answers: Sequence[KernelOutcome], version: str) -> dict[str, Json]:
    """Return a SARIF log with one run: the faults of all kernels, and what was not decided."""
    rules = list(FAULTS)
    results: list[Json] = []
    notifications: list[Json] = []
    for answer in answers:
        if answer.verified is None:
            notifications.append(_notification(answer.fault, SourcePlace(str(answer.path), 0), "error"))
            continue
        told = answer_of(answer.verified)
        results += [_result(told, fault, rules) for fault in told.counterexamples]
        if answer.verdict not in {"verified", "no bug found"} and not told.counterexamples:
            why = told.reason if told.is_read else unread_reason(told)
            place = SourcePlace(told.file, 0) if told.is_read else told.start
            notifications.append(_notification(f"{told.kernel}: {told.verdict}: {why}", place, "warning"))
    driver: dict[str, Json] = {
        "name": "synth verify",
        "version": version,
        "rules": [{"id": rule, "shortDescription": {"text": words}} for rule, words in FAULTS.items()],
    }
    log: dict[str, Json] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": all(answer.verified is not None for answer in answers),
                "toolExecutionNotifications": notifications,
            }
        ],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [log]}


def _result(answer: VerifiedKernel, fault: KernelFault, rules: list[str]) -> Json:
    steps = fault.steps
    places = [answer.start if step.place is NOWHERE else step.place for step in steps]
    values = numbers(fault).strip().capitalize()
    text = f"{answer.kernel}: {fault_words(fault)}; {confirmation(fault)}. {values}."
    flows: list[Json] = [
        {"locations": [{"location": _location(place, step_words(step))}]}
        for step, place in zip(steps, places, strict=True)
    ]
    return {
        "ruleId": fault.kind,
        "ruleIndex": rules.index(fault.kind),
        "level": "error" if fault.confirmed else "warning",
        "message": {"text": text},
        "locations": [_location(places[-1] if places else answer.start)],
        "relatedLocations": [
            {**_location(place, step_words(step)), "id": number}
            for number, (step, place) in enumerate(zip(steps, places, strict=True))
        ],
        "codeFlows": [{"threadFlows": flows}] if flows else [],
    }


def _location(place: SourcePlace, text: str = "") -> dict[str, Json]:
    physical: dict[str, Json] = {"artifactLocation": {"uri": _uri(place.file)}}
    if place.line > 0:
        region: dict[str, Json] = {"startLine": place.line}
        if place.column > 0:
            region["startColumn"] = place.column
        physical["region"] = region
    return {"physicalLocation": physical, **({"message": {"text": text}} if text else {})}


def _notification(text: str, place: SourcePlace, level: str) -> Json:
    return {"level": level, "message": {"text": text}, "locations": [_location(place)]}


def _uri(file: str) -> str:
    """Return a file as a URI: relative as it was given, or absolute."""
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path))
