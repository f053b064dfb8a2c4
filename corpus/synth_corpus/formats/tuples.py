"""The format `tuples`: programs as lists of `AXB(location, check, target, exchanges, value)`.

An instruction reads `location`. If `exchanges` is true, it writes `value` there in the same step. If it has read
`check`, the thread goes on at the instruction `target`, and otherwise at the next one.

    // 01100002-00_0
    Thread 0: [
      0: AXB(m0, 1, 0, true, 1)
      1: AXB(m0, 0, 2, true, 0)
    ]
    Thread 1: [
      0: AXB(m0, 0, 0, false, 0)
    ]

The format is that of Figure 2(c) of the paper (Sorensen et al., OOPSLA 2021), whose only location is called `m`. Here
locations have numbers, and `m` is read as `m0`. If an instruction does not exchange, its value means nothing and is
written as 0.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from synth_checker.programs.id_layout import threads_of
from synth_corpus.formats.by_line import Fields, Grammar, number, read_by_line
from synth_corpus.formats.format import Export, Format, ImportedProgram
from synth_corpus.parts import thread_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INSTRUCTION = re.compile(
    r"([0-9]+)\s*:\s*AXB\s*\(\s*m([0-9]*)\s*,\s*([0-9]+)\s*,\s*([0-9]+)\s*,\s*(true|false)\s*,\s*([0-9]+)\s*\)"
)


def body(id_: str) -> str:
    """Return the program with this id in the format `tuples`, without a comment before it."""
    return "".join([f"Thread {tid}: [\n{_thread(digits)}]\n" for tid, digits in enumerate(threads_of(id_))])


@functools.lru_cache(maxsize=65536)
def _thread(digits: str) -> str:
    return "".join(
        f"  {pc}: AXB(m{i.loc}, {i.check}, {i.target}, {'false' if i.exch is None else 'true'}, {i.exch or 0})\n"
        for pc, i in enumerate(thread_in(digits))
    )


def _write(export: Export) -> Iterator[str]:
    for number_, test in enumerate(export.tests()):
        yield ("\n" if number_ else "") + f"// {test.id}\n{body(test.id)}"


def _fields(word: str, pc: int) -> Fields | None:
    match = _INSTRUCTION.fullmatch(word)
    if match is None or number(match[1]) != pc:
        return None
    exch = number(match[6]) if match[5] == "true" else None
    return number(match[2] or "0"), number(match[3]), number(match[4]), exch


_GRAMMAR = Grammar(
    thread=re.compile(r"Thread\s+([0-9]+)\s*:\s*\["),
    close=re.compile(r"\]"),
    instruction=_fields,
    expected="the next instruction, such as '0: AXB(m0, 1, 0, true, 1)', or ']'",
)


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    return read_by_line(lines, source, _GRAMMAR)


FORMAT = Format(name="tuples", says="programs as AXB tuples", suffix=".txt", write=_write, read=_read)
