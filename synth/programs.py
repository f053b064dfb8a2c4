"""What a command line calls a program: a file, `-` for standard input, an id, or a corpus.

A file holds programs in text form, or records, one a line; which of them, its first character tells.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.normal import ID_PATTERN, program_of_id
from synth_checker.text import read_programs
from synth_corpus.record import read_record
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from synth_checker.program import Program


@dataclass(frozen=True, slots=True)
class GivenProgram:
    """A program as it was given, with its name if it has one, and where it came from."""

    name: str | None
    program: Program
    source: str


def given_programs(word: str) -> list[GivenProgram]:
    """The programs that a word of the command line stands for, at least one.

    Raises:
        InputError: there is no such file, it holds no program, or one that can't be read.
    """
    if word == "-":
        found = _read(sys.stdin.buffer.read(), "<stdin>")
    elif Path(word).is_dir():
        found = [_of_record(line, f"{word}:{number}") for number, line in enumerate(Corpus(Path(word)).lines(), 1)]
    elif Path(word).exists():
        try:
            found = _read(Path(word).read_bytes(), word)
        except OSError as error:
            msg = f"{word}: {error.strerror}, expected a file with programs"
            raise InputError(msg) from error
    elif ID_PATTERN.fullmatch(word):
        found = [GivenProgram(None, program_of_id(word), word)]
    else:
        msg = f"{word}: found no such file, and it is no id; expected a file with programs, '-', an id or a corpus"
        raise InputError(msg)
    if not found:
        msg = f"{'<stdin>' if word == '-' else word}: found no program, expected at least one"
        raise InputError(msg)
    return found


def given_program(word: str) -> GivenProgram:
    """The one program that a word stands for; InputError also where there are several."""
    found = given_programs(word)
    if len(found) > 1:
        msg = f"{word}: found {len(found)} programs, expected one"
        raise InputError(msg)
    return found[0]


def _read(data: bytes, source: str) -> list[GivenProgram]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"{source}:{line}: found a byte that is not UTF-8, expected programs in text form or records"
        raise InputError(msg) from None
    if text.lstrip()[:1] == "{":
        lines = enumerate(text.splitlines(), 1)
        return [_of_record(line, f"{source}:{number}") for number, line in lines if line.strip()]
    return [GivenProgram(p.name, p.program, f"{source}:{p.line}") for p in read_programs(text, source)]


def _of_record(line: str, source: str) -> GivenProgram:
    record = read_record(line, source)
    name = record.more.get("name")
    return GivenProgram(name if isinstance(name, str) else None, record.program, source)
