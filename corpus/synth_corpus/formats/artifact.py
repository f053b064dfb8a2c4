"""The format `artifact`: the text form that was published with the paper, with one function call for each instruction.

    THREAD0
    atomic_exch_branch(0,1,0,0)

    atomic_store(0,0)


    THREAD1
    atomic_chk_branch(0,1,END)

The calls are `atomic_exch_branch(location, check, exchange, target)`, `atomic_chk_branch(location, check, target)` and
`atomic_store(location, value)`. A target behind the last instruction is written `END`. The paper's artifact has one
program in each file. If a file has several, a comment before each program holds its id; this is an addition of `synth`.
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

    from synth_checker.programs.program import Thread

_CALL = re.compile(r"atomic_(exch_branch|chk_branch|store)\s*\(\s*([0-9]+(?:\s*,\s*[0-9]+)*)\s*(,\s*END\s*)?\)")
#: For each call, its number of arguments, and whether the last may be `END`.
_ARGUMENTS = {"exch_branch": (4, True), "chk_branch": (3, True), "store": (2, False)}


def body(id_: str) -> str:
    """Return the program with this id, exactly as the paper's artifact writes it."""
    return "\n\n\n".join([f"THREAD{tid}\n{_thread(digits)}" for tid, digits in enumerate(threads_of(id_))]) + "\n"


@functools.lru_cache(maxsize=65536)
def _thread(digits: str) -> str:
    thread = thread_in(digits)
    return "\n\n".join(_call(thread, pc) for pc in range(len(thread)))


def _call(thread: Thread, pc: int) -> str:
    i = thread[pc]
    target = "END" if i.target == len(thread) else i.target
    if i.exch is None:
        return f"atomic_chk_branch({i.loc},{i.check},{target})"
    if i.target == pc + 1 and i.check == 0:
        return f"atomic_store({i.loc},{i.exch})"
    return f"atomic_exch_branch({i.loc},{i.check},{i.exch},{target})"


def _write(export: Export) -> Iterator[str]:
    for number_, test in enumerate(export.tests()):
        yield ("\n\n" if number_ else "") + f"// {test.id}\n{body(test.id)}"


def _fields(word: str, pc: int) -> Fields | None:
    call = _CALL.fullmatch(word)
    if call is None:
        return None
    numbers: list[int | None] = [number(text.strip()) for text in call[2].split(",")]
    size, may_end = _ARGUMENTS[call[1]]
    if call[3] and may_end:
        numbers.append(None)
    elif call[3]:
        return None
    if len(numbers) != size:
        return None
    loc, check, *rest = numbers
    if loc is None or check is None:  # only the last argument may be END
        return None
    if call[1] == "store":
        return loc, 0, pc + 1, check
    return (loc, check, rest[1], rest[0]) if call[1] == "exch_branch" else (loc, check, rest[0], None)


_GRAMMAR = Grammar(
    thread=re.compile(r"THREAD\s*([0-9]+)"),
    close=re.compile(r"(?!)"),
    instruction=_fields,
    expected="atomic_exch_branch(loc,check,exch,target), atomic_chk_branch(loc,check,target), "
    "atomic_store(loc,value) or THREAD",
)


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    return read_by_line(lines, source, _GRAMMAR)


FORMAT = Format(name="artifact", says="the published atomic_ text", suffix=".txt", write=_write, read=_read)
