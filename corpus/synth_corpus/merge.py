"""Merge several corpora into one, by reading all of them once in the order of ids.

The questions of these corpora may differ only in their bounds. The result answers the question with all bounds of the
corpora, as an enumeration would. It is complete if each bound belongs to a complete corpus. If several corpora have the
same test, the result has it once, and its record has the keys of all their records. The merge fails if two corpora
contradict each other, or if an alias belongs to two tests. It holds in memory only the aliases. If the question keeps
one test of each behaviour, it also holds the behaviours.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import models_named
from synth_corpus.completeness import found_counts, is_covered, requested_tests
from synth_corpus.kept_tests import kept_words
from synth_corpus.parts import aliases_in, fields_of, with_more
from synth_corpus.record_batches import HEAD
from synth_corpus.store import CORPUS, write_corpus
from synth_corpus.tally import Tally
from synth_corpus.union import AliasOwners, unite_records
from synth_storage.folders import check_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest
    from synth_corpus.store import Corpus
    from synth_storage.strict_json import Json

#: The number of records that are counted and written together.
_AT_ONCE = 1 << 10
_START = len(HEAD)
#: The text that a record contains if its test has aliases.
_ALIASES = b'"aliases":'


def merge(corpora: Sequence[Corpus], out: Path, run: Callable[[], dict[str, Json]], *, force: bool = False) -> Manifest:
    """Write a corpus of those tests of all given corpora that their question keeps, and return its manifest.

    `run` is called at the end, and returns the value of the manifest's key `run`. With `force`, a corpus that is at
    `out` is replaced.

    Raises:
        InputError: two corpora contradict each other, one of them is damaged, a complete one lacks a test, or the
            folder `out` cannot be used.
        ResourceError: writing failed.
    """
    question = merged_question(corpora)
    counts = found_counts(corpora, question)
    check_place(out, CORPUS, force=force)
    tally = Tally()

    def manifest() -> Manifest:
        return replace(
            corpora[0].manifest,
            question=question,
            complete=is_covered(corpora, question),
            tests=tally.tests,
            splits=tally.splits(question),
            signatures=tally.signatures(),
            found=counts,
            run=run(),
        )

    lines = requested_tests(merge_records(corpora), question, corpora, lambda line: _places(_head(line), corpora))
    return write_corpus(out, _counted(lines, tally, corpora), manifest, force=force)


def sources_of(corpora: Sequence[Corpus]) -> list[dict[str, Json]]:
    """Return what the manifest of a merged corpus says about each of the corpora that were merged into it."""
    return [
        {
            "question": corpus.manifest.question.name,
            "bounds": [str(bound) for bound in corpus.manifest.question.bounds],
            "complete": corpus.manifest.complete,
            "sha256": corpus.manifest.sha256,
            "run": corpus.manifest.run,
        }
        for corpus in corpora
    ]


def merged_question(corpora: Sequence[Corpus]) -> Question:
    """Return the question that several corpora answer together.

    Raises:
        InputError: their questions, or the definitions of their models, differ in more than the bounds.
    """
    first = corpora[0]
    for corpus in corpora[1:]:
        expected, differing = _comparable(first.manifest), _comparable(corpus.manifest)
        for key in {**expected, **differing}:
            if differing.get(key) != expected.get(key):
                msg = f"found {key}: {differing.get(key, 'none')}; expected {expected.get(key, 'none')}"
                raise InputError(f"{corpus.name}: {msg}, as in {first.name}")
    bounds = tuple(bound for corpus in corpora for bound in corpus.manifest.question.bounds)
    return replace(first.manifest.question, bounds=bounds)


def merge_records(corpora: Sequence[Corpus]) -> Iterator[tuple[bytes, int]]:
    """Yield the records of several corpora, each test once and sorted by id.

    Each record comes with a bit mask of the corpora that have the test.

    Raises:
        InputError: a corpus does not agree with its manifest, or two of them give a test different verdicts or keys.
    """
    last, head, have_it = b"", b"\n", 0  # which no line begins with
    tagged = (zip(corpus.raw_lines(), repeat(1 << k)) for k, corpus in enumerate(corpora))
    for line, has_it in chain(heapq.merge(*tagged), ((b"", 0),)):
        if line.startswith(head):
            if line != last:
                last = _united(last, line, corpora)
            have_it |= has_it
            continue
        if last:
            yield last, have_it
        last, head, have_it = line, line[: line.find(b'"', _START) + 1], has_it  # `_head` inlined, which is quicker


def _counted(lines: Iterator[bytes], tally: Tally, corpora: Sequence[Corpus]) -> Iterator[bytes]:
    """Yield texts of many lines each, after counting the lines and checking that each alias belongs to one test."""
    owners = AliasOwners()
    while piece := list(islice(lines, _AT_ONCE)):
        try:
            tally.count(*piece)
        except InputError:
            for line in piece:  # find the one that is wrong
                try:
                    tally.count(line)
                except InputError as error:
                    raise InputError(f"{_places(line, corpora)}: {error}") from None
            raise
        text = b"%b\n" % b"\n".join(piece)
        if _ALIASES in text:
            for line in piece:
                if _ALIASES in line:
                    _check_aliases(line, owners, corpora)
        yield text


def _check_aliases(line: bytes, owners: AliasOwners, corpora: Sequence[Corpus]) -> None:
    test = fields_of(line, lambda line: _places(line, corpora))
    for alias, other in owners.taken(test.id, aliases_in(test.more)):
        places = _places(_head(line), corpora), _places(HEAD + other.encode() + b'"', corpora)
        msg = f"the test {other} ({places[1]}) has the alias {alias!r}, too; an alias may belong to one test only"
        raise InputError(f"{places[0]}: {msg}")


def _united(first: bytes, other: bytes, corpora: Sequence[Corpus]) -> bytes:
    """Join two different records of a test into one. Raise InputError if they contradict each other."""
    a, b = (fields_of(line, lambda line: _places(line, corpora)) for line in (first, other))
    for name, verdict in a.verdicts.items():
        if b.verdicts.get(name) != verdict:
            raise InputError(
                f"{_places(_head(first), corpora)}: found the verdicts {verdict} and {b.verdicts.get(name)} for {name} "
                f"of the test {a.id}, expected the same in all corpora"
            )
    try:
        more = unite_records(a.id, a.more, b.more)
    except InputError as error:
        raise InputError(f"{_places(_head(first), corpora)}: {error}") from None
    united = with_more(first, more)
    if united != with_more(other, more):
        msg = f"found records of the test {a.id} with different threads, expected the threads of its id"
        raise InputError(f"{_places(_head(first), corpora)}: {msg}")
    return united


def _head(line: bytes) -> bytes:
    """Return the beginning of a record, up to the id; all records of the same test begin so."""
    return line[: line.find(b'"', _START) + 1]


def _places(beginning: bytes, corpora: Sequence[Corpus]) -> str:
    """Return the place of the record with this beginning in each corpus that has it."""
    return ", ".join(filter(None, (corpus.place_of(beginning) for corpus in corpora)))


def _comparable(manifest: Manifest) -> dict[str, str]:
    """Return the properties in which corpora must agree, by the names that messages use."""
    question = manifest.question
    lists = {
        "dropped rules": question.without,
        "rules": manifest.rules,
        "tests up to": question.up_to,
        "models": tuple(model.name for model in models_named(question.models)),
        "verdicts": manifest.verdicts,
    }
    return {
        "locations": str(question.locations),
        "values": str(question.values),
        "tests kept": kept_words(question),
        **{name: ", ".join(words) or "nothing" for name, words in lists.items()},
        **{f"the model {name}": text for name, text in manifest.models.items()},
    }
