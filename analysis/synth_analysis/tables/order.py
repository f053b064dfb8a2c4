"""The order of the verdicts, with what was seen of each device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_analysis.device_results import labels_of
from synth_analysis.unknown_devices import devices_without_result
from synth_checker.relations.antichains import least_fair, less_fair
from synth_documents.table import Table

if TYPE_CHECKING:
    from synth_analysis.answers.analysis import Analysis


def order_table(analysis: Analysis) -> Table:
    """Return a table with a row for each verdict, and the claim about it for each device.

    Raises:
        ResourceError: reading why a device has no result failed.
    """
    devices = analysis.devices
    lacks = devices_without_result([device.results for device in devices])
    claims = [{claim.verdict: str(claim.status) for claim in device.claims} for device in devices]
    above = next_above()
    rows = tuple((name, ", ".join(above[name]), *(statuses[name] for statuses in claims)) for name in above)
    return Table(
        "The order of the verdicts, and what was seen of each device",
        ("verdict", "next above", *labels_of([device.results for device in devices])),
        rows,
        (*lacks, "Next above: the verdicts that are fairer, with no other one between."),
        lacks,
    )


def next_above() -> dict[str, tuple[str, ...]]:
    """Return for each verdict the fairer ones with no other verdict between, in the order of the verdicts."""
    less = less_fair()
    return {name: least_fair([other for other in less if name in less[other]]) for name in less}
