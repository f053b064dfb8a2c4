"""The text of `synth campaign explain`: which simulated schedulers have the results of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.lines import printable
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_analysis.answers.scheduler import DeviceExplanation
    from synth_analysis.reproduction import Fit

#: At most so many schedulers and cells are shown in one list.
_MOST_SHOWN = 8


@printable
def explanation_lines(explanation: DeviceExplanation) -> Iterator[str]:
    """Yield lines about one device: the schedulers that have its results, and a test that tells them apart."""
    yield f"{explanation.device}: {explanation.driver or 'nothing was launched yet'}"
    if explanation.left_out:
        why = "no launch ended or hung, or `synth sim` has no stress, wide workgroups or relaxed memory"
        yield f"{count(explanation.left_out, 'cell')} left out: {why}."
    left_schedulers, cells = explanation.fits.left, count(explanation.cells, "cell")
    compared = count(explanation.compared, "simulated scheduler")
    if not left_schedulers:
        yield f"None of {compared} has these results in all {cells}."
        yield from _nearest(explanation)
        return
    if len(left_schedulers) == 1:
        yield f"1 of {compared} has these results in {cells}:"
    else:
        yield f"{len(left_schedulers)} of {compared} have these results in {cells}. No cell tells them apart:"
    yield from _shown([fit.name for fit in left_schedulers])
    if explanation.division is not None:
        place = explanation.division.place
        instances = count(place.instances, "instance")
        yield f"To tell them apart, launch {place.test} under {place.mapping} with {instances}:"
        for outcome, names in explanation.division.by_outcome.items():
            yield f"  it {outcome} hangs with {'; '.join(names[:_MOST_SHOWN])}{_more(len(names))}"
    elif len(left_schedulers) > 1:
        yield f"{explanation.places} further cells were tried, and none tells them apart."


def _nearest(explanation: DeviceExplanation) -> Iterator[str]:
    nearest = explanation.fits.nearest
    cells = count(len(nearest[0].refuting), "cell")
    yield f"The nearest {'has' if len(nearest) == 1 else 'have'} other results in {cells}:"
    yield from _shown([f"{fit.name}; not {_cells(fit)}" for fit in nearest])


def _cells(fit: Fit) -> str:
    refuting = [
        f"{counts.place.test} under {counts.place.mapping} ({counts.hung} of {counts.hung + counts.ended} hung)"
        for counts in fit.refuting[:2]
    ]
    rest = len(fit.refuting) - len(refuting)
    return ", ".join(refuting) + (f" and {rest} more" if rest else "")


def _shown(names: list[str]) -> Iterator[str]:
    for name in names[:_MOST_SHOWN]:
        yield f"  {name}"
    if len(names) > _MOST_SHOWN:
        yield f"  and {len(names) - _MOST_SHOWN} more"


def _more(names: int) -> str:
    return f" and {names - _MOST_SHOWN} more" if names > _MOST_SHOWN else ""
