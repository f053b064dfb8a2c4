"""The known word that the user probably meant, for the message that refuses an unknown one.

Case is ignored, and so is a missing or a swapped letter (difflib's ratio, Ratcliff and Obershelp 1988). A word that
resembles none of the known ones gets no hint: a wrong hint misleads more than no hint does.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, check_type, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, whatever the case of either, or None if none is like it.

    Words such as `OBE.weak` and `@complete/3x4` have two parts, and each part must be like that of the other word: two
    verdicts are not alike because both are weak.
    """
    heads: dict[str, dict[str, str]] = {}
    for candidate in known:
        head, rest = _parts(candidate)
        heads.setdefault(head, {}).setdefault(rest, candidate)
    head, rest = _parts(word)
    for near in difflib.get_close_matches(head, heads):
        rests = heads[near]
        for found in difflib.get_close_matches(rest, rests, n=1):
            return rests[found]
        if "" in rests or not rest:
            return rests.get("", next(iter(rests.values())))
    return None


def _parts(word: str) -> tuple[str, str]:
    head, *rest = re.split("[./]", word.lower(), maxsplit=1)
    return head, "".join(rest)


def hint(word: str, known: Iterable[str]) -> str:
    """What a message says behind the word that it refuses: ` (did you mean X?)`, or nothing."""
    near = nearest(word, known)
    return f" (did you mean {near}?)" if near not in (None, word) else ""


def unknown(what: str, word: str, known: Iterable[str], expected: str | None = None) -> InputError:
    """The error that refuses a word: what it was to be, what was found, what was probably meant, and what is known.

    `expected` replaces the words behind `expected`, which are by default `one of` and all that are known.
    """
    check_type(what, word, str, "a word")
    words = list(known)
    of_these = expected or f"one of {', '.join(words)}"
    return InputError(f"{what}: found {quoted(word)}{hint(word, words)}, expected {of_these}")
