"""The layout of an id: which of its characters stands for what (definitions, section 2).

    0110-00_20011    threads, with `-` between two
    0110             an instruction is four base-36 digits: loc, check, exch, target
    00_2             `_` in place of exch says that the instruction writes nothing

Code that needs a part of an id, but not the whole program, calls the functions of this module. The module `normal`
reads and writes whole programs. `program/id_layout.hpp` is the counterpart of this module in the C++ core. The
functions of this module do not check that a text is an id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A number below 36 as one character.
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The character between two threads.
BETWEEN_THREADS: Final = "-"
#: The character in place of exch in an instruction that writes nothing.
NO_EXCHANGE: Final = "_"
#: All characters that an id may contain.
CHARACTERS: Final = frozenset(DIGITS + BETWEEN_THREADS + NO_EXCHANGE)
#: The number of characters of an instruction, and of the longest thread. A target is one digit and may be the thread's
#: end, so a thread has at most 35 instructions.
WIDTH: Final = 4
LONGEST_THREAD: Final = WIDTH * (len(DIGITS) - 1)

#: One character of each instruction of a thread: `digits[LOC]`.
LOC: Final = slice(0, None, WIDTH)
CHECK: Final = slice(1, None, WIDTH)
EXCH: Final = slice(2, None, WIDTH)
TARGET: Final = slice(3, None, WIDTH)

_THREAD = r"(?:[0-9a-z]{2}[0-9a-z_][0-9a-z])+"
#: The pattern that every id matches. It does not check that targets lie inside threads; `normal.program_of_id` does.
ID_PATTERN: Final = re.compile(f"{_THREAD}(?:{BETWEEN_THREADS}{_THREAD})*")
#: A translation table for `bytes.translate`: it replaces every digit of an id by 0. Ids that become equal have the
#: same `sizes`.
SHAPE: Final = bytes(byte if byte == ord(BETWEEN_THREADS) else ord("0") for byte in range(256))


def threads_of(id_: str) -> list[str]:
    """Return the digits of each thread of an id."""
    return id_.split(BETWEEN_THREADS)


def joined_threads(threads: Iterable[str]) -> str:
    """Return the id whose threads have these digits."""
    return BETWEEN_THREADS.join(threads)


def thread_count(id_: str) -> int:
    """Return the number of threads of a program, given by its id. The program must not be the empty one."""
    return id_.count(BETWEEN_THREADS) + 1


def thread_and_instruction_count(id_: str) -> tuple[int, int]:
    """Return the number of threads and the number of instructions of a program, given by its id."""
    threads = id_.count(BETWEEN_THREADS) + 1
    return threads, (len(id_) - threads + 1) // WIDTH


def sizes(id_: str) -> tuple[int, ...]:
    """Return the number of instructions of each thread of a program, given by its id."""
    return tuple(len(digits) // WIDTH for digits in id_.split(BETWEEN_THREADS))


def number(digit: str) -> int:
    """Return the number that a base-36 digit stands for."""
    return int(digit, 36)


def digits_of(loc: int, check: int, exch: int | None, target: int) -> str:
    """Return the four characters that stand for an instruction in an id."""
    return DIGITS[loc] + DIGITS[check] + (NO_EXCHANGE if exch is None else DIGITS[exch]) + DIGITS[target]


def fields_of(digits: str) -> list[tuple[int, int, int, int | None]]:
    """Return the fields of each instruction of a thread, given by the thread's digits.

    The fields are (loc, check, target, exch), which is the order of the parameters of `Instruction`.
    """
    columns = zip(digits[LOC], digits[CHECK], digits[EXCH], digits[TARGET], strict=True)
    return [
        (number(loc), number(check), number(target), None if exch == NO_EXCHANGE else number(exch))
        for loc, check, exch, target in columns
    ]
