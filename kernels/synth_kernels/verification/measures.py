"""`synth verify --measure`: tables about how good the rules and engines are on the kernels of a folder."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import UserError
from synth_documents.table import Table
from synth_kernels.deadline import OverdueError
from synth_kernels.metrics import ENGINES, measure
from synth_kernels.program import UnreadKernel
from synth_kernels.verification import Asked, prepared
from synth_kernels.verification.folder import kernel_files, sized_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_documents.table import Entry
    from synth_kernels.metrics import KernelMetrics

#: Speed-ups are given apart for kernels on which Houdini alone takes longer than this.
_SLOW = 2.0
_LATE = ("time limit", "stopped")


class Row(NamedTuple):
    """A kernel of a file. It has no measurement, but a reason, if it could not be measured.

    `verdict` then says `wrong input` of its file, `unknown` if it has something that is not supported, or `stopped`.
    """

    file: str
    kernel: str
    measured: KernelMetrics | None
    reason: str = ""
    verdict: str = ""


def measure_files(source: Path, asked: Asked) -> Iterator[tuple[int, int, Row]]:
    """Yield a row for each kernel of a file or a folder, with the number of files done and that of all."""
    paths = kernel_files(source) if source.is_dir() else [source]
    for number, path in enumerate(paths):
        try:
            sizing = sized_by(path, asked["sizing"])
            kernels = prepared(
                path,
                sizing,
                names=asked["names"],
                how=asked["how"],
                solver=asked["solver"],
                memory=asked["memory"],
                seconds_left=asked["seconds_left"],
            )
            for one, solver in kernels:
                if isinstance(one.kernel, UnreadKernel) or one.launch is None or one.is_late:
                    because = (one.kernel.reason, "unknown") if isinstance(one.kernel, UnreadKernel) else _LATE
                    yield number, len(paths), Row(path.name, one.kernel.name, None, *because)
                else:
                    found = measure(one.kernel, one.launch, solver, asked["options"])
                    yield number, len(paths), Row(path.name, one.kernel.name, found)
        except UserError as error:
            verdict = "stopped" if isinstance(error, OverdueError) else "wrong input"
            yield number, len(paths), Row(path.name, "", None, str(error), verdict)


def tables_of(rows: Sequence[Row], rules: Sequence[str]) -> list[Table]:
    """Return the tables: kernels, rules, the influence of rules on others, and engines."""
    found = [row.measured for row in rows if row.measured is not None]
    needing = [one for one in found if not one.none.is_verified]
    return [_kernels(rows, needing), _rules(found, rules), influence(needing, rules), _engines(found), _speed(found)]


def _kernels(rows: Sequence[Row], needing: Sequence[KernelMetrics]) -> Table:
    columns = ("file", "kernel", "without", "with", "candidates", "kept", "making s", "inferring s", "checking s")
    cells = [_kernel(row) for row in rows]
    verified = sum(one.all.is_verified for one in needing)
    share = f" ({verified / len(needing):.0%})" if needing else ""
    seconds = sorted(one.all.making + one.all.inferring + one.all.checking for one in needing)
    notes = [
        f"{sum(row.measured is not None for row in rows)} kernels; {len(needing)} are not verified without candidates.",
        f"Of these, {verified}{share} are verified with the rules.",
        *([f"With the rules, half of them took at most {seconds[(len(seconds) - 1) // 2]:.1f} s."] if seconds else []),
    ]
    return Table("Kernels", columns, tuple(cells), tuple(notes))


def _kernel(row: Row) -> tuple[Entry, ...]:
    if (one := row.measured) is None:
        return row.file, row.kernel, row.reason, "", *(None,) * 5
    words = ["verified" if judged.is_verified else "no" for judged in (one.none, one.all)]
    stages = (one.all.making, one.all.inferring, one.all.checking)
    numbers = (len(one.all.made), len(one.all.kept), *(round(each, 2) for each in stages))
    return row.file, row.kernel, *words, *numbers


def _rules(found: Sequence[KernelMetrics], rules: Sequence[str]) -> Table:
    columns = ("rule", "kernels", "trivial", "made", "kept", "hit rate", "essential")
    rows = []
    for rule in rules:
        having = [one for one in found if any(made.rule == rule for made in one.all.made)]
        made, kept = (
            sum(each.rule == rule for one in found for each in getattr(one.all, what)) for what in ("made", "kept")
        )
        trivial = sum(one.none.is_verified for one in having)
        rate = f"{kept / made:.0%}" if made else None
        rows.append(
            (rule, len(having) - trivial, trivial, made, kept, rate, sum(rule in one.essential for one in found))
        )
    notes = (
        "A kernel is trivial if it is verified without candidates; the column before counts the others.",
        "A rule is essential for a kernel that is verified with all rules, and not without this one.",
    )
    return Table("Rules", columns, tuple(rows), notes)


def influence(found: Sequence[KernelMetrics], rules: Sequence[str]) -> Table:
    """Return in how many kernels fewer candidates of a rule (column) are kept without another rule (row)."""
    rows = [
        (rule, *(sum((rule, other) in one.influence for one in found) if rule != other else None for other in rules))
        for rule in rules
    ]
    notes = ("In how many kernels fewer candidates of the rule above are kept without the rule on the left.",)
    return Table("Influence", ("rule", *rules), tuple(rows), notes)


def _engines(found: Sequence[KernelMetrics]) -> Table:
    columns = ("engine", "refuted", "seconds", "refuted per second", "Jaccard similarity to H")
    having = [one for one in found if one.engines]
    refuted, seconds = sum(one.refuted for one in having), sum(one.all.inferring for one in having)
    rows: list[tuple[Entry, ...]] = [("H", refuted, round(seconds, 1), _per(refuted, seconds), 1.0)]
    for engine in ENGINES:
        each = [one.engines[engine] for one in having if engine in one.engines]
        number, took = sum(one.refuted for one in each), sum(one.seconds for one in each)
        common = sum(refuting.common for refuting in each)
        all_ = number + refuted - common
        rows.append((engine, number, round(took, 1), _per(number, took), round(common / all_, 2) if all_ else None))
    wrong = sum(one.refuted - one.common for each in having for one in each.engines.values())
    notes = (
        f"The engines refuted {wrong} candidates that H kept.",
        f"On {sum(one.all.dropped > 0 for one in having)} of {len(having)} kernels a limit removed candidates.",
    )
    return Table("Engines, each alone", columns, tuple(rows), notes)


def _speed(found: Sequence[KernelMetrics]) -> Table:
    columns = ("kernels", "number", "seconds of H", "seconds of the portfolio", "speed-up", "least", "most")
    having = [one for one in found if one.engines]
    parts = {
        f"H takes over {_SLOW:.0f} s": [one for one in having if one.all.inferring > _SLOW],
        "others": [one for one in having if one.all.inferring <= _SLOW],
    }
    rows: list[tuple[Entry, ...]] = []
    for name, each in parts.items():
        ratios = [one.all.inferring / one.portfolio for one in each if one.portfolio]
        alone, together = sum(one.all.inferring for one in each), sum(one.portfolio for one in each)
        ends = (round(min(ratios), 2), round(max(ratios), 2)) if ratios else (None, None)
        rows.append((name, len(each), round(alone, 1), round(together, 1), _per(alone, together), *ends))
    same = sum(one.is_same for one in having)
    return Table("Portfolio", columns, tuple(rows), (f"It kept the same as H on {same} of {len(having)} kernels.",))


def _per(number: float, seconds: float) -> float | None:
    return round(number / seconds, 2) if seconds and math.isfinite(seconds) else None
