"""Sharper evidence: who had finished when a launch hung (docs/understand/semantics.md, section 11).

A test that fails a verdict may hang on a device that keeps the promise, but not in every way. So the sets of threads
that had finished may speak against a verdict that the test fails. A hang counts only under these conditions:

- It is confirmed, and it is among the launches that its cell declares.
- The host saw the flags of threads while the launch ran, or a simulator is certain of them.
- The test has one location, or the memory has an order between locations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.claims import is_of_memory
from synth_campaigns.outcomes import outcome_of
from synth_checker.patterns import refuted_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_analysis.device_results import DeviceResults, ResultFolder
    from synth_campaigns.cell_result import CellResult
    from synth_checker.models import Model


class PatternEvidence(NamedTuple):
    """The verdicts that hangs of a cell speak against by who had finished, and an example.

    `finished` are the sets of finished threads in one of the hangs, such as `01` if only thread 1 had finished.
    """

    verdicts: frozenset[str]
    finished: tuple[str, ...]


def pattern_evidence_of(device: DeviceResults, models: tuple[Model, ...]) -> dict[tuple[str, int], PatternEvidence]:
    """Return what who had finished speaks against, for each cell in which it does, by campaign and number.

    The results of the device must be open (`synth_analysis.device_results.opened_devices`).

    Raises:
        ResourceError: reading the results failed.
    """
    places = {(str(place.folder), place.name): place for place in device.places}
    by_cell = {}
    for cell in filter(_counts, device.cells):
        place = places[cell.campaign, cell.cell.device]
        sharper = _sharper(cell, _hangs(place, cell, device.longest), models)
        if sharper.verdicts:
            by_cell[cell.campaign, cell.number] = sharper
    return by_cell


def _counts(result: CellResult) -> bool:
    """Whether a cell has hangs of which the scheduler must be the reason."""
    is_workgroups = result.cell.across == "workgroups"
    return bool(result.confirmed) and not result.is_published and is_workgroups and not is_of_memory(result)


def _hangs(place: ResultFolder, result: CellResult, longest: Mapping[str, float]) -> Iterator[Mapping[str, int]]:
    """Yield who had finished in each hang that counts: how many instances had each set of finished threads."""
    decides, confirm_s, counted = place.store.decides(place.name), place.settings.launches.confirm_s, 0
    longest_here = longest.get(result.cell.setting.mapping, 0.0)
    for stored in place.store.launches(result.number):
        judged = outcome_of(stored, decides=decides, longest=longest_here, confirm_s=confirm_s)
        counted += judged.outcome in {"ended", "hung"}
        if counted > result.cell.declared:
            return
        if judged.is_confirmed:
            yield stored.launch.finished


def _sharper(result: CellResult, hangs: Iterator[Mapping[str, int]], models: tuple[Model, ...]) -> PatternEvidence:
    """Put together what each hang speaks against. The example is a hang that speaks against the most verdicts."""
    against = {
        sets: refuted_verdicts(result.cell.test, {pattern_of(text) for text in sets} - {0}, models)
        for sets in sorted({tuple(sorted(finished)) for finished in hangs})
    }
    example = max(against, key=lambda sets: len(against[sets]), default=())
    return PatternEvidence(frozenset[str]().union(*against.values()), example)


def pattern_of(finished: str) -> int:
    """Return the threads that had not finished, as a bit mask. The text has a `1` for each thread that had finished."""
    return sum(1 << thread for thread, sign in enumerate(finished) if sign == "0")
