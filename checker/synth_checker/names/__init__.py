"""Names for people: what a test is, and words that its id chooses, such as `2+2-quiet-otter`.

What a test is says its idiom or, where it is none, its split. A byte of the SHA-256 of the id chooses each word, of
256 adjectives the first and of 256 nouns all others; the words are data, `adjectives.txt` and `nouns.txt`. Two words
are enough for a person to tell two tests apart, but not for a corpus: where its tests collide they get a third. So a
test has its name among others, and all that a name depends on is which of them collide with it.
"""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.errors import check_ids, check_type
from synth_checker.idioms import idioms_of, reordered_idiom
from synth_checker.programs.id_layout import sizes
from synth_checker.question import split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Words of a name that nothing else is called by.
_WORDS = 2


def name_of(id_: str, words: int = _WORDS) -> str:
    """The name of a program in normal form, given by its id, with so many words; at most 32.

    Raises:
        InputError: the id can't be read.
    """
    check_type("id", id_, str, "the id of a program")
    return _name(_kinds([id_])[0], _digest(id_), words)


def names(ids: Iterable[str]) -> dict[str, str]:
    """The names of the tests of a corpus, by their ids, all different; they do not depend on the order.

    They have two words, and where these are the same as another test's a third, or more if that were not enough.

    Raises:
        InputError: an id can't be read.
    """
    check_ids(ids)
    every = list(dict.fromkeys(ids))
    known = {id_: (kind, _digest(id_)) for id_, kind in zip(every, _kinds(every), strict=True)}
    words = _WORDS
    found = {id_: _name(*of_id, words) for id_, of_id in known.items()}
    while twice := {name for name, count in Counter(found.values()).items() if count > 1}:
        words += 1
        found.update({id_: _name(*known[id_], words) for id_, name in found.items() if name in twice})
    return found


def names_among(ids: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """The names of some tests, by their ids, as `names` gives them to these and the others together.

    Of the others only those are looked at that begin with the same words, which is quick.

    Raises:
        InputError: an id can't be read.
    """
    asked = list(ids)
    words = {_digest(id_)[:_WORDS] for id_ in asked}
    found = names([*asked, *(id_ for id_ in others if _digest(id_)[:_WORDS] in words)])
    return {id_: found[id_] for id_ in asked}


def former_name(id_: str, name: str) -> str | None:
    """What a program with this id and name was called before idioms were told by their verdicts, if by another name.

    Raises:
        InputError: the id can't be read.
    """
    idiom = reordered_idiom(id_)
    if idiom is None or name.startswith(f"{idiom}-"):
        return None
    return f"{idiom}-{name.partition('-')[2]}"


def _name(kind: str, digest: bytes, words: int) -> str:
    first, *others = digest[:words]
    return "-".join([kind, _adjectives()[first], *(_nouns()[byte] for byte in others)])


def _digest(id_: str) -> bytes:
    return hashlib.sha256(id_.encode()).digest()


def _kinds(ids: Sequence[str]) -> list[str]:
    """Of each test the idiom or the split: the sizes of the threads, `2+2`."""
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
