"""Campaigns that we ran, as archives beside this file, and the page that says what they show: docs/results/measured.md.

    python docs/measured/measured.py                # writes docs/results/measured.md again
    python docs/measured/measured.py add DIR NAME   # first adds the campaign in DIR as the archive NAME.tar.xz

An archive has the file of a campaign and its database. The programs that were launched are left out, because the file
of the campaign is enough to make them again. Of the operating system, the database in an archive names only the family,
such as Linux.
"""

from __future__ import annotations

import sqlite3
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.answers.analysis import analysis_of
from synth_campaigns.folder import settings_in
from synth_checker.models import library, verdict_names
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_analysis.answers.analysis import AnalysedDevice
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim
    from synth_campaigns.settings import Settings

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "results" / "measured.md"
KEPT = ("campaign.toml", "results.sqlite")
#: A table of tests that hang seldom has at most so many rows.
MOST_ROWS = 12

INTRODUCTION = """\
# Measured devices

After this page you know which progress promises some devices made of the processor broke, by which test and how often,
and you can ask their data your own questions. A *verdict* such as `LOBE.weak` is broken by a test that passes it and
hangs. The archives lie in `docs/measured`:

    tar -xf docs/measured/pocl.tar.xz
    synth campaign analyse pocl

![Which promises the devices broke](../pictures/promises.svg)

- **PoCL violates LOBE.** `00_210_1-1011-0011` passes `LOBE.weak` and hung in 1 of 5 launches under `round-robin`.
  Thread 2 had finished, so LOBE promises that threads 0 and 1 run; thread 1 never did. That fits workers that take
  batches of neighbouring workgroups and run each batch in order: thread 0 waits for thread 1, which comes later in its
  batch, and the batch ends before thread 2. So hangs are seldom, and only under `round-robin`. `01_211_0-0011-1011` and
  `0110-00_00002-0011` hung once in the same way. All three are among the 94 tests that
  [predictions.md](predictions.md#which-schedulers-violate-lobe-under-round-robin-only) lists.
- **SwiftShader violates HSA.** `0011-00_0`, where a thread waits for one with a lower id, hung under `chunked`: the
  workgroup with the lowest number need not be among those that run. It didn't violate OBE: 123 tests that pass
  `OBE.strong` never hung under three mappings.
- **Chromium** launches tests on SwiftShader, and they hung, too. But its page doesn't see which threads had finished,
  and the tests without their waiting were not launched. Slowness may be the reason, so the claims are inconclusive.

The campaigns of all 377 minimal tests under three mappings took 31 minutes on PoCL, 20 on SwiftShader and 43 in
Chromium, on two cores beside other work of low priority. Each first hang against a verdict was waited for 30 seconds.

**Load changed no claim.** The campaigns named `-100` have the 26 minimal tests of 2x2, 2x3 and 3x3, with 100 launches
in each cell (a test under a mapping): one without busy processes, one with 4 of them on two cores, all beside other
work of low priority. `synth campaign compare` finds no cell that changed, and a device violates the same verdicts in
both. On PoCL, only `0110-0000-0011` under `round-robin` hung in some launches and ended in others: first in launch 14,
with the load in launch 48. On SwiftShader, the first witness against HSA hung in 1 of 7 launches, with the load in 1 of
54. Tests that pass `OBE.strong` never hung, in 4,200 launches each time, so their rate of hangs is below 3.7 % in each
cell (95 %).

[campaigns.md](../do/campaigns.md) explains the claims. This page is written from the archives, and a campaign added, by

    python docs/measured/measured.py
    python docs/measured/measured.py add results.campaign NAME
"""


class Measured(NamedTuple):
    """An archive: its name, what the campaign was to do, and what its launches say of its device."""

    name: str
    settings: Settings
    device: AnalysedDevice


def add(folder: Path, name: str) -> None:
    """Write the archive `name` of the campaign in a folder."""
    with tempfile.TemporaryDirectory() as new:
        copy = Path(new) / name
        copy.mkdir()
        (copy / KEPT[0]).write_bytes((folder / KEPT[0]).read_bytes())
        with sqlite3.connect(f"file:{folder / KEPT[1]}?mode=ro", uri=True) as source:
            source.execute("VACUUM INTO ?", (str(copy / KEPT[1]),))
        with sqlite3.connect(copy / KEPT[1]) as database:
            _name_families(database)
        database.close()
        with tarfile.open(FOLDER / f"{name}.tar.xz", "w:xz", preset=9) as archive:
            archive.add(copy, name, filter=_without_owner)


