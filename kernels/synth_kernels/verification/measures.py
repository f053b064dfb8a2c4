"""`synth verify --measure`: tables about how good the rules and engines are on the kernels of a folder."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import UserError
from synth_documents.table import Table
from synth_kernels.deadline import OverdueError
from synth_kernels.metrics import ENGINES, measure
from synth_kernels.program import UnreadKernel
from synth_kernels.verification import VerificationRequest, prepared_kernels
from synth_kernels.verification.folder import kernel_files, sizing_of_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_documents.table import Entry
    from synth_kernels.metrics import KernelMetrics

#: Speed-ups are given apart for kernels on which Houdini alone takes longer than this.
_SLOW = 2.0
_LATE = ("time limit", "stopped")


class MeasurementRow(NamedTuple):
    """A kernel of a file. It has no measurement, but a reason, if it could not be measured.

    `verdict` then says `wrong input` of its file, `unknown` if it has something that is not supported, or `stopped`.
    """

    file: str
    kernel: str
    measured: KernelMetrics | None
    reason: str = ""
    verdict: str = ""


def measure_files(source: Path, request: VerificationRequest) -> Iterator[tuple[int, int, MeasurementRow]]:
    """Yield a row for each kernel of a file or a folder, with the number of files done and that of all."""
    paths = kernel_files(source) if source.is_dir() else [source]
    for number, path in enumerate(paths):
        try:
            file_request: VerificationRequest = {**request, "sizing": sizing_of_file(path, request["sizing"])}
            for task, solver in prepared_kernels(path, file_request):
                if isinstance(task.kernel, UnreadKernel) or task.launch is None or task.is_late:
                    because = (task.kernel.reason, "unknown") if isinstance(task.kernel, UnreadKernel) else _LATE
                    yield number, len(paths), MeasurementRow(path.name, task.kernel.name, None, *because)
                else:
                    measurement = measure(task.kernel, task.launch, solver, request["options"])
                    yield number, len(paths), MeasurementRow(path.name, task.kernel.name, measurement)
        except UserError as error:
            verdict = "stopped" if isinstance(error, OverdueError) else "wrong input"
            yield number, len(paths), MeasurementRow(path.name, "", None, str(error), verdict)


def tables_of(rows: Sequence[MeasurementRow], rules: Sequence[str]) -> list[Table]:
    """Return the tables: kernels, rules, the influence of rules on others, and engines."""
    measured = [row.measured for row in rows if row.measured is not None]
    needing = [row for row in measured if not row.none.is_verified]
    return [
        _kernels(rows, needing),
        _rules(measured, rules),
        influence(needing, rules),
        _engines(measured),
        _speed(measured),
    ]


def _kernels(rows: Sequence[MeasurementRow], needing: Sequence[KernelMetrics]) -> Table:
    columns = ("file", "kernel", "without", "with", "candidates", "kept", "making s", "inferring s", "checking s")
    cells = [_kernel(row) for row in rows]
    verified = sum(row.all.is_verified for row in needing)
    share = f" ({verified / len(needing):.0%})" if needing else ""
    seconds = sorted(row.all.making + row.all.inferring + row.all.checking for row in needing)
    notes = [
        f"{sum(row.measured is not None for row in rows)} kernels; {len(needing)} are not verified without candidates.",
        f"Of these, {verified}{share} are verified with the rules.",
        *([f"With the rules, half of them took at most {seconds[(len(seconds) - 1) // 2]:.1f} s."] if seconds else []),
    ]
    return Table("Kernels", columns, tuple(cells), tuple(notes))


def _kernel(row: MeasurementRow) -> tuple[Entry, ...]:
    if (measured := row.measured) is None:
        return row.file, row.kernel, row.reason, "", *(None,) * 5
    words = ["verified" if judged.is_verified else "no" for judged in (measured.none, measured.all)]
    stages = (measured.all.making, measured.all.inferring, measured.all.checking)
    numbers = (len(measured.all.made), len(measured.all.kept), *(round(each, 2) for each in stages))
    return row.file, row.kernel, *words, *numbers


def _rules(measured: Sequence[KernelMetrics], rules: Sequence[str]) -> Table:
    columns = ("rule", "kernels", "trivial", "made", "kept", "hit rate", "essential")
    rows = []
    for rule in rules:
        rows_with_rule = [row for row in measured if any(made.rule == rule for made in row.all.made)]
        made, kept = (
            sum(each.rule == rule for row in measured for each in getattr(row.all, what)) for what in ("made", "kept")
        )
        trivial = sum(row.none.is_verified for row in rows_with_rule)
        rate = f"{kept / made:.0%}" if made else None
        rows.append(
            (
                rule,
                len(rows_with_rule) - trivial,
                trivial,
                made,
                kept,
                rate,
                sum(rule in row.essential for row in measured),
            )
        )
    notes = (
        "A kernel is trivial if it is verified without candidates; the column before counts the others.",
        "A rule is essential for a kernel that is verified with all rules, and not without this one.",
    )
    return Table("Rules", columns, tuple(rows), notes)


def influence(measured: Sequence[KernelMetrics], rules: Sequence[str]) -> Table:
    """Return in how many kernels fewer candidates of a rule (column) are kept without another rule (row)."""
    rows = [
        (rule, *(sum((rule, other) in row.influence for row in measured) if rule != other else None for other in rules))
        for rule in rules
    ]
    notes = ("In how many kernels fewer candidates of the rule above are kept without the rule on the left.",)
    return Table("Influence", ("rule", *rules), tuple(rows), notes)


def _engines(measured: Sequence[KernelMetrics]) -> Table:
    columns = ("engine", "refuted", "seconds", "refuted per second", "Jaccard similarity to H")
    having = [row for row in measured if row.engines]
    refuted, seconds = sum(row.refuted for row in having), sum(row.all.inferring for row in having)
    rows: list[tuple[Entry, ...]] = [("H", refuted, round(seconds, 1), _per(refuted, seconds), 1.0)]
    for engine in ENGINES:
        each = [engine_row.engines[engine] for engine_row in having if engine in engine_row.engines]
        number, took = sum(engine_row.refuted for engine_row in each), sum(engine_row.seconds for engine_row in each)
        common = sum(refuting.common for refuting in each)
        all_ = number + refuted - common
        rows.append((engine, number, round(took, 1), _per(number, took), round(common / all_, 2) if all_ else None))
    wrong = sum(engine_row.refuted - engine_row.common for each in having for engine_row in each.engines.values())
    notes = (
        f"The engines refuted {wrong} candidates that H kept.",
        f"On {sum(row.all.dropped > 0 for row in having)} of {len(having)} kernels a limit removed candidates.",
    )
    return Table("Engines, each alone", columns, tuple(rows), notes)


def _speed(measured: Sequence[KernelMetrics]) -> Table:
    columns = ("kernels", "number", "seconds of H", "seconds of the portfolio", "speed-up", "least", "most")
    having = [row for row in measured if row.engines]
    parts = {
        f"H takes over {_SLOW:.0f} s": [row for row in having if row.all.inferring > _SLOW],
        "others": [row for row in having if row.all.inferring <= _SLOW],
    }
    rows: list[tuple[Entry, ...]] = []
    for name, each in parts.items():
        ratios = [row.all.inferring / row.portfolio for row in each if row.portfolio]
        alone, together = sum(row.all.inferring for row in each), sum(row.portfolio for row in each)
        ends = (round(min(ratios), 2), round(max(ratios), 2)) if ratios else (None, None)
        rows.append((name, len(each), round(alone, 1), round(together, 1), _per(alone, together), *ends))
    same = sum(row.is_same for row in having)
    return Table("Portfolio", columns, tuple(rows), (f"It kept the same as H on {same} of {len(having)} kernels.",))


def _per(number: float, seconds: float) -> float | None:
    return round(number / seconds, 2) if seconds and math.isfinite(seconds) else None
