"""How often tests hang, in the words that litmus tests use: never, sometimes, always (Figure 12 of the paper).

For a cell, the launches that ended or hung count:

    never           none of them hung
    sometimes       some of them hung, and some ended
    always          all of them hung
    at least once   a published table says that some hung, and not how many
    no result       none ended or hung, so nothing is known
    not run         there was no launch

The paper's figure counts tests that hung *always* and tests that hung *sometimes*, for each device and mapping. It has
no bar for *never*. We count all six, so that each test is in one column.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from synth_analysis.device_results import labels_of
from synth_analysis.unknown_devices import devices_without_result
from synth_documents.table import Table

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from synth_analysis.device_results import DeviceResults
    from synth_campaigns.cell_result import CellResult

Frequency: TypeAlias = Literal["never", "sometimes", "always", "at least once", "no result", "not run"]
FREQUENCIES: tuple[Frequency, ...] = get_args(Frequency)


def frequency_of(result: CellResult) -> Frequency:
    """Return how often a cell hung. If launches were deleted, nobody knows that there were none."""
    if not result.counted:
        return "no result" if result.outcomes or result.is_cut else "not run"
    if result.is_least and result.hung:
        return "at least once"
    if not result.hung:
        return "never"
    return "always" if result.hung == result.counted else "sometimes"


class _Group(NamedTuple):
    """What the cells of a row have in common.

    `campaign` is empty unless the device has the same cell in several campaigns.
    """

    device: str
    mapping: str
    across: str
    asked: int | None
    stress: int
    stress_shape: str
    width: int
    busy: int
    heading: str
    campaign: str


def frequency_table(devices: Sequence[DeviceResults]) -> Table:
    """Return a table with a row for each device and setting: how many of its cells hung never, sometimes, or always.

    If several campaigns have the same cell, each of them has rows of its own, because launches of two cells are never
    added up. The column `launches` has the fewest launches that a cell of the row has: the fewer, the less *never*
    means.

    Raises:
        ResourceError: reading why a device has no result failed.
    """
    groups: dict[_Group, list[CellResult]] = {}
    for label, device in zip(labels_of(devices), devices, strict=True):
        repeated = _repeated(device.cells)
        for cell in device.cells:
            groups.setdefault(_group(label, cell, repeated), []).append(cell)
    rows = []
    for group, cells in groups.items():
        counts = Counter(map(frequency_of, cells))
        known = [cell.counted for cell in cells if cell.counted and not cell.is_least]
        rows.append(
            (
                group.device,
                _setting(group, groups),
                len(cells),
                *(counts[name] for name in FREQUENCIES),
                min(known, default=None),
            )
        )
    lacks = devices_without_result(devices)
    return Table(
        "How many tests hang never, sometimes or always",
        ("device", "setting", "cells", *FREQUENCIES, "launches"),
        tuple(rows),
        (*lacks, "The column launches has the fewest launches of a cell of the row that ended or hung."),
        lacks,
    )


def _repeated(cells: Iterable[CellResult]) -> set[str]:
    """Return the campaigns that have a cell which another campaign has, too. Rows of published tables are no cells."""
    campaigns: dict[Hashable, set[str]] = {}
    for cell in cells:
        if not cell.is_published:
            key = replace(cell.cell, run=0, device="", declared=0), cell.asked
            campaigns.setdefault(key, set()).add(cell.campaign)
    return {name for names in campaigns.values() if len(names) > 1 for name in names}


def _group(label: str, result: CellResult, repeated: set[str]) -> _Group:
    cell, setting = result.cell, result.cell.setting
    return _Group(
        label, setting.mapping, cell.across, result.asked, setting.stress, setting.stress_shape, setting.width,
        cell.busy, cell.heading, result.campaign if result.campaign in repeated else "",
    )  # fmt: skip


def setting_words(result: CellResult) -> str:
    """Return in words how a cell was launched, and which row of a published table it is."""
    cell = result.cell
    where = [f"{what} {word}" for what, word in (("column", cell.heading), ("row", cell.row)) if word]
    return ", ".join([*_words(_group("", result, set())._replace(asked=cell.setting.instances or None)), *where])


def _setting(group: _Group, groups: Iterable[_Group]) -> str:
    """Return the setting of a row in words: its mapping, and what is unusual or differs from other rows."""
    words = _words(group)
    if any(other != group and other._replace(heading=group.heading) == group for other in groups):
        words.append(f"column {group.heading}")
    if group.campaign:
        words.append(f"in {group.campaign}")
    return ", ".join(words)


def _words(group: _Group) -> list[str]:
    """Return the mapping of a setting, and what is unusual about it."""
    words = [group.mapping]
    if group.across != "workgroups":
        words.append(f"threads in {group.across}")
    if group.asked is not None and group.mapping != "plain":
        words.append(f"{group.asked} instances")
    if group.stress:
        words.append(f"{group.stress} stress workgroups ({group.stress_shape})")
    if group.width != 1:
        words.append(f"{group.width} threads a workgroup")
    if group.busy:
        words.append(f"{group.busy} busy process{'' if group.busy == 1 else 'es'}")
    return words
