"""Where an enumeration goes: a corpus folder that answers the same question, or a new one."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.keeping import one_of_each
from synth_checker.errors import InputError
from synth_checker.ids import Ids, collected
from synth_checker.models import models_named
from synth_checker.normal import ID_PATTERN
from synth_corpus.folders import check_place
from synth_corpus.store import CORPUS, MANIFEST, RECORDS, Corpus, write_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from synth.results import Enumeration
    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest

#: Of a record, whose first key is the id.
_BEGINNING = re.compile(rf'{{"id":"({ID_PATTERN.pattern})",')


def corpus_at(folder: Path, question: Question, *, force: bool = False) -> Corpus | None:
    """The corpus of this question that lies in a folder already, complete or not; None where a new one can go.

    With `force`, None also for any corpus. It is asked before a long run, so it looks ahead for what would make writing
    fail after it.

    Raises:
        InputError: the folder holds something else, or nothing can be written there.
    """
    there = None if force else _corpus_there(folder)
    if there is not None:
        _check_same(there, question)
        if there.manifest.complete:
            return there  # nothing will be written
    check_place(folder, CORPUS, force=True)
    return there


def _corpus_there(folder: Path) -> Corpus | None:
    try:
        return Corpus(folder) if (folder / MANIFEST).is_file() else None
    except OSError as error:
        msg = f"{folder}: {error.strerror}, expected a place for a corpus"
        raise InputError(msg) from error


def _check_same(there: Corpus, question: Question) -> None:
    """Raise InputError unless a corpus answers that question, by enumeration, under the models of this release."""
    found = there.manifest
    # Two models of one's own may have one name; that is told below.
    if found.question != question and found.question.name != question.name:
        msg = f"{there.folder}: found the corpus of another question ({found.question.name}), expected {question.name}"
        raise InputError(f"{msg} (or --force)")
    if "imported" in found.run:  # its tests have names and results that an enumeration would not find
        msg = f"{there.folder}: found an imported corpus, expected one of an enumeration (or --force)"
        raise InputError(msg)
    models = {model.name: model.definition for model in models_named(question.models)}
    if found.models != models:
        msg = f"{there.folder}: found a corpus with verdicts of other models ({', '.join(found.models)})"
        raise InputError(f"{msg}, expected {', '.join(models)} as they are now (or --force)")


def known_ids(corpus: Corpus) -> Ids:
    """The ids in a corpus, to go on from.

    Raises:
        InputError: its records can't be read.
    """
    return Ids(_id_in(line, corpus) for line in corpus.lines())


def _id_in(line: str, corpus: Corpus) -> str:
    found = _BEGINNING.match(line)
    if found is None:
        msg = f"{corpus.folder / RECORDS}: found a line without an id, expected records (or --force)"
        raise InputError(msg)
    return found[1]


def place_after(folder: Path, question: Question, *, force: bool = False) -> Path:
    """Where to write after the work: the folder that was asked for, or one beside it.

    That is where another run has meanwhile put something into the folder that may not be replaced.
    """
    try:
        corpus_at(folder, question, force=force)
    except InputError:
        return folder.with_name(f"{folder.name}-{question.name}")
    return folder


def save(enumeration: Enumeration, folder: Path) -> Manifest:
    """Write a corpus, replacing one that lies there; `corpus_at` has said that it may be replaced.

    A stopped run loses nothing that another run of the same question has put there meanwhile: a complete corpus is left
    as it is, and of an incomplete one the tests are kept.

    Raises:
        InputError: the folder can't be used any more.
        ResourceError: writing failed.
    """
    if not enumeration.complete:
        with contextlib.suppress(InputError):  # then what is there is to be replaced
            there = _corpus_there(folder)
            if there is not None:
                _check_same(there, enumeration.question)
                if there.manifest.complete:
                    return there.manifest
                ids = Ids(collected(enumeration.ids, known_ids(there)))
                enumeration = replace(enumeration, ids=one_of_each(ids, enumeration.question))
    return write_corpus(folder, enumeration.records(), enumeration.manifest(), force=True)
