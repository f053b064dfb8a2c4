"""`herd`: a log as herd7 and litmus7 print it, for tools that compare such logs.

    Test 00_0-0011 Allowed
    States 2
    terminated=0;
    terminated=1;
    Ok
    Witnesses
    Positive: 1 Negative: 1
    Condition exists (terminated=0)
    Observation 00_0-0011 Sometimes 1 1

The outcome is one location, `terminated`: 1 where a run ends, 0 where it hangs. Under `--model` the states are those
that the verdict allows: every test may end, and one that fails may also hang. With `--table` instead they are what
a device did, with how often: hung runs are counted by the table, and of a setting in which all runs ended it says only
that there was one.

The layout was checked against the grammar of the log reader of herdtools7 (`tools/lexLog_tools.mll`), by reading that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_corpus.formats.format import Export, Format
from synth_corpus.formats.results import check_table, hung, results_in, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_corpus.parts import Fields


def _write(export: Export) -> Iterator[str]:
    if (export.model is None) == (export.table is None):
        msg = "format herd: expected either --model or --table"
        raise InputError(msg)
    check_table(export)
    for test in export.tests():
        if export.model is not None:
            hangs = test.verdicts.get(export.model) == "fail"
            yield _entry(test.id, int(hangs), 1, counted=False)
        else:
            yield from _observed(test, export.table)


def _observed(test: Fields, table: str | None) -> Iterator[str]:
    cells = [cell for row in results_in(test, table).values() for cell in row.values()]
    if cells:
        failed = sum(map(hung, cells))
        yield _entry(test.id, failed, sum(map(runs_of, cells)) - failed, counted=True)


def _entry(id_: str, hung_: int, ended: int, *, counted: bool) -> str:
    """The lines about one test; `counted` says that numbers are those of runs, and not of kinds of them."""
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
    says="a log as herd7 prints it, of a verdict or a table",
    suffix=".log",
    write=_write,
    takes=("model", "table"),
)
