"""Names of tests for people, such as `2+2-quiet-otter`.

A name begins with the idiom that the test is, or with the split of the test if it is not an idiom. Words follow that
depend on the id: each byte of the SHA-256 of the id selects one word. The first word is one of 256 adjectives, and the
others are from 256 nouns. The words are in `adjectives.txt` and `nouns.txt`. Two words are enough for a person to
distinguish two tests. In a corpus, tests with equal names get a third word. So the name of a test depends on the
corpus: on those of its tests that would have the same name of two words.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.errors import check_ids, check_type
from synth_checker.idioms import idioms_of
from synth_checker.programs.id_layout import sizes
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: The number of words in a name that no other test has.
_WORDS = 2


def name_of(id_: str, words: int = _WORDS) -> str:
    """Return the name of a program in normal form. The name consists of `words` words, at most 32.

    Raises:
        InputError: the id cannot be read.
    """
    check_type("id", id_, str, "the id of a program")
    return _name(_kinds([id_])[0], _digest(id_), words)


def names(ids: Iterable[str]) -> dict[str, str]:
    """Return a name for each test of a corpus, by its id. All names differ, and the order of the tests does not matter.

    A name has two words. Tests whose names would be equal get a third word, and more words if that is not enough.

    Raises:
        InputError: an id cannot be read.
    """
    check_ids(ids)
    every = list(dict.fromkeys(ids))
    known = {id_: (kind, _digest(id_)) for id_, kind in zip(every, _kinds(every), strict=True)}
    words = _WORDS
    chosen = {id_: _name(*of_id, words) for id_, of_id in known.items()}
    while twice := {name for name, count in Counter(chosen.values()).items() if count > 1}:
        words += 1
        chosen.update({id_: _name(*known[id_], words) for id_, name in chosen.items() if name in twice})
    return chosen


def names_among(ids: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """Return the names of the tests `ids`, as `names` gives them in a corpus that consists of `ids` and `others`.

    This is quicker than `names`, because it looks only at those of the other tests that begin with the same words.

    Raises:
        InputError: an id cannot be read.
    """
    id_list = list(ids)
    words = {_digest(id_)[:_WORDS] for id_ in id_list}
    names_of_ids = names([*id_list, *(id_ for id_ in others if _digest(id_)[:_WORDS] in words)])
    return {id_: names_of_ids[id_] for id_ in id_list}


def _name(kind: str, digest: bytes, words: int) -> str:
    first, *others = digest[:words]
    return "-".join([kind, _adjectives()[first], *(_nouns()[byte] for byte in others)])


def _digest(id_: str) -> bytes:
    return hashlib.sha256(id_.encode()).digest()


def _kinds(ids: Sequence[str]) -> list[str]:
    """Return, for each test, the idiom that it is, or its split such as `2+2`."""
    splits = (split_name(sizes(id_)) for id_ in ids)
    return [idiom or split for idiom, split in zip(idioms_of(ids), splits, strict=True)]


@functools.cache
def _adjectives() -> tuple[str, ...]:
    return _words("adjectives")


@functools.cache
def _nouns() -> tuple[str, ...]:
    return _words("nouns")


def _words(kind: str) -> tuple[str, ...]:
    return tuple((files("synth_checker.names") / f"{kind}.txt").read_text("utf-8").split())
