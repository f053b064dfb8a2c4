"""The text form of programs, as the paper prints it (definitions, section 1).

    // mutex, and a spinner
    THREAD 0
    0: if (Exch(Mem[0],1) == 1) goto 0;
    1: Mem[0] = 0;

    THREAD 1
    0: if (Mem[0] == 0) goto END;

The reader accepts any white space, and comments that start with `//`. `THREAD 0` starts the next program of a file. A
comment line directly before it is the name of that program. If a word does not fit, the error says the line and the
column, what was found and what was expected. The reader can read everything that the writer prints.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from types import NoneType
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from synth_checker.errors import InputError, LimitError, check_type
from synth_checker.programs.program import MAX_INSTRUCTIONS, MAX_VALUES, Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"(?P<space>\s+)|(?P<comment>//[^\n]*)|(?P<word>[A-Za-z_]+|[0-9]+|==|.)", re.DOTALL)
_END_OF_FILE = ""


@dataclass(frozen=True, slots=True)
class NamedProgram:
    """A program read from a file. `name` is the comment line before it, or None; `line` is the line where it starts."""

    name: str | None
    program: Program
    line: int


class _Token(NamedTuple):
    text: str
    line: int
    column: int
    comment: str | None  # the comment line that ends just before this token


def read_program(text: str, source: str = "<text>") -> Program:
    """Read a text that holds exactly one program.

    `source` is the name of the text in messages.

    Raises:
        InputError: the text is not one program; the message starts with `source:line:column:`.
        LimitError: a number is above the limits of the definitions.
    """
    programs = read_programs(text, source)
    if len(programs) != 1:
        line = programs[1].line if programs else 1
        raise InputError(f"{source}:{line}:1: found {len(programs)} programs, expected one")
    return programs[0].program


def read_programs(text: str, source: str = "<text>") -> list[NamedProgram]:
    """Read all programs of a text. A text without programs gives an empty list.

    `source` is the name of the text in messages.

    Raises:
        InputError: the text does not consist of programs; the message starts with `source:line:column:`.
        LimitError: a number is above the limits of the definitions.
    """
    check_type("text", text, str, "the text of programs")
    return _ProgramReader(text, source).programs()


class _ProgramReader:
    """A recursive-descent parser. It looks at one token ahead, or at two to recognise `THREAD 0`."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._tokens = _tokens(text)
        self._ahead: deque[_Token] = deque()

    @property
    def _next(self) -> _Token:
        return self._look(0)

    def _look(self, beyond: int) -> _Token:
        """Return a token that is `beyond` places behind the next one. Tokens are made late, as files may be large."""
        while len(self._ahead) <= beyond:
            self._ahead.append(next(self._tokens))
        return self._ahead[beyond]

    def programs(self) -> list[NamedProgram]:
        named: list[NamedProgram] = []
        while self._next.text != _END_OF_FILE:
            start = self._next
            named.append(NamedProgram(start.comment, self._program(), start.line))
        return named

    def _program(self) -> Program:
        threads = [self._thread(0)]
        while self._next.text == "THREAD" and not self._starts_program():
            threads.append(self._thread(len(threads)))
        if self._next.text not in {"THREAD", _END_OF_FILE}:
            self._fail("an instruction, THREAD or the end of the text")
        return Program(tuple(threads))

    def _starts_program(self) -> bool:
        number = self._look(1)  # behind THREAD there is at least the end of the text
        return _is_number(number) and int(number.text[:MAX_INSTRUCTIONS]) == 0

    def _thread(self, number: int) -> Thread:
        self._take("THREAD")
        self._number(f"thread number {number}", exactly=number)
        parsed: list[tuple[Instruction, _Token]] = []
        while _is_number(self._next):
            parsed.append(self._instruction(len(parsed)))
        if not parsed:
            self._fail(f"the first instruction of thread {number}")
        size = len(parsed)
        instructions = []
        for instruction, goto in parsed:
            if goto.text == "END":
                instructions.append(Instruction(instruction.loc, instruction.check, size, instruction.exch))
            elif instruction.target > size:
                self._fail(f"an instruction of thread {number} to jump to (0 to {size}) or END", goto)
            else:
                instructions.append(instruction)
        return Thread(tuple(instructions))

    def _instruction(self, pc: int) -> tuple[Instruction, _Token]:
        """Return an instruction, and the token of its target: the value of END is known when the thread is read."""
        start = self._next
        self._number(f"instruction number {pc}", exactly=pc)
        if pc >= MAX_INSTRUCTIONS:
            self._fail(f"at most {MAX_INSTRUCTIONS} instructions in a thread", start, LimitError)
        self._take(":")
        if self._next.text == "Mem":
            loc = self._memory()
            self._take("=")
            exch = self._value()
            self._take(";")
            return Instruction(loc, 0, pc + 1, exch), start
        if self._next.text != "if":
            self._fail("'if' or 'Mem'")
        return self._branch()

    def _branch(self) -> tuple[Instruction, _Token]:
        self._take("if")
        self._take("(")
        written: int | None = None
        if self._next.text == "Exch":
            self._take("Exch")
            self._take("(")
            loc = self._memory()
            self._take(",")
            written = self._value()
            self._take(")")
        elif self._next.text == "Mem":
            loc = self._memory()
        else:
            self._fail("'Exch' or 'Mem'")
        self._take("==")
        check = self._value()
        self._take(")")
        self._take("goto")
        goto = self._next
        target = 0
        if goto.text == "END":
            self._take("END")
        else:
            target = self._number("a location or END", below=MAX_INSTRUCTIONS + 1)
        self._take(";")
        return Instruction(loc, check, target, written), goto

    def _memory(self) -> int:
        self._take("Mem")
        self._take("[")
        loc = self._number("a memory location", below=MAX_VALUES)
        self._take("]")
        return loc

    def _value(self) -> int:
        return self._number("a value", below=MAX_VALUES)

    def _number(self, expected: str, *, exactly: int | None = None, below: int | None = None) -> int:
        token = self._next
        if not _is_number(token):
            self._fail(expected)
        # int() of a very long digit string is slow and then refused by Python; no number here has four digits.
        number = int(token.text) if len(token.text) <= 3 else MAX_VALUES**3
        if exactly is not None and number != exactly:
            self._fail(expected)
        if below is not None and number >= below:
            self._fail(f"{expected} below {below}", token, LimitError)
        self._ahead.popleft()
        return number

    def _take(self, text: str) -> _Token:
        token = self._next
        if token.text != text:
            self._fail(f"'{text}'")
        self._ahead.popleft()
        return token

    def _fail(self, expected: str, token: _Token | None = None, error: type[InputError] = InputError) -> NoReturn:
        token = token or self._next
        shown = "the end of the text" if token.text == _END_OF_FILE else repr(token.text[:40])
        raise error(f"{self._source}:{token.line}:{token.column}: found {shown}, expected {expected}")


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the words with their places; a word gets the comment that fills the line directly before it."""
    line, line_start = 1, 0
    comment: str | None = None
    for match in _TOKEN.finditer(text):
        column = match.start() - line_start + 1
        if match.lastgroup == "word":
            yield _Token(match.group(), line, column, comment)
            comment = None
        elif match.lastgroup == "comment" and not text[line_start : match.start()].strip():
            comment = match.group()[2:].strip() or None
        newlines = match.group().count("\n")
        if newlines:
            line += newlines
            line_start = match.start() + match.group().rindex("\n") + 1
    yield _Token(_END_OF_FILE, line, len(text) - line_start + 1, None)


def _is_number(token: _Token) -> bool:
    return token.text.isascii() and token.text.isdecimal()


def write_program(program: Program, name: str | None = None) -> str:
    """Return the text form of a program, with a line end at its end. `name` becomes a comment line before the program.

    Raises:
        InputError: `name` has more than one line.
    """
    check_type("program", program, Program, "a Program")
    check_type("name", name, (str, NoneType), "a text")
    if name and "\n" in name:
        raise InputError(f"name: found the text {name!r}, expected a single line")
    head = f"// {name}\n" if name else ""
    return head + "\n".join(
        f"THREAD {tid}\n" + "".join(f"{pc}: {write_instruction(thread, pc)}\n" for pc in range(len(thread)))
        for tid, thread in enumerate(program)
    )


def write_instruction(thread: Thread, pc: int) -> str:
    """Return the text form of the instruction at location `pc` of a thread, without its number."""
    i = thread[pc]
    if i.exch is not None and i.target == pc + 1 and i.check == 0:
        return f"Mem[{i.loc}] = {i.exch};"
    read = f"Mem[{i.loc}]" if i.exch is None else f"Exch(Mem[{i.loc}],{i.exch})"
    return f"if ({read} == {i.check}) goto {'END' if i.target == len(thread) else i.target};"
