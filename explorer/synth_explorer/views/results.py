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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_analysis.answers.analysis import AnalysedDevice, Analysis
    from synth_analysis.cell_comparison import CellPair
    from synth_analysis.tables.comparison import CampaignComparison
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim
    from synth_documents.table import Table
    from synth_explorer.results import (
        PackedCell,
        PackedClaim,
        PackedComparison,
        PackedDevice,
        PackedPair,
        PackedResults,
        PackedTable,
    )
    from synth_explorer.shown import Findings


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
    return {
        "campaigns": names_of(findings.campaigns),
        "devices": [
            _device(device, label, places)
            for device, label in zip(devices, labels_of([device.results for device in devices]), strict=True)
        ],
        "cells": [_cell(cell_result, number, campaigns) for number, cell_result in numbered],
        "frequency": _table(findings.frequency),
        "comparison": _comparison(findings.comparison) if findings.comparison else None,
    }


def _device(device: AnalysedDevice, label: str, places: Mapping[tuple[str, int], int]) -> PackedDevice:
    return {
        "name": device.results.name,
        "label": label,
        "driver": device.results.driver,
        "launched": launched(device),
        "claims": [_claim(claim, device, places) for claim in device.claims],
        "short": list(in_short(device)),
        "notes": list(note_lines(device, "see the table of tests")),
        "witnesses": [
            {"test": witness.result.cell.test, "lines": list(witness_lines(witness)), "command": witness.command}
            for witness in device.witnesses
        ],
    }


def _claim(claim: Claim, device: AnalysedDevice, places: Mapping[tuple[str, int], int]) -> PackedClaim:
    because = evidence(claim)
    said = f"{claim.verdict}: {claim.status}{f'; {because}' if because else ''}"
    shown = [
        line for witness in device.witnesses if claim.verdict in witness.verdicts for line in witness_lines(witness)
    ]
    speaking = (*claim.witnesses, *claim.pattern_witnesses)
    return {
        "verdict": claim.verdict,
        "status": claim.status,
        "evidence": because,
        "cells": _numbers(claim.cells, places),
        "witnesses": _numbers(speaking, places),
        "copy": "\n".join([device_title(device), launched(device), said, *shown]) + "\n",
    }


def _numbers(cells: Sequence[CellResult], places: Mapping[tuple[str, int], int]) -> list[int]:
    return [places[cell.campaign, cell.number] for cell in cells]


def _cell(result: CellResult, device: int, campaigns: Mapping[str, int]) -> PackedCell:
    return {
        "test": result.cell.test,
        "device": device,
        "campaign": campaigns[result.campaign],
        "setting": setting_words(result),
        "hung": result.hung,
        "counted": result.counted,
        "run": frequency_of(result) != "not run",
        "least": result.is_least,
        "interval": result.interval,
        "rate": rate(result),
        "suspected": result.outcomes.get("suspected hang", 0),
        "trouble": ", ".join(result.trouble) if result.confirmed else trouble_words(result),
        "command": command_of(result),
    }


def _table(table: Table) -> PackedTable:
    return {
        "title": table.title,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "notes": list(table.notes),
    }


def _comparison(compared: CampaignComparison) -> PackedComparison:
    if not compared.comparison.pairs:
        return {"lines": ["No test has launches in the same setting on both sides."], "pairs": []}
    return {"lines": list(comparison_lines(compared)), "pairs": [_pair(pair) for pair in compared.comparison.pairs]}


def _pair(pair: CellPair) -> PackedPair:
    before, after = (f"{rates.hung} of {rates.counted}" for rates in (pair.before, pair.after))
    return {
        "test": pair.before.cell.test,
        "setting": setting_words(pair.before),
        "before": before,
        "after": after,
        "p": pair.corrected,
        "changed": pair.is_changed,
    }
