"""The text of `synth campaign analyse`: what is claimed of each device, and the evidence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from synth_analysis.views.words import (
    counts,
    doubt_of,
    evidence,
    in_short,
    warnings,
    why_it_hung,
)
from synth_campaigns.views.cell_words import circumstances, grounds, hangs, rate, suspicion
from synth_documents.lines import printable
from synth_documents.phrases import count, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_analysis.answers.witnesses import Witness

_COLUMNS = 100
#: The most cells that a claim names. --json has all.
_MOST_CELLS = 3


@printable
def analysis_lines(analysis: Analysis) -> Iterator[str]:
    """Yield lines about each device: a claim for each verdict, the claims in short, and the witnesses."""
    for number, device in enumerate(analysis.devices):
        if number:
            yield ""
        yield from _device_lines(device)


def _device_lines(device: AnalysedDevice) -> Iterator[str]:
    yield device_title(device)
    yield launched(device)
    yield ""
    width = max(len(claim.verdict) for claim in device.claims)
    for claim in device.claims:
        yield f"  {claim.verdict:{width}}  {claim.status:15}  {evidence(claim)}".rstrip()
    yield ""
    yield from in_short(device)
    yield from note_lines(device)
    for witness in device.witnesses:
        yield ""
        yield from witness_lines(witness)


def device_title(device: AnalysedDevice) -> str:
    """Say which device it is."""
    return f"{device.results.name}: {device.results.driver or 'nothing was launched yet'}"


def launched(device: AnalysedDevice) -> str:
    """Say how much was launched on a device."""
    folders = sorted({str(place.folder) for place in device.results.places})
    return f"{count(len(device.results.cells), 'cell')} in {listed(folders)}: {counts(device)}"


def note_lines(device: AnalysedDevice, rest: str = "see --json") -> Iterator[str]:
    """Yield what a reader must know besides the claims. A line that begins with spaces belongs to the one above it.

    Of many cells only a few are named. `rest` says where the others are.
    """
    for doubt in device.doubts:
        yield f"{doubt_of(doubt)}:"
        yield f"  {doubt.reason}"
    if device.of_memory:
        yield "Hung, but perhaps because of the memory, which is relaxed or of unknown order:"
        yield from _some([hangs(cell_result) for cell_result in device.of_memory], rest)
    if device.suspected:
        yield "Suspected hangs, where the device was lost at the time of a watchdog:"
        yield from _some([suspicion(cell_result) for cell_result in device.suspected], rest)
    yield from warnings(device)


def _some(texts: Sequence[str], rest: str) -> Iterator[str]:
    yield from (f"  {text}" for text in texts[:_MOST_CELLS])
    if len(texts) > _MOST_CELLS:
        yield f"  and {len(texts) - _MOST_CELLS} more ({rest})"


def witness_lines(witness: Witness) -> Iterator[str]:
    """Yield all about a witness: how often it hung, its program, how it may hang, and how to run it again."""
    yield f"Witness against {listed(witness.verdicts)}: {hangs(witness.result)}"
    if why := grounds(witness.result):
        yield from textwrap.wrap(why, _COLUMNS, break_on_hyphens=False)
    yield from textwrap.wrap(circumstances(witness.result), _COLUMNS, break_on_hyphens=False)
    if known := rate(witness.result):
        yield known
    yield from (f"  {line}".rstrip() for line in witness.program.strip().splitlines())
    yield from textwrap.wrap(why_it_hung(witness), _COLUMNS, break_on_hyphens=False)
    if witness.command:
        yield f"Run it again: {witness.command}"
