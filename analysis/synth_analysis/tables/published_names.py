"""The published names of tests: their aliases. One test may have several, because a suite may have the test twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError
from synth_corpus.parts import aliases_in
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_corpus.store import Corpus


class PublishedNames(NamedTuple):
    """The id of the test of each published name, and how many tests have no such name."""

    ids: dict[str, str]
    unnamed: int

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for a table that counts published names."""
        said = ["Each published name (alias) counts once, also if one test has several."]
        if self.unnamed:
            said.append(f"Left out, because they have no published name: {count(self.unnamed, 'test')}.")
        return tuple(said)


def published_names(corpora: Iterable[Corpus]) -> PublishedNames:
    """Return the published names of the tests of some corpora. A test in several corpora has the names of all.

    Raises:
        InputError: no test has a published name, two tests have the same one, or a corpus cannot be read.
    """
    ids: dict[str, str] = {}
    every: set[str] = set()
    for corpus in corpora:
        every.update(record.id for record in corpus)
        for alias, id_ in names_in(corpus):
            if ids.setdefault(alias, id_) != id_:
                raise InputError(f"{corpus.name}: the test {id_} has the alias {alias}, which {ids[alias]} has, too")
    if not ids:
        raise InputError(
            "aliases: no test has a published name; synth corpus import gives them to the tests of a published suite"
        )
    return PublishedNames(ids, len(every.difference(ids.values())))


def names_in(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield each published name in a corpus, and the id of its test."""
    for record in corpus:
        yield from ((alias, record.id) for alias in aliases_in(record.more))
