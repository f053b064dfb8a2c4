"""The format `dartagnan`: a folder for the bounded model checker Dartagnan (github.com/hernanponcedeleon/Dat3M).

    out/0011-00_0.litmus           a test in its dialect of Vulkan litmus tests: two or more workgroups of one device
    out/OBE.weak-expected.csv      FILE,1 for a test that passes the verdict, FILE,0 for one that fails it

Dartagnan's grammar `LitmusVulkan.g4` defines the dialect: labels, conditional branches and gotos, and atomics with an
order, a scope and a storage class. A check branch is a load here, although it is an atomic addition of 0 on devices.
The reason is that Dartagnan does not look for violations of liveness in loops that write, even if they write the value
that was there. The dialect's atomics are no stronger than acquire and release, while our verdicts hold for
interleavings. With two locations the two may differ.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from synth_corpus.formats.folder import put_texts
from synth_corpus.formats.format import Export, Format
from synth_corpus.parts import program_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from synth_checker.programs.program import Program, Thread

_KIND = "progress litmus tests for Dartagnan"
_LOAD = "ld.atom.acq.dv.sc0.semsc0"
_STORE = "st.atom.rel.dv.sc0.semsc0"
_EXCHANGE = "rmw.atom.acq_rel.dv.sc0.semsc0"


def _put(export: Export, place: Path, *, force: bool) -> None:
    put_texts(_texts(export), place, _KIND, force=force)


def _texts(export: Export) -> Iterator[tuple[str, str]]:
    tables: dict[str, list[str]] = {verdict: [] for verdict in export.verdicts}
    for test in export.tests():
        name = f"{test.id}.litmus"
        yield name, litmus(program_in(test.id), test.id)
        for verdict, result in test.verdicts.items():
            tables[verdict].append(f"{name},{int(result == 'pass')}\n")
    for verdict, rows in tables.items():
        yield f"{verdict}-expected.csv", "".join(rows)


def litmus(program: Program, name: str) -> str:
    """Return a program as a litmus test: the memory, then the threads side by side in columns.

    It has no final condition.
    """
    start = [f"Mem{loc}=0;" for loc in range(program.locations())]
    for t, thread in enumerate(program):
        if any(thread.kind(pc).is_branch for pc in range(len(thread))):
            start.append(f"P{t}:r0=0;")
    columns = [[f"P{t}@sg 0,wg {t},qf 0", *_lines(t, thread)] for t, thread in enumerate(program)]
    widths = [max(map(len, column)) for column in columns]
    rows = zip_longest(*columns, fillvalue="")
    body = [" | ".join(line.ljust(width) for line, width in zip(row, widths, strict=True)) + " ;\n" for row in rows]
    return f'VULKAN {name}\n"progress litmus test"\n{{\n' + "\n".join(start) + "\n}\n" + "".join(body) + "exists 0==0\n"


def _lines(thread: int, code: Thread) -> Iterator[str]:
    def label(pc: int) -> str:
        return f"LC{thread}{pc:02}"

    for pc, instruction in enumerate(code):
        yield f"{label(pc)}:"
        if not code.kind(pc).is_branch:
            yield f"{_STORE} Mem{instruction.loc}, {instruction.exch}"
            continue
        if instruction.exch is None:
            yield f"{_LOAD} r0, Mem{instruction.loc}"
        else:
            yield f"{_EXCHANGE} r0, Mem{instruction.loc}, {instruction.exch}"
        yield f"beq r0, {instruction.check}, {label(instruction.target)}"
    yield f"{label(len(code))}:"


FORMAT = Format(
    name="dartagnan",
    says="a folder for Dartagnan: a file for each test, a table of expected results for each verdict",
    suffix="",
    put=_put,
)