def _name_families(database: sqlite3.Connection) -> None:
    """Shorten what the database says of operating systems to their families."""
    database.create_function("family", 1, lambda text: text and text.split()[0], deterministic=True)
    database.execute("UPDATE device SET host = family(host)")
    database.execute(
        "UPDATE device SET told = json_set(told, '$.os', family(told ->> '$.os')) WHERE told ->> '$.os' <> ''"
    )
    database.commit()
    database.execute("VACUUM")


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def measured() -> Iterator[Measured]:
    """Yield the campaign of each archive, in the order of their names."""
    for name in sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz")):
        with tempfile.TemporaryDirectory() as new:
            with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has no filters
                archive.extractall(new)  # noqa: S202  (an archive of ours)
            folder = Path(new) / name
            (device,) = analysis_of([folder]).devices
            yield Measured(name, settings_in(folder), device)


def page() -> str:
    """Return the text of docs/results/measured.md."""
    found = list(measured())
    parts = [INTRODUCTION, "## Campaigns\n\n" + _table(*_campaigns(found))]
    parts.append("## Verdicts\n\n" + _ABOUT_VERDICTS + _table(*_verdicts(found)))
    parts.append("## Seldom hangs\n\n" + _ABOUT_SELDOM)
    for device in found:
        late = [cell for cell in device.device.results.cells if cell.course and (cell.course.first_hang or 0) > 1]
        if late:
            parts.append(f"### {device.name}: {count(len(late), 'cell')}\n\n" + _table(*_seldom(late)))
    return "\n".join(parts)


_ABOUT_SELDOM = f"""\
In these cells the first launch ended and a later one hung. For each campaign, up to {MOST_ROWS} whose first hang came
last:
"""
_ABOUT_VERDICTS = """\
For a violated verdict: its first witness, the mapping, and how many launches hung. Else, how many tests never hung, and
with 95 % confidence a bound on the rate of hangs in each cell by itself:

"""


def _campaigns(found: Sequence[Measured]) -> tuple[Sequence[str], list[Sequence[str]]]:
    heads = (
        "campaign",
        "device",
        "tests",
        "mappings",
        "launches a cell",
        "busy processes",
        "cells",
        "launches",
        "hung",
    )
    rows: list[Sequence[str]] = []
    for name, settings, device in found:
        cells = device.results.cells
        rows.append(
            (
                f"`{name}`",
                device.results.driver,
                str(len({cell.cell.test for cell in cells})),
                ", ".join(dict.fromkeys(cell.cell.setting.mapping for cell in cells)),
                str(settings.launches.declared),
                ", ".join(str(busy) for busy in sorted({cell.cell.busy for cell in cells})),
                f"{len(cells):,}",
                f"{sum(cell.counted for cell in cells):,}",
                f"{sum(cell.hung > 0 for cell in cells):,}",
            )
        )
    return heads, rows


def _verdicts(found: Sequence[Measured]) -> tuple[Sequence[str], list[Sequence[str]]]:
    claims = [{claim.verdict: _words(claim) for claim in analysed.device.claims} for analysed in found]
    rows = [(f"`{verdict}`", *(words_of[verdict] for words_of in claims)) for verdict in verdict_names(library())]
    return ("verdict", *(f"`{analysed.name}`" for analysed in found)), list(rows)


def _words(claim: Claim) -> str:
    if claim.status == "violates":
        first = claim.witnesses[0]
        return f"**violates**: `{first.cell.test}`, {first.cell.setting.mapping}, {first.hung} of {first.counted}"
    if claim.status == "consistent with":
        return f"consistent with, {claim.tests} tests, below {claim.bound:.1%}"
    return claim.status


def _seldom(cells: Sequence[CellResult]) -> tuple[Sequence[str], list[Sequence[str]]]:
    rows: list[Sequence[str]] = []
    firsts = sorted(
        (-cell.course.first_hang, cell.number, cell) for cell in cells if cell.course and cell.course.first_hang
    )
    for first, _, witness in firsts[:MOST_ROWS]:
        after = f"{witness.sample.hung} of {witness.sample.launches}" if witness.sample else "none made"
        rows.append((f"`{witness.cell.test}`", witness.cell.setting.mapping, str(-first), after))
    return ("test", "mapping", "first hang at launch", "hung after it"), rows


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["add"]:
        add(Path(sys.argv[2]), sys.argv[3])
    PAGE.write_text(page(), encoding="utf-8")
