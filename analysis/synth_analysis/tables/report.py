"""What a report on campaigns shows: their analysis, and tables of all devices, drawn as figures where that is possible.

A report computes nothing of its own. Its claims are those of `synth campaign analyse`, and its tables and figures those
of `synth campaign table`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_analysis.answers.analysis import analysis_of
from synth_analysis.frequency import frequency_table
from synth_analysis.tables.figures import figure_of
from synth_analysis.tables.order import order_table
from synth_checker.errors import InputError
from synth_checker.models import library
from synth_litmus.inputs.models import given_models

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_analysis.answers.analysis import Analysis
    from synth_checker.models import Model
    from synth_documents.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A table by its name, and its figure as SVG. The figure is empty if Matplotlib is missing."""

    name: str
    table: Table
    svg: str


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """The analysis of some campaigns, the models that its verdicts belong to, and figures of all devices.

    `lacks` says why there are no figures. It is empty if there are figures.
    """

    analysis: Analysis
    models: tuple[Model, ...]
    figures: tuple[Figure, ...]
    lacks: str


def report_of(folders: Sequence[Path], models: Sequence[str] = (), *, by_patterns: bool = False) -> CampaignReport:
    """Analyse some campaigns, as `analysis_of` does, and draw the figures of a report.

    Raises:
        InputError: a folder holds no campaign, two folders hold the same one, or a word names no model.
        ResourceError: reading the results failed.
    """
    analysis = analysis_of(folders, models, by_patterns=by_patterns)
    chosen = given_models(models) if models else library()
    tables = {"order": order_table(analysis)} if chosen == library() else {}
    tables["never-sometimes-always"] = frequency_table([device.results for device in analysis.devices])
    figures, lacks = [], ""
    for name, table in tables.items():
        try:
            svg = figure_of(name, table)
        except InputError as error:  # Matplotlib is missing, and the tables say the same
            svg, lacks = "", str(error)
        figures.append(Figure(name, table, svg))
    return CampaignReport(analysis, chosen, tuple(figures), lacks)
