"""The text form of programs, as the paper prints it (definitions, section 1).

    // mutex, and a spinner
    THREAD 0
    0: if (Exch(Mem[0],1) == 1) goto 0;
    1: Mem[0] = 0;

    THREAD 1
    0: if (Mem[0] == 0) goto END;

The reader is lenient about white space and knows `//` comments; `THREAD 0` starts the next program of a file, and a
comment line just before it is that program's name. A word that does not fit is reported with line and column, what
was found and what was expected. The writer prints what the reader reads back.
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
    """A program of a file with the comment line before it, if there is one, and the line it starts on."""

    name: str | None
    program: Program
    line: int


class _Token(NamedTuple):
    text: str
    line: int
    column: int
    comment: str | None  # the comment line that ends just before this token


def read_program(text: str, source: str = "<text>") -> Program:
    """Read exactly one program.

    Raises:
        InputError: the text is not one program; the message starts `source:line:column:`.
        LimitError: a number is beyond the limits of the definitions.
    """
    programs = read_programs(text, source)
    if len(programs) != 1:
        line = programs[1].line if programs else 1
        msg = f"{source}:{line}:1: found {len(programs)} programs, expected one"
        raise InputError(msg)
    return programs[0].program


def read_programs(text: str, source: str = "<text>") -> list[NamedProgram]:
    """Read every program of a text; see `read_program` for the errors. A text without programs gives an empty list."""
    check_type("text", text, str, "the text of programs")
    return _Reader(text, source).programs()


class _Reader:
    """Recursive descent over the tokens; only `THREAD 0` needs a look at two of them."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._tokens = _tokens(text)
        self._ahead: deque[_Token] = deque()

    @property
    def _next(self) -> _Token:
        return self._look(0)

    def _look(self, beyond: int) -> _Token:
        """The token so many behind the next one; made only now, for the sake of large files."""
        while len(self._ahead) <= beyond:
            self._ahead.append(next(self._tokens))
        return self._ahead[beyond]

    def programs(self) -> list[NamedProgram]:
        found: list[NamedProgram] = []
        while self._next.text != _END_OF_FILE:
            start = self._next
            found.append(NamedProgram(start.comment, self._program(), start.line))
        return found

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
        """One instruction, and the token that names its target: END is only known when the thread is read."""
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
        found = "the end of the text" if token.text == _END_OF_FILE else repr(token.text[:40])
        msg = f"{self._source}:{token.line}:{token.column}: found {found}, expected {expected}"
        raise error(msg)


def _tokens(text: str) -> Iterator[_Token]:
    """Words with their places; a comment is kept only where it fills the lines just before the word."""
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
    """The text form of a program, with a final line end; `name` becomes the comment before it.

    Raises:
        InputError: the name has several lines, of which all but the first would be no comment.
    """
    check_type("program", program, Program, "a Program")
    check_type("name", name, (str, NoneType), "a text")
    if name and "\n" in name:
        msg = f"name: found {name!r}, expected one line"
        raise InputError(msg)
    head = f"// {name}\n" if name else ""
    return head + "\n".join(
        f"THREAD {tid}\n" + "".join(f"{pc}: {write_instruction(thread, pc)}\n" for pc in range(len(thread)))
        for tid, thread in enumerate(program)
    )


def write_instruction(thread: Thread, pc: int) -> str:
    """The text of one instruction, without its number."""
    i = thread[pc]
    if i.exch is not None and i.target == pc + 1 and i.check == 0:
        return f"Mem[{i.loc}] = {i.exch};"
    read = f"Mem[{i.loc}]" if i.exch is None else f"Exch(Mem[{i.loc}],{i.exch})"
    return f"if ({read} == {i.check}) goto {'END' if i.target == len(thread) else i.target};"
