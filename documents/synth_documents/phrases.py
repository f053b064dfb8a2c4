"""Write numbers, threads and sets of threads as English words. A set of threads is a bit mask.

Names of programs, devices and files may hold anything, even escape sequences of terminals. `shown` makes them safe to
print.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def threads_in(mask: int) -> list[int]:
    """Return the ids of the threads in a bit mask, in rising order."""
    return [thread for thread in range(mask.bit_length()) if mask >> thread & 1]


def written_set(threads: int | Iterable[int]) -> str:
    """Return threads, or a bit mask of threads, as text such as `{0,2}`."""
    return f"{{{','.join(map(str, threads_in(threads) if isinstance(threads, int) else threads))}}}"


def count(number: int, what: str) -> str:
    """Return a number and a noun, the noun in the plural unless the number is 1: `1 test`, `2 tests`."""
    ending = "es" if what.endswith(("ch", "ss")) else "s"
    return f"{number} {what}{'' if number == 1 else ending}"


def named_threads(threads: Iterable[int]) -> str:
    """Return words for one or more threads, given by their ids: `thread 0`, or `threads 0, 1 and 2`."""
    names = [str(thread) for thread in sorted(threads)]
    return f"thread{'' if len(names) == 1 else 's'} {listed(names)}"


def listed(names: Sequence[str]) -> str:
    """Return one or more names as a list in words: `a`, or `a, b and c`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def in_ranges(numbers: Iterable[int]) -> str:
    """Return numbers in rising order, those that follow each other as a range: `3, 5-7`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans)


def sentence(text: str) -> str:
    """Return a text with a capital letter at its start and a full stop at its end."""
    return f"{text[0].upper()}{text[1:]}."


def shown(text: str) -> str:
    r"""Return a text that can't control a terminal.

    It shows a character that can't be printed as an escape, such as `\x1b`.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shortened(text: str, letters: int) -> str:
    """Return a text, or its beginning and three dots if it has more letters than a drawing or a title has place for."""
    return text if len(text) <= letters else f"{text[: letters - 3]}..."


def shell_word(path: object) -> str:
    """Return a path as a word of the shell that no command takes for an option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
