"""The commands below `synth campaign` as functions. Written by `make reference`; edit the options and not this file."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike

from synth_analysis.answers.advice import DeviceAdvice
from synth_analysis.answers.analysis_json import AnalysisAnswer
from synth_analysis.answers.scheduler import DeviceExplanation
from synth_analysis.tables.answer import TableAnswer
from synth_analysis.tables.comparison import ComparisonAnswer
from synth_campaigns.answers.bundled import BundleAnswer
from synth_campaigns.answers.collected import CollectedAnswer
from synth_campaigns.answers.status import CampaignStatus

def plan(
    source: str | Iterable[str],
    *,
    device: str | Iterable[str] | None = None,
    mapping: str | Iterable[str] | None = None,
    instances: int | None = None,
    stress: str | None = None,
    stress_shape: str | None = None,
    width: int | None = None,
    busy: int | None = None,
    launches: int | None = None,
    until: float | None = None,
    timeout: float | None = None,
    confirm: float | None = None,
    after_hang: int | None = None,
    out: str | PathLike[str] | None = None,
) -> object:
    """Say what a campaign would run, how long it may take, and how much disk its results take. Nothing is run."""

def run(
    source: str | Iterable[str],
    *,
    device: str | Iterable[str] | None = None,
    mapping: str | Iterable[str] | None = None,
    instances: int | None = None,
    stress: str | None = None,
    stress_shape: str | None = None,
    width: int | None = None,
    busy: int | None = None,
    launches: int | None = None,
    until: float | None = None,
    timeout: float | None = None,
    confirm: float | None = None,
    after_hang: int | None = None,
    expected: str | None = None,
    seed: int | None = None,
    out: str | PathLike[str] | None = None,
    time_limit: str | float | None = None,
) -> CampaignStatus:
    """Run the tests of a campaign on its devices, and keep what came of every launch in a folder."""

def status(
    folder: str | PathLike[str],
) -> CampaignStatus:
    """Say how far a campaign has come, and what each device was seen to do."""

def analyse(
    folders: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    expect: str | None = None,
    at_most_rate: float | None = None,
    model: str | Iterable[str] | None = None,
    patterns: bool = False,
    junit: str | PathLike[str] | None = None,
) -> AnalysisAnswer:
    """Say which verdicts each device violates, with witnesses, and which it is consistent with, with bounds."""

def next(
    folders: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    device: str | None = None,
    from_: str | Iterable[str] | None = None,
    mapping: str | Iterable[str] | None = None,
    launches: int | None = None,
) -> builtins.list[DeviceAdvice]:
    """Say which test under which mapping tells most about what a device guarantees, and why."""

def explain(
    folders: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    device: str | None = None,
    scheduler: str | Iterable[str] | None = None,
    slots: str | int | Sequence[int] | Iterable[str | int | Sequence[int]] | None = None,
    order: str | Iterable[str] | None = None,
    batch: str | int | Sequence[int] | Iterable[str | int | Sequence[int]] | None = None,
    preempt: str | Iterable[str] | None = None,
    pick: str | Iterable[str] | None = None,
    instances: int | None = None,
    most_instances: int | None = None,
    jobs: int | None = None,
) -> builtins.list[DeviceExplanation]:
    """Say which simulated schedulers have the results of a device, cell by cell, and which test tells them apart."""

def bundle(
    source: str | Iterable[str],
    *,
    out: str | PathLike[str],
    device: str | Iterable[str] | None = None,
    mapping: str | Iterable[str] | None = None,
    instances: int | None = None,
    stress: str | None = None,
    stress_shape: str | None = None,
    width: int | None = None,
    launches: int | None = None,
    until: float | None = None,
    confirm: float | None = None,
    after_hang: int | None = None,
    expected: str | None = None,
    seed: int | None = None,
    zip: bool = False,
    force: bool = False,
) -> BundleAnswer:
    """Pack a campaign for a phone, a browser, or a PC of somebody else."""

def collect(
    results: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    out: str | PathLike[str] | None = None,
    confirm: float | None = None,
) -> CollectedAnswer:
    """Take result lines that others printed, and say what they show."""

def import_(
    tables: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    describe: str | PathLike[str],
    out: str | PathLike[str],
) -> CampaignStatus:
    """Make a campaign of published tables of results, and say what they show."""

def export(
    folder: str | PathLike[str],
    *,
    format: str = 'jsonl',
    out: str | PathLike[str] | None = None,
    table: str | None = None,
    force: bool = False,
) -> str | None:
    """Write a campaign for other programs."""

def compare(
    before: str,
    after: str,
) -> ComparisonAnswer:
    """Say which tests hang more or less often than before: on another driver, device, load or release."""

def table(
    folders: str | Iterable[str],
    *,
    name: str,
    aliases: bool = False,
    format: str | None = None,
    out: str | PathLike[str] | None = None,
    force: bool = False,
) -> TableAnswer:
    """Write a table of corpora, campaigns or jobs, or draw it as a figure."""
