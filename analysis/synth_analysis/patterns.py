"""Sharper evidence: who had finished when a launch hung (docs/semantics.md, section 11).

A test that fails a verdict may hang on a device that keeps the promise, but not in every way. So the sets of threads
that had finished may speak against a verdict that the test fails. A hang counts only under these conditions:

- It is confirmed, and it is among the launches that its cell declares.
- The host saw the flags of threads while the launch ran, or a simulator is certain of them.
- The test has one location, or the memory has an order between locations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.reading import longest_in
from synth_campaigns.claims import is_of_memory
from synth_campaigns.folder import open_store, settings_in
from synth_campaigns.outcomes import outcome_of
from synth_checker.patterns import refuted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_analysis.reading import DeviceResults
    from synth_campaigns.results import CellResult
    from synth_campaigns.store import Store
    from synth_checker.models import Model


class Sharper(NamedTuple):
    """The verdicts that hangs of a cell speak against by who had finished, and an example.

    `finished` are the sets of finished threads in one of the hangs, such as `01` if only thread 1 had finished.
    """

    verdicts: frozenset[str]
    finished: tuple[str, ...]


def sharper_of(device: DeviceResults, models: tuple[Model, ...]) -> dict[tuple[str, int], Sharper]:
    """Return what who had finished speaks against, for each cell in which it does, by campaign and number.

    Raises:
        ResourceError: reading the results failed.
    """
    longest = longest_in(device.places)
    found = {}
    for place in device.places:
        confirm_s = settings_in(place.folder).launches.confirm_s
        cells = [one for one in device.cells if one.campaign == str(place.folder) and _counts(one)]
        with open_store(place.folder) as store:
            for one in cells:
                if one.cell.device == place.name:
                    sharper = _sharper(one, _hangs(store, one, longest, confirm_s), models)
                    if sharper.verdicts:
                        found[one.campaign, one.number] = sharper
    return found


def _counts(one: CellResult) -> bool:
    """Whether a cell has hangs of which the scheduler must be the reason."""
    is_workgroups = one.cell.across == "workgroups"
    return bool(one.confirmed) and not one.is_published and is_workgroups and not is_of_memory(one)


def _hangs(
    store: Store, one: CellResult, longest: Mapping[str, float], confirm_s: float
) -> Iterator[Mapping[str, int]]:
    """Yield who had finished in each hang that counts: how many instances had each set of finished threads."""
    decides, counted = store.decides(one.cell.device), 0
    for stored in store.launches(one.number):
        longest_here = longest.get(one.cell.setting.mapping, 0.0)
        judged = outcome_of(stored, decides=decides, longest=longest_here, confirm_s=confirm_s)
        counted += judged.outcome in {"ended", "hung"}
        if counted > one.cell.declared:
            return
        if judged.is_confirmed and (decides or stored.launch.quiet_s is not None):
            yield stored.launch.finished


def _sharper(one: CellResult, hangs: Iterator[Mapping[str, int]], models: tuple[Model, ...]) -> Sharper:
    """Put together what each hang speaks against. The example is a hang that speaks against the most verdicts."""
    against = {
        sets: refuted(one.cell.test, {pattern_of(text) for text in sets} - {0}, models)
        for sets in sorted({tuple(sorted(finished)) for finished in hangs})
    }
    example = max(against, key=lambda sets: len(against[sets]), default=())
    return Sharper(frozenset[str]().union(*against.values()), example)


def pattern_of(finished: str) -> int:
    """Return the threads that had not finished, as a bit mask. The text has a `1` for each thread that had finished."""
    return sum(1 << thread for thread, sign in enumerate(finished) if sign == "0")
