"""How an id is laid out (definitions, section 2): the one place that knows what its characters stand for.

    0110-00_20011    threads, with `-` between two
    0110             an instruction is four base-36 digits: loc, check, exch, target
    00_2             `_` in place of exch says that nothing is written

Code that needs a part of an id, and not the whole program, asks here. `normal` reads and writes whole programs. In the
core `program/id_layout.hpp` says the same. These functions do not check that what they are given is an id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A number below 36 as one character.
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: What stands between two threads.
BETWEEN_THREADS: Final = "-"
#: What stands in place of exch where nothing is written.
NO_EXCHANGE: Final = "_"
#: All characters of ids.
CHARACTERS: Final = frozenset(DIGITS + BETWEEN_THREADS + NO_EXCHANGE)
#: How many characters an instruction has, and the longest thread: a target, which may be its end, is one digit.
WIDTH: Final = 4
LONGEST_THREAD: Final = WIDTH * (len(DIGITS) - 1)

#: One character of each instruction of a thread: `digits[LOC]`.
LOC: Final = slice(0, None, WIDTH)
CHECK: Final = slice(1, None, WIDTH)
EXCH: Final = slice(2, None, WIDTH)
TARGET: Final = slice(3, None, WIDTH)

_THREAD = r"(?:[0-9a-z]{2}[0-9a-z_][0-9a-z])+"
#: What an id looks like; whether its targets lie inside their threads, only `normal.program_of_id` tells.
ID_PATTERN: Final = re.compile(f"{_THREAD}(?:{BETWEEN_THREADS}{_THREAD})*")
#: Makes an id, as bytes, its shape: the same digit in place of all. Ids of one shape have the same `sizes`.
SHAPE: Final = bytes(byte if byte == ord(BETWEEN_THREADS) else ord("0") for byte in range(256))


def threads_of(id_: str) -> list[str]:
    """The digits of each thread."""
    return id_.split(BETWEEN_THREADS)


def joined(threads: Iterable[str]) -> str:
    """The id whose threads have these digits."""
    return BETWEEN_THREADS.join(threads)


def thread_count(id_: str) -> int:
    """How many threads a program has, which is not empty."""
    return id_.count(BETWEEN_THREADS) + 1


def counts(id_: str) -> tuple[int, int]:
    """How many threads and how many instructions a program has."""
    threads = id_.count(BETWEEN_THREADS) + 1
    return threads, (len(id_) - threads + 1) // WIDTH


def sizes(id_: str) -> tuple[int, ...]:
    """How many instructions each thread has."""
    return tuple(len(digits) // WIDTH for digits in id_.split(BETWEEN_THREADS))


def number(digit: str) -> int:
    """The number that a digit stands for."""
    return int(digit, 36)


def digits_of(loc: int, check: int, exch: int | None, target: int) -> str:
    """An instruction, written out."""
    return DIGITS[loc] + DIGITS[check] + (NO_EXCHANGE if exch is None else DIGITS[exch]) + DIGITS[target]


def fields_of(digits: str) -> list[tuple[int, int, int, int | None]]:
    """Of each instruction of a thread: loc, check, target and exch, in the order that `Instruction` has them."""
    columns = zip(digits[LOC], digits[CHECK], digits[EXCH], digits[TARGET], strict=True)
    return [
        (number(loc), number(check), number(target), None if exch == NO_EXCHANGE else number(exch))
        for loc, check, exch, target in columns
    ]
