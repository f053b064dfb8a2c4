"""Read programs that have one instruction on each line. The formats `tuples` and `artifact` use this module.

A line begins a thread, ends it, or is an instruction. A comment begins with `//`. A comment line directly before
thread 0 is the name of the program that begins there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.program import Instruction, Program, Thread
from synth_corpus.formats.format import ImportedProgram
from synth_corpus.formats.text import named

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

#: The fields of an instruction: location, check, target (None for the thread's end) and exchange (None if it has none).
Fields = tuple[int, int, "int | None", "int | None"]
#: The most digits of a number. Python refuses to convert very long texts to numbers.
_LONGEST = 4


@dataclass(frozen=True, slots=True)
class Grammar:
    """How to recognise the lines of a format.

    - `thread` is a pattern for the line with which a thread begins. The group of the pattern is the number of the
      thread.
    - `close` is a pattern for lines without meaning, which the reader skips, such as a line that ends a thread.
    - `instruction` is a function of a line and its position in the thread. It returns the fields of the instruction on
      the line, or None if the line has no instruction.
    - `expected` says in words which lines the format has. Error messages use it.
    """

    thread: re.Pattern[str]
    close: re.Pattern[str]
    instruction: Callable[[str, int], Fields | None]
    expected: str


@dataclass(slots=True)
class _OpenProgram:
    """The program that is being read."""

    name: str | None
    line: int
    threads: list[Thread] = field(default_factory=list)
    fields: list[Fields] = field(default_factory=list)


def number(text: str) -> int:
    """Return the number that a text of digits stands for.

    If the text has too many digits, return some number that is too large for any field of an instruction.
    """
    return int(text) if len(text) <= _LONGEST else 10**_LONGEST


def read_by_line(lines: Iterable[str], source: str, grammar: Grammar) -> Iterator[ImportedProgram]:
    """Read the programs of a text. `source` is the name of the text in messages.

    Raises:
        InputError: a line does not fit the grammar, or is in the wrong place.
        LimitError: a program is too large.
    """
    under_way: _OpenProgram | None = None
    comment: str | None = None
    at = 1
    for at, line in enumerate(lines, 1):
        code, slashes, said = line.partition("//")
        word = code.strip()
        if not word:
            comment = said.strip() if slashes else comment
            continue
        opened = grammar.thread.fullmatch(word)
        if opened is not None:
            which = number(opened[1])
            if which == 0:
                if under_way is not None:
                    yield _finished(under_way, source, at)
                under_way = _OpenProgram(comment, at)
            elif under_way is None or which != len(under_way.threads) + 1:
                expected = "0" if under_way is None else str(len(under_way.threads) + 1)
                raise InputError(f"{source}:{at}: found thread {opened[1][:40]}, expected thread {expected} or 0")
            else:
                _close_thread(under_way, source, at)
        elif not grammar.close.fullmatch(word):
            fields = None if under_way is None else grammar.instruction(word, len(under_way.fields))
            if under_way is None or fields is None:
                raise InputError(
                    f"{source}:{at}: found {word[:40]!r}, expected {grammar.expected if under_way else 'thread 0'}"
                )
            under_way.fields.append(fields)
        comment = None
    if under_way is not None:
        yield _finished(under_way, source, at)


def _finished(program: _OpenProgram, source: str, at: int) -> ImportedProgram:
    _close_thread(program, source, at)
    return named(ImportedProgram(Program(tuple(program.threads)), f"{source}:{program.line}"), program.name)


def _close_thread(program: _OpenProgram, source: str, at: int) -> None:
    size = len(program.fields)
    try:
        instructions = (
            Instruction(loc, check, size if target is None else target, exch)
            for loc, check, target, exch in program.fields
        )
        program.threads.append(Thread(tuple(instructions)))
    except InputError as error:
        raise type(error)(f"{source}:{at}: in the thread that ends here, {error}") from None
    program.fields.clear()
