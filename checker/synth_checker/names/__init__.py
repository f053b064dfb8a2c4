"""Names for people: what a test is, and words that its id chooses, such as `2+2-quiet-otter`.

What a test is says its idiom or, where it is none, its split. A byte of the SHA-256 of the id chooses each word, of
256 adjectives the first and of 256 nouns all others; the words are data, `adjectives.txt` and `nouns.txt`. Two words
are enough for a person to tell two tests apart, but not for a corpus: where its tests collide they get a third.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.idioms import idiom_of
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Words of a name that nothing else is called by.
_WORDS = 2


def name_of(id_: str, words: int = _WORDS) -> str:
    """The name of a program in normal form, given by its id, with so many words; at most 32.

    Raises:
        InputError: the id can't be read.
    """
    adjectives, nouns = _adjectives(), _nouns()
    first, *others = hashlib.sha256(id_.encode()).digest()[:words]
    return "-".join([_kind(id_), adjectives[first], *(nouns[byte] for byte in others)])


def names(ids: Iterable[str]) -> dict[str, str]:
    """The names of the tests of a corpus, by their ids, all different; they do not depend on the order.

    They have two words, and where these are the same as another test's a third, or more if that were not enough.

    Raises:
        InputError: an id can't be read.
    """
    found = {id_: name_of(id_) for id_ in ids}
    words = _WORDS
    while twice := {name for name, count in Counter(found.values()).items() if count > 1}:
        words += 1
        found.update({id_: name_of(id_, words) for id_, name in found.items() if name in twice})
    return found


def _kind(id_: str) -> str:
    """The idiom or the split: the sizes of the threads, `2+2`."""
    return idiom_of(id_) or split_name((len(thread) // 4) for thread in id_.split("-"))


@functools.cache
def _adjectives() -> tuple[str, ...]:
    return _words("adjectives")


@functools.cache
def _nouns() -> tuple[str, ...]:
    return _words("nouns")


def _words(kind: str) -> tuple[str, ...]:
    return tuple((files("synth_checker.names") / f"{kind}.txt").read_text("utf-8").split())
