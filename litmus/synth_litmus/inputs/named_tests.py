"""Find a test by its name, by an alias, or by the beginning of its name or id; and give the names of tests.

A test has its name within a corpus (`synth_checker.names`), because a name of two words may fit several tests, and then
gets further words. The corpora that ship share their tests. So they count as one corpus here, and a test has the same
name in each of them. Corpora are read as raw lines, and only records with aliases are parsed.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, excerpt
from synth_checker.idioms import idioms
from synth_checker.names import names, names_among
from synth_checker.nearest import hint
from synth_corpus.parts import aliases_in, fields_of
from synth_corpus.record_batches import id_of, lines_of
from synth_corpus.shipped import NAMES, locate_corpus
from synth_corpus.store import Corpus
from synth_storage.reserved_names import is_reserved

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

#: How many candidates a message lists.
_LISTED = 4


@dataclass(frozen=True, slots=True)
class NamedTest:
    """A test of a corpus: its id, and its name in that corpus."""

    id: str
    name: str


def named_test(word: str, corpus: str | Path | None = None) -> NamedTest:
    """Return the single test that a word names, in a corpus or in the corpora that ship.

    The word is the name of a test, its id, an alias, or the beginning of a name or id. A test whose whole name, id or
    alias is the word comes before those that only begin with it.

    Raises:
        InputError: the word names no test or several, or the corpus can't be read.
    """
    ids: dict[str, None] = {}
    aliased: set[str] = set()
    for corpus_name in NAMES if corpus is None else (corpus,):
        these, of_these = _ids_and_aliased(Corpus(locate_corpus(corpus_name)), word)
        ids.update(dict.fromkeys(these))
        aliased.update(of_these)
    all_called = _shipped_names() if corpus is None or is_reserved(corpus) else names(ids)
    called: list[NamedTest] = []
    beginning: list[NamedTest] = []
    for id_ in ids:
        name = all_called[id_]
        if word in {id_, name} or id_ in aliased:
            called.append(NamedTest(id_, name))
        elif id_.startswith(word) or name.startswith(word):
            beginning.append(NamedTest(id_, name))
    tests = called or beginning
    if len(tests) == 1:
        return tests[0]
    where = "the corpora that ship" if corpus is None else str(corpus)
    advice = hint(word, (*idioms(), *all_called.values())) if not tests else ""
    raise InputError(f"{excerpt(word)}: {_problem(tests, where, advice)}")


def names_of(ids: Iterable[str], *corpora: str | Path | None) -> dict[str, str]:
    """Return the names of some tests, given by their ids, as a dict from id to name.

    A name depends on the other tests of its corpus, so `corpora` says among which tests to name them. None, or no
    corpus at all, stands for all corpora that ship. A test that is in none of the corpora gets the name that it would
    have there.

    Raises:
        InputError: a corpus can't be read.
    """
    together = (id_ for corpus in corpora or (None,) for id_ in _named_together(corpus))
    return names_among(ids, together)


def ids_in(corpus: str | Path) -> list[str]:
    """Return the ids of the tests of a corpus, in the order of the corpus.

    Raises:
        InputError: the corpus can't be read.
    """
    return [id_of(line).decode("ascii") for line in lines_of(Corpus(locate_corpus(corpus)).batches())]


def _named_together(corpus: str | Path | None) -> Iterable[str]:
    """Return the ids of all tests that share their names with a corpus: its own, or those of all corpora that ship."""
    if corpus is None or is_reserved(corpus):
        locate_corpus(corpus or NAMES[0])  # raises an error if no corpus that ships has this name
        return _shipped_ids()
    return ids_in(corpus)


@functools.cache
def _shipped_names() -> dict[str, str]:
    return names(_shipped_ids())


@functools.cache
def _shipped_ids() -> tuple[str, ...]:
    return tuple(dict.fromkeys(id_ for name in NAMES for id_ in ids_in(name)))


def _problem(tests: Sequence[NamedTest], where: str, advice: str) -> str:
    if not tests:
        return (
            f"there is no such file, and no test of that name in {where}{advice}; "
            "expected a file with programs, '-', an id, the name of a test, or a corpus"
        )
    listed = ", ".join(f"{test.id} ({test.name})" for test in itertools.islice(tests, _LISTED))
    more = f" and {len(tests) - _LISTED} more" if len(tests) > _LISTED else ""
    return (
        f"found {len(tests)} tests in {where} that this word could name: {listed}{more}; write one name or id in full"
    )


def _ids_and_aliased(corpus: Corpus, word: str) -> tuple[list[str], set[str]]:
    """Return the ids of a corpus, and the ids of those tests that have a word as an alias."""
    ids: list[str] = []
    aliased: set[str] = set()
    for line in lines_of(corpus.batches()):
        ids.append(id_of(line).decode("ascii"))
        if b'"aliases"' in line and word in aliases_in(fields_of(line, corpus.place_of).more):
            aliased.add(ids[-1])
    return ids, aliased
