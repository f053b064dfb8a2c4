"""Remarks about the source of a kernel, which stand beside every answer about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import Access, Arbitrary

if TYPE_CHECKING:
    from synth_kernels.program import Kernel


def source_notes(kernel: Kernel) -> list[str]:
    """Return remarks about the source: which variables may be used before they are set."""
    notes: dict[str, None] = {}
    steps = kernel.steps
    private = {array.name for array in kernel.arrays if array.space == "private"}
    begins = {step.value for step in steps if isinstance(step, Access) and step.array in private}
    for step in steps:
        place = kernel.places.get(step.line)
        if not isinstance(step, Arbitrary) or not step.is_unset or step.name in begins:
            continue  # the life of a variable in private memory only begins there
        if place is not None and place.expression:
            where = f" ({place.file}:{place.line})" if place.line else ""
            notes[f"{place.expression}{where} may be used before it is set, so it may hold any value."] = None
    return list(notes)
