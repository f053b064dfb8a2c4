"""`dartagnan`: a folder for Dartagnan, a bounded model checker of memory models (github.com/hernanponcedeleon/Dat3M).

    out/0011-00_0.litmus           a test in its dialect of Vulkan litmus tests: two or more workgroups of one device
    out/OBE.weak-expected.csv      FILE,1 for a test that passes the verdict, FILE,0 for one that fails it

The dialect is that of its grammar `LitmusVulkan.g4`: labels, conditional branches and gotos, atomics with an order, a
scope and a storage class. A check branch is a load, though on devices it is an atomic add of 0: a loop that writes, if
only what was there, is none in which Dartagnan looks for a violation of liveness. Its atomics are no stronger than
acquire and release, while our verdicts are those of interleavings; with two locations the two may differ.
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
        for verdict, found in test.verdicts.items():
            tables[verdict].append(f"{name},{int(found == 'pass')}\n")
    for verdict, rows in tables.items():
        yield f"{verdict}-expected.csv", "".join(rows)


def litmus(program: Program, name: str) -> str:
    """A program as a litmus test: memory, then threads side by side, a column each; nothing is asked of its end."""
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
    says="a folder for Dartagnan: a litmus test a file, a table of expected results a verdict",
    suffix="",
    put=_put,
)
