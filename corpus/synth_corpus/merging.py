"""Several corpora made one, in one ordered pass: of questions that differ in nothing but their bounds.

The result answers the question of all their bounds, and is complete if all of them are. A test that several have is
kept once; what further keys they give it is put together, lists value by value.
"""

from __future__ import annotations

import heapq
import json
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from synth_checker.errors import InputError
from synth_corpus.folders import check_place
from synth_corpus.parts import fields_of, with_more
from synth_corpus.reading import HEAD, lines_of
from synth_corpus.store import CORPUS, write_corpus
from synth_corpus.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest
    from synth_corpus.store import Corpus

#: Records that are counted and written at a time.
_AT_ONCE = 1 << 10


def merge(corpora: Sequence[Corpus], out: Path, run: Callable[[], dict[str, Any]], *, force: bool = False) -> Manifest:
    """Write a corpus of all tests of at least one corpus; gives its manifest, whose key `run` is asked for at the end.

    Raises:
        InputError: they can't be merged, one of them is not as its manifest says, two of them give a test different
            verdicts or keys, or the folder can't be used.
        ResourceError: writing failed.
    """
    question = merged_question(corpora)
    check_place(out, CORPUS, force=force)
    tally = Tally()

    def manifest() -> Manifest:
        return replace(
            corpora[0].manifest,
            question=question,
            complete=all(corpus.manifest.complete for corpus in corpora),
            tests=tally.tests,
            splits=tally.splits(question),
            signatures=tally.signatures(),
            run=run(),
        )

    return write_corpus(out, _counted(merged(corpora), tally, corpora), manifest, force=force)


def merged_question(corpora: Sequence[Corpus]) -> Question:
    """The question that corpora answer together.

    Raises:
        InputError: in something else than the bounds, their questions or the definitions of their models differ.
    """
    first = corpora[0]
    for corpus in corpora[1:]:
        expected, found = _comparable(first.manifest), _comparable(corpus.manifest)
        for key, value in expected.items():
            if found.get(key) != value:
                msg = f"{corpus.folder}: found {key}: {found.get(key)}; expected {value}, as in {first.folder}"
                raise InputError(msg)
    bounds = tuple(bound for corpus in corpora for bound in corpus.manifest.question.bounds)
    return replace(first.manifest.question, bounds=bounds)


def merged(corpora: Sequence[Corpus]) -> Iterator[bytes]:
    """The records of corpora, each test once, sorted by id.

    Raises:
        InputError: a corpus is not as its manifest says, or two of them give a test different verdicts or keys.
    """
    last, head = b"", b"\n"  # which no line begins with
    for line in chain(heapq.merge(*(lines_of(corpus.batches()) for corpus in corpora)), (b"",)):
        if line.startswith(head):
            if line != last:
                last = _united(last, line, corpora)
            continue
        if last:
            yield last
        last, head = line, line[: line.find(b'"', len(HEAD)) + 1]


def _counted(lines: Iterator[bytes], tally: Tally, corpora: Sequence[Corpus]) -> Iterator[bytes]:
    """Lines, many at a time and with their ends, counted as they go by."""
    while some := list(islice(lines, _AT_ONCE)):
        try:
            tally.count(*some)
        except InputError:
            for line in some:  # which of them is it?
                try:
                    tally.count(line)
                except InputError as error:
                    raise InputError(f"{_places(line, corpora)}: {error}") from None
            raise
        yield b"%b\n" % b"\n".join(some)


def _united(one: bytes, other: bytes, corpora: Sequence[Corpus]) -> bytes:
    """The record of a test that two corpora give different ones; InputError where they contradict each other."""
    a, b = (fields_of(line, corpora[0]) for line in (one, other))
    for name, verdict in a.verdicts.items():
        if b.verdicts.get(name) != verdict:
            msg = f"found {b.verdicts.get(name)} for {name} of {a.id} where another has {verdict}"
            raise InputError(f"{_places(one, corpora)}: {msg}, expected the same in all")
    more = dict(a.more)
    for key, value in b.more.items():
        had = more.setdefault(key, value)
        if isinstance(had, list) and isinstance(value, list):
            more[key] = [*had, *(word for word in value if word not in had)]
        elif had != value:
            msg = f"found {json.dumps(value)} for {key} of {a.id} where another has {json.dumps(had)}"
            raise InputError(f"{_places(one, corpora)}: {msg}, expected the same in all")
    united = with_more(one, more)
    if united != with_more(other, more):
        msg = f"found the test {a.id} with different threads, expected those of its id"
        raise InputError(f"{_places(one, corpora)}: {msg}")
    return united


def _places(line: bytes, corpora: Sequence[Corpus]) -> str:
    """Where the test of a record stands in each corpus that has it."""
    return ", ".join(filter(None, (corpus.place_of(line) for corpus in corpora)))


def _comparable(manifest: Manifest) -> dict[str, str]:
    """What corpora must agree in, by name and as messages say it."""
    question = manifest.question
    lists = {
        "dropped rules": question.without,
        "tests up to": question.up_to,
        "models": question.models,
        "verdicts": manifest.verdicts,
    }
    return {
        "locations": str(question.locations),
        "values": str(question.values),
        **{name: ", ".join(words) or "nothing" for name, words in lists.items()},
        **{f"the model {name}": text for name, text in manifest.models.items()},
    }
