"""The report on campaigns: a document for whoever makes the devices.

The sentences and numbers are those of `synth campaign analyse`. The report names folders by their last part only,
because a path tells things about the machine on which the report was written.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from synth_analysis.views.words import (
    counts,
    doubt_of,
    evidence,
    in_short,
    warnings,
    why_it_hung,
)
from synth_campaigns.claims import trouble_words
from synth_campaigns.views.cell_words import (
    circumstances,
    grounds,
    hangs,
    rate,
    suspicion,
    unfinished,
)
from synth_documents.document import Document, Items, Listing, Picture, Section
from synth_documents.phrases import count, listed, shortened
from synth_documents.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_analysis.answers.analysis import AnalysedDevice
    from synth_analysis.answers.witnesses import Witness
    from synth_analysis.tables.report import CampaignReport
    from synth_campaigns.cell_result import CellResult
    from synth_documents.document import Block

#: The most letters of a name in a title. The table of devices has the whole name.
_MOST_LETTERS = 80
_INTRODUCTION = (
    "A progress litmus test is a tiny program that always ends on a fair scheduler and may hang on a less fair one. "
    "This report says what launches of such tests show of the scheduler of each device. The last section explains the "
    "words."
)
_CLAIMS = (
    ("violates", "A test that must end on a device that keeps the promise hung, and the hang is confirmed."),
    ("consistent with", "No such test hung, nothing went wrong, and each cell has all the launches that it needs."),
    ("inconclusive", "No such test has a confirmed hang, but some launch hung, is missing, or went wrong."),
    ("not tested", "No launch of such a test ended or hung."),
)
_WORDS = (
    ("thread", "A thread of a test stands for a workgroup. Progress inside a workgroup is not looked at."),
    ("launch", "One start of all workgroups on a device. It usually runs many instances of a test at once."),
    ("mapping", "It says which workgroup runs which thread of which instance."),
    ("cell", "A test on a device in one setting. A rate of hangs always belongs to one cell."),
    ("setting", "A mapping, a number of instances, and what else runs meanwhile."),
    ("verdict", "A form of a progress model, such as HSA.weak."),
    ("weak form", "It promises something only to threads that the model names all the time."),
    ("strong form", "It promises something also to threads that the model names again and again."),
    (
        "rate of hangs",
        "It is below its bound with 95 % confidence. No claim says that a device keeps a promise for sure.",
    ),
    ("Exch", "In a program, it writes a value and gives the value that was there before, in one step."),
    ("Mem", "In a program, the memory that all threads share. It holds 0 everywhere at the start."),
)


def report_document(report: CampaignReport) -> Document:
    """Return a report as a document, which can be written as HTML or as Markdown."""
    devices = report.analysis.devices
    name = shortened(devices[0].results.name, _MOST_LETTERS) if len(devices) == 1 else count(len(devices), "device")
    blocks = chain(
        (_INTRODUCTION, *_unfinished(devices), Section("Devices"), _devices(devices)),
        *(_device(device) for device in devices),
        _figures(report),
        _words(report),
    )
    return Document(f"Forward progress of workgroups on {name}", tuple(blocks))


def _unfinished(devices: Sequence[AnalysedDevice]) -> Iterator[Block]:
    """Yield a sentence for each campaign that is not finished."""
    for folder, because in unfinished([cell for device in devices for cell in device.results.cells]).items():
        yield f"The campaign {Path(folder).name} is not finished: {because}."


def _devices(devices: Sequence[AnalysedDevice]) -> Table:
    rows = []
    for device in devices:
        cells = device.results.cells
        launches, unknown = sum(cell.counted for cell in cells), sum(not cell.counted for cell in cells)
        hung = sum(cell.hung > 0 for cell in cells) if launches else None
        said = device.results.driver or "nothing was launched yet"
        rows.append((device.results.name, said, len(cells), unknown, launches, hung))
    columns = ("device", "what its driver says", "cells", "without a result", "launches", "cells that hung")
    return Table("", columns, tuple(rows))


def _device(device: AnalysedDevice) -> Iterator[Block]:
    results = device.results
    yield Section(shortened(results.name, _MOST_LETTERS))
    folders = sorted({place.folder.resolve().name for place in results.places})
    yield f"{count(len(results.cells), 'cell')} in {listed(folders)}: {counts(device)}."
    yield from in_short(device)
    yield from warnings(device)
    if results.told:
        rows = tuple((key.replace("_", " "), str(value)) for key, value in results.told.items())
        yield Table("What the device says of itself", ("property", "value"), rows)
    yield claims_table(device)
    if device.witnesses:
        yield Section("Violations", 3)
        for witness in device.witnesses:
            yield from _violation(witness)
    if device.suspected:
        yield Section("Suspected hangs", 3)
        yield "The device was lost at the time of a watchdog, which may have ended a hang. No claim rests on this."
        yield Items(tuple(map(suspicion, device.suspected)))
    if device.of_memory:
        yield Section("Hangs that the memory may have caused", 3)
        yield "These tests use two locations, and the memory is relaxed or of unknown order. No claim rests on them."
        yield Items(tuple(map(hangs, device.of_memory)))
    hung = [cell for cell in results.cells if cell.hung]
    if hung:
        yield Section("All cells that hung", 3)
        yield _cells(hung)
    yield Section("What was not tested", 3)
    yield from _not_tested(device)


def claims_table(device: AnalysedDevice) -> Table:
    """Return the claims about a device, each with its evidence."""
    claims = tuple(
        (claim.verdict, claim.status, claim.tests, claim.launches, evidence(claim)) for claim in device.claims
    )
    return Table("Claims", ("verdict", "claim", "tests", "launches", "evidence"), claims)


def _violation(witness: Witness) -> Iterator[Block]:
    yield Section(f"Violation of {listed(witness.verdicts)}", 4)
    yield f"{hangs(witness.result)}. {rate(witness.result)}".rstrip()
    yield f"{grounds(witness.result)} {circumstances(witness.result)}".lstrip()
    yield Listing(witness.program.strip())
    yield why_it_hung(witness)
    if witness.command:
        yield "This command runs the test again:"
        yield Listing(witness.command)


def _cells(cells: Sequence[CellResult]) -> Table:
    columns = ("test", "mapping", "instances", "hung", "confirmed", "launches")
    rows = tuple(
        (
            cell.cell.test,
            cell.cell.setting.mapping,
            cell.cell.setting.instances,
            f"at least {cell.hung}" if cell.is_least else cell.hung,
            cell.confirmed,
            cell.counted,
        )
        for cell in cells
    )
    return Table("", columns, rows)


def _not_tested(device: AnalysedDevice) -> Iterator[Block]:
    by_status: Mapping[str, list[str]] = {"not tested": [], "inconclusive": []}
    for claim in device.claims:
        by_status.get(claim.status, []).append(claim.verdict)
    if by_status["not tested"]:
        yield f"Not tested: {listed(by_status['not tested'])}. No launch of a test that passes them ended or hung."
    if by_status["inconclusive"]:
        yield f"Inconclusive: {listed(by_status['inconclusive'])}. The table of claims says why."
    for doubt in device.doubts:
        yield f"{doubt_of(doubt)}: {doubt.reason}"
    troubled = [cell for cell in device.results.cells if cell.trouble]
    if troubled:
        rows = tuple((result.cell.test, result.cell.setting.mapping, trouble_words(result)) for result in troubled)
        yield Table("Cells where launches are missing, or something went wrong", ("test", "mapping", "what"), rows)
    yield (
        "Nothing is known of other tests, other mappings, other numbers of instances, or another load than those of "
        "the launches. A hang that is rarer than the bounds may have been missed."
    )


def _figures(report: CampaignReport) -> Iterator[Block]:
    yield Section("All devices")
    for figure in report.figures:
        if figure.svg:
            yield Picture(figure.name, figure.table.title, figure.svg)
        yield figure.table


def _words(report: CampaignReport) -> Iterator[Block]:
    yield Section("Words")
    yield Table("Claims about a verdict", ("claim", "means"), _CLAIMS)
    models = tuple((model.name, " ".join(model.about.split()), model.definition) for model in report.models)
    yield Table("Progress models", ("model", "promise", "definition"), models)
    yield Table("Other words", ("word", "means"), _WORDS)
