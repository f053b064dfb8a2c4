"""What campaigns found, as the page of `synth explore` takes it: the sentences of other views, and their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_analysis.answers.witnesses import command_of
from synth_analysis.device_results import labels_of
from synth_analysis.frequency import frequency_of, setting_words
from synth_analysis.views.analysis import device_title, launched, note_lines, witness_lines
from synth_analysis.views.comparison import comparison_lines
from synth_analysis.views.words import evidence, in_short
from synth_campaigns.claims import trouble_words
from synth_campaigns.views.cell_words import rate, unfinished
from synth_explorer.page_data import PageSuite, names_of
from synth_explorer.results import (
    PackedCell,
    PackedClaim,
    PackedComparison,
    PackedDevice,
    PackedPair,
    PackedResults,
    PackedTable,
    PackedWitness,
)
from synth_storage.answer_json import answer_from

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_analysis.cell_comparison import CellPair
    from synth_analysis.tables.comparison import CampaignComparison
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim
    from synth_explorer.page_content import Findings


def suites(findings: Findings) -> list[PageSuite]:
    """Return the tests of each campaign, and why it is not finished."""
    return [PageSuite(folder, *_suite(str(folder), findings.analysis)) for folder in findings.campaigns]


def _suite(campaign: str, analysis: Analysis) -> tuple[list[str], str]:
    cells = [cell for device in analysis.devices for cell in device.results.cells if cell.campaign == campaign]
    return list(dict.fromkeys(cell.cell.test for cell in cells)), unfinished(cells).get(campaign, "")


def packed_results(findings: Findings) -> PackedResults:
    """Return what campaigns found, as data of a page."""
    devices = findings.analysis.devices
    numbered = [(number, cell) for number, device in enumerate(devices) for cell in device.results.cells]
    places = {(result.campaign, result.number): place for place, (_, result) in enumerate(numbered)}
    campaigns = {str(folder): place for place, folder in enumerate(findings.campaigns)}
    labels = labels_of([device.results for device in devices])
    return PackedResults(
        names_of(findings.campaigns),
        [_device(device, label, places) for device, label in zip(devices, labels, strict=True)],
        [_cell(cell_result, number, campaigns) for number, cell_result in numbered],
        answer_from(PackedTable, findings.frequency),
        _comparison(findings.comparison) if findings.comparison else None,
    )


def _device(device: AnalysedDevice, label: str, places: Mapping[tuple[str, int], int]) -> PackedDevice:
    return PackedDevice(
        device.results.name,
        label,
        device.results.driver,
        launched(device),
        [_claim(claim, device, places) for claim in device.claims],
        list(in_short(device)),
        list(note_lines(device, "see the table of tests")),
        [
            PackedWitness(witness.result.cell.test, list(witness_lines(witness)), witness.command)
            for witness in device.witnesses
        ],
    )


def _claim(claim: Claim, device: AnalysedDevice, places: Mapping[tuple[str, int], int]) -> PackedClaim:
    because = evidence(claim)
    said = f"{claim.verdict}: {claim.status}{f'; {because}' if because else ''}"
    shown = [
        line for witness in device.witnesses if claim.verdict in witness.verdicts for line in witness_lines(witness)
    ]
    speaking = (*claim.witnesses, *claim.pattern_witnesses)
    return PackedClaim(
        claim.verdict,
        claim.status,
        because,
        _numbers(claim.cells, places),
        _numbers(speaking, places),
        "\n".join([device_title(device), launched(device), said, *shown]) + "\n",
    )


def _numbers(cells: Sequence[CellResult], places: Mapping[tuple[str, int], int]) -> list[int]:
    return [places[cell.campaign, cell.number] for cell in cells]


def _cell(result: CellResult, device: int, campaigns: Mapping[str, int]) -> PackedCell:
    return answer_from(
        PackedCell,
        result,
        result.cell,
        device=device,
        campaign=campaigns[result.campaign],
        setting=setting_words(result),
        run=frequency_of(result) != "not run",
        least=result.is_least,
        rate=rate(result),
        suspected=result.outcomes.get("suspected hang", 0),
        trouble=", ".join(result.trouble) if result.confirmed else trouble_words(result),
        command=command_of(result),
    )


def _comparison(compared: CampaignComparison) -> PackedComparison:
    if not compared.comparison.pairs:
        return PackedComparison(["No test has launches in the same setting on both sides."], [])
    return PackedComparison(list(comparison_lines(compared)), list(map(_pair, compared.comparison.pairs)))


def _pair(pair: CellPair) -> PackedPair:
    before, after = (f"{rates.hung} of {rates.counted}" for rates in (pair.before, pair.after))
    return PackedPair(pair.before.cell.test, setting_words(pair.before), before, after, pair.corrected, pair.is_changed)
