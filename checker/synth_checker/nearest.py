"""Guess the known word that the user probably meant by an unknown word, for the message that refuses it.

Upper and lower case count as equal, and a missing or a swapped letter does not matter (difflib's ratio, Ratcliff and
Obershelp 1988). If no known word is similar, the message gives no hint: a wrong hint misleads more than no hint does.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, check_type, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_BETWEEN_PARTS = re.compile("[./]")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like `word`, or None if none is like it. Upper and lower case count as equal.

    Words such as `OBE.weak` and `@complete/3x4` have two parts, and each part must be like the same part of the other
    word. So `OBE.weak` is not like `HSA.weak`, although both end in `weak`.
    """
    heads: dict[str, dict[str, str]] = {}
    for candidate in known:
        head, rest = _parts(candidate)
        heads.setdefault(head, {}).setdefault(rest, candidate)
    head, rest = _parts(word)
    for near in difflib.get_close_matches(head, heads):
        rests = heads[near]
        for match in difflib.get_close_matches(rest, rests, n=1):
            return rests[match]
        if "" in rests or not rest:
            return rests.get("", next(iter(rests.values())))
    return None


def abbreviated(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words that begin with `word` or, if there is none, those with its letters.

    The letters are in the same order, and the first one is the first of both, as in `std` for `standard`. The dashes
    before an option are no letters.
    """
    words = list(known)
    begins = [begin for begin in words if begin.lower().startswith(word.lower())]
    letters = ".*".join(map(re.escape, re.findall("^-*.|.", word)))
    return begins or [begin for begin in words if re.match(letters, begin, re.IGNORECASE)]


def _parts(word: str) -> tuple[str, str]:
    head, *rest = _BETWEEN_PARTS.split(word.lower(), maxsplit=1)
    return head, "".join(rest)


def hint(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean X?)`, where X is the known word most like `word`, or nothing if none is like it."""
    near = nearest(word, known)
    return f" (did you mean {near}?)" if near not in (None, word) else ""


def unknown(what: str, word: str, known: Iterable[str], expected: str | None = None) -> InputError:
    """Return the error that refuses an unknown word.

    If a known word is like `word`, the message suggests it.

    `what` says what the word was meant to be, such as `model` or an option. `expected` replaces the last part of the
    message, which by default is `one of` and the list of all known words.

    Raises:
        InputError: `word` is not a text.
    """
    check_type(what, word, str, "a word")
    words = list(known)
    of_these = expected or f"one of {', '.join(words)}"
    return InputError(f"{what}: found {quoted(word)}{hint(word, words)}, expected {of_these}")


def check_known(what: str, word: str, known: Collection[str]) -> None:
    """Raise the error of `unknown` unless a word is one of the known ones."""
    if word not in known:
        raise unknown(what, word, known)
