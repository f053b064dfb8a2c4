"""What campaigns found, in the form in which a page takes it.

A page shows the sentences of `synth campaign analyse`, and computes no claim. So the sentences are part of the data.
The numbers beside them are for tables, filters and sorting.
"""

from __future__ import annotations

from typing import NamedTuple


class PackedCell(NamedTuple):
    """A cell: a test on a device in one setting.

    - `device` and `campaign` are places in the lists of the page. `setting` says in words how the test was launched.
    - `hung` of `counted` launches hung. If `least` is true, more may have hung.
    - `run` says whether anything was launched. A launch that neither ended nor hung does not count.
    - `interval` is Wilson's 95 % interval of the rate of hangs, and `rate` says in words what is known of the rate.
    - `suspected` is how many launches are suspected hangs, and `trouble` says what else went wrong.
    - `command` runs the cell again; it is empty if `synth` cannot.
    """

    test: str
    device: int
    campaign: int
    setting: str
    hung: int
    counted: int
    run: bool
    least: bool
    interval: tuple[float, float] | None
    rate: str
    suspected: int
    trouble: str
    command: str


class PackedClaim(NamedTuple):
    """The claim about a verdict: its evidence in words, and the places of the cells that count for it.

    `witnesses` are the cells that speak against the verdict, the most telling first. `copy` is the text to copy: the
    claim, its evidence, and what was launched.
    """

    verdict: str
    status: str
    evidence: str
    cells: list[int]
    witnesses: list[int]
    copy: str


class PackedWitness(NamedTuple):
    """The most telling witness against some verdicts. `lines` say it all, and `command` runs it again."""

    test: str
    lines: list[str]
    command: str


class PackedDevice(NamedTuple):
    """A device: what it says of itself, how much was launched, the claims, these in short, and the witnesses.

    No two devices have the same `label`.
    `notes` are sentences about doubts, suspected hangs and launches that depend on each other.
    """

    name: str
    label: str
    driver: str
    launched: str
    claims: list[PackedClaim]
    short: list[str]
    notes: list[str]
    witnesses: list[PackedWitness]


class PackedTable(NamedTuple):
    """A table, such as that of how many tests hung never, sometimes or always."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
    notes: tuple[str, ...]


class PackedPair(NamedTuple):
    """A test in a setting that two campaigns launched: what hung in each, and whether the rate has changed."""

    test: str
    setting: str
    before: str
    after: str
    p: float
    changed: bool


class PackedComparison(NamedTuple):
    """Two campaigns compared, in the sentences of `synth campaign compare`, and cell by cell."""

    lines: list[str]
    pairs: list[PackedPair]


class PackedResults(NamedTuple):
    """What the campaigns of a page found. The places in `campaigns` and `devices` number them."""

    campaigns: list[str]
    devices: list[PackedDevice]
    cells: list[PackedCell]
    frequency: PackedTable
    comparison: PackedComparison | None
