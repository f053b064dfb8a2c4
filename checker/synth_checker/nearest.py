"""The known word that the user probably meant, for the message that refuses an unknown one.

Case is ignored, and so is a missing or a swapped letter (difflib's ratio, Ratcliff and Obershelp 1988). A word that
resembles none of the known ones gets no hint: a wrong hint misleads more than no hint does.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most like `word`, whatever the case of either, or None if none is like it."""
    by_lower_case: dict[str, str] = {}
    for candidate in known:
        by_lower_case.setdefault(candidate.lower(), candidate)
    near = difflib.get_close_matches(word.lower(), by_lower_case, n=1)
    return by_lower_case[near[0]] if near else None


def hint(word: str, known: Iterable[str]) -> str:
    """What a message says behind the word that it refuses: ` (did you mean X?)`, or nothing."""
    near = nearest(word, known)
    return f" (did you mean {near}?)" if near else ""
