"""The format `herd`: a log in the form that herd7 and litmus7 print, for tools that compare such logs.

    Test 00_0-0011 Allowed
    States 2
    terminated=0;
    terminated=1;
    Ok
    Witnesses
    Positive: 1 Negative: 1
    Condition exists (terminated=0)
    Observation 00_0-0011 Sometimes 1 1

The outcome of a run is one location, `terminated`: 1 if the run ends, and 0 if it hangs. With `--model`, the states are
those that the verdict allows: every test may end, and a test that fails may also hang. With `--table`, the states are
what a device did, and how often. The table counts runs that hung. If all runs of a setting ended, the table does not
say how many there were, and they count as one.

The layout was compared with the grammar of the log reader of herdtools7 (`tools/lexLog_tools.mll`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_corpus.formats.format import Export, Format
from synth_corpus.formats.results import check_table, hung, results_in, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.parts import RecordParts


def _write(export: Export) -> Iterator[str]:
    if (export.model is None) == (export.table is None):
        raise InputError("format herd: give exactly one of the options --model and --table")
    check_table(export)
    for test in export.tests():
        if export.model is not None:
            yield _entry(test.id, int(not export.guarantees(test)), 1, counted=False)
        else:
            yield from _observed(test, export.table)


def _observed(test: RecordParts, table: str | None) -> Iterator[str]:
    cells = [cell for row in results_in(test, table).values() for cell in row.values()]
    if cells:
        failed = sum(map(hung, cells))
        yield _entry(test.id, failed, sum(map(runs_of, cells)) - failed, counted=True)


def _entry(id_: str, hung_: int, ended: int, *, counted: bool) -> str:
    """Return the lines about one test; `counted` says whether the numbers count runs or kinds of runs."""
    states = [(0, hung_, "*>")] * bool(hung_) + [(1, ended, ":>")] * bool(ended)
    often = "Never" if not hung_ else "Sometimes" if ended else "Always"
    lines = [
        f"Test {id_} Allowed",
        f"Histogram ({len(states)} states)" if counted else f"States {len(states)}",
        *(f"{count} {mark}terminated={value};" if counted else f"terminated={value};" for value, count, mark in states),
        "Ok" if hung_ else "No",
        "Witnesses",
        f"Positive: {hung_} Negative: {ended}",
        "Condition exists (terminated=0)",
        f"Observation {id_} {often} {hung_} {ended}",
    ]
    return "\n".join(lines) + "\n\n"


FORMAT = Format(
    name="herd",
    says="a log as herd7 prints it, of the outcomes that a verdict allows or that a device had",
    suffix=".log",
    write=_write,
    takes=("model", "table"),
)
