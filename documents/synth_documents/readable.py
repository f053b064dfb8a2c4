"""Write numbers, times and names in the form that a person reads."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from synth_documents.phrases import count, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_DAY_S = 86400.0


def safe_title(name: str | None, id_: str) -> str:
    """Return the name and id of a program as a line that is safe to print."""
    return f"{shown(name)}: {id_}" if name else id_


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a line for each row, with the words of a column below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def tests(number: int) -> str:
    """Return a number of tests in words, such as `1 test`."""
    return count(number, "test")


def kept_counts(kept: int, numbers: Mapping[str, int]) -> str:
    """Return words for how many tests were kept, and of how many tests, behaviours and signatures.

    `numbers` has the counts in the form of a manifest.
    """
    counts = ", ".join(f"{number} {name}" for name, number in numbers.items() if name != "minimal")
    minimal = numbers.get("minimal")
    if minimal is None:
        return f"{kept} of {counts}"
    return f"{kept} minimal of {counts}" if kept == minimal else f"{kept} of {minimal} minimal, of {counts}"


def duration(seconds: float) -> str:
    """Return a time in words, such as `90 s` or `3 h`: in the largest unit of which there are at least two."""
    for unit, size_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size_s:
            return f"{seconds / size_s:.0f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def clock_time(seconds: float) -> str:
    """Return the clock time that it will be in some seconds; with the date, unless that is today."""
    now = time.time()
    at = time.localtime(now + min(seconds, 1000 * 365 * _DAY_S))
    same_day = time.strftime("%Y-%m-%d", at) == time.strftime("%Y-%m-%d", time.localtime(now))
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", at)


def whole_number(number: float) -> str:
    """Return a number without its fraction: `9,130,000`."""
    return f"{number:,.0f}"


def three_digits(number: float) -> str:
    """Return a number with three significant digits and without an exponent: `40,100`, `12.3`, `0.00123`."""
    if not number:
        return "0"
    places = 2 - math.floor(math.log10(abs(number)))
    return f"{round(number, places):,.{max(places, 0)}f}"


def size(number: float) -> str:
    """Return a number of bytes in the largest unit that fits: `40.1 GB`."""
    from rich.filesize import decimal

    return decimal(round(number))
