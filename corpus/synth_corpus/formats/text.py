"""The format `text`: programs in the text form of the paper (definitions, section 1), each with its id as its name."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.programs.id_layout import threads_of
from synth_checker.programs.normal import written_out
from synth_checker.programs.program import Program
from synth_checker.programs.text import read_programs, write_program
from synth_corpus.formats.format import Export, Format, ImportedProgram, is_alias
from synth_corpus.parts import thread_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEAD = len("THREAD 0")


def body(id_: str) -> str:
    """Return the text form of the program with this id."""
    return "\n".join([f"THREAD {tid}{_thread(digits)}" for tid, digits in enumerate(threads_of(id_))])


@functools.lru_cache(maxsize=65536)
def _thread(digits: str) -> str:
    """Return the text of a thread after its number."""
    return write_program(Program((thread_in(digits),)))[_HEAD:]


def _write(export: Export) -> Iterator[str]:
    for number, test in enumerate(export.tests()):
        yield ("\n" if number else "") + f"// {test.id}\n{body(test.id)}"


def _read(lines: Iterable[str], source: str) -> Iterator[ImportedProgram]:
    for program in read_programs("".join(lines), source):
        yield named(ImportedProgram(program.program, f"{source}:{program.line}"), program.name)


def named(program: ImportedProgram, name: str | None) -> ImportedProgram:
    """Return a program that was read, with the name that the comment before it gives.

    The name becomes an alias if it can be one, and else the key `name`. A name that is the id of the program is
    ignored.
    """
    if not name or name == written_out(program.program):
        return program
    return replace(program, aliases=(name,)) if is_alias(name) else replace(program, more={"name": name})


FORMAT = Format(name="text", says="programs in text form", suffix=".txt", write=_write, read=_read)
