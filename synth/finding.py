"""A test found by what it is called: its name, an alias, or the beginning of its name or id.

Names are those of a corpus (`synth_checker.names`), since two words may be too few in one. Corpora are read as raw
lines; only a record with aliases is taken apart.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.names import names
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.reading import id_of, lines_of
from synth_corpus.shipped import NAMES, located
from synth_corpus.store import Corpus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: Candidates that a message lists.
_LISTED = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A test of a corpus: its id and its name there."""

    id: str
    name: str


def found_test(word: str, corpus: str | Path | None = None) -> Found:
    """The one test of a corpus, or of those that ship, that a word calls by its name, an alias, or a prefix.

    What a test is called in full goes before what only begins so.

    Raises:
        InputError: no test is called so, or several are; or the corpus can't be read.
    """
    searched = [Corpus(located(name)) for name in (NAMES if corpus is None else (corpus,))]
    called: dict[str, Found] = {}
    beginning: dict[str, Found] = {}
    for one in searched:
        ids, aliased = _ids_and_aliased(one, word)
        for id_, name in names(ids).items():
            if word in {id_, name} or id_ in aliased:
                called.setdefault(id_, Found(id_, name))
            elif id_.startswith(word) or name.startswith(word):
                beginning.setdefault(id_, Found(id_, name))
    found = list((called or beginning).values())
    if len(found) == 1:
        return found[0]
    where = "the corpora that ship" if corpus is None else str(corpus)
    raise InputError(f"{word}: {_told(found, where)}")


def ids_in(corpus: str | Path) -> list[str]:
    """The ids of the tests of a corpus, in their order.

    Raises:
        InputError: it can't be read.
    """
    return [id_of(line).decode("ascii") for line in lines_of(Corpus(located(corpus)).batches())]


def names_in(corpus: str | Path) -> dict[str, str]:
    """The names of the tests of a corpus, by their ids.

    Raises:
        InputError: it can't be read.
    """
    return names(ids_in(corpus))


def _told(found: Sequence[Found], where: str) -> str:
    if not found:
        return (
            f"found no such file, and no test so called in {where}; "
            "expected a file with programs, '-', an id, a name of a test or a corpus"
        )
    listed = ", ".join(f"{one.id} ({one.name})" for one in itertools.islice(found, _LISTED))
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return f"found {len(found)} tests so called in {where}: {listed}{more}; expected one"


def _ids_and_aliased(corpus: Corpus, word: str) -> tuple[list[str], set[str]]:
    """The ids of a corpus, and of those the ones whose tests have this alias."""
    ids: list[str] = []
    aliased: set[str] = set()
    for line in lines_of(corpus.batches()):
        ids.append(id_of(line).decode("ascii"))
        if b'"aliases"' in line and word in aliases_in(fields_of(line, corpus.place_of).more):
            aliased.add(ids[-1])
    return ids, aliased
