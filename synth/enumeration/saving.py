"""Where an enumeration goes: a corpus folder that answers the same question, or a new one."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.enumeration.keeping import one_of_each
from synth_checker.errors import InputError, UserError
from synth_checker.ids import Ids, collect_ids
from synth_checker.models import models_named
from synth_checker.rules import first_broken
from synth_corpus.kept import MinimalityCheck, models_in
from synth_corpus.reading import id_of, lines_of
from synth_corpus.store import CORPUS, MANIFEST, RECORDS, Corpus, write_corpus
from synth_storage.folders import check_place
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

    from synth.enumeration.runs import Enumeration
    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest


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
    with as_user_errors(folder, "a place for a corpus"):
        return Corpus(folder) if (folder / MANIFEST).is_file() else None


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


def ids_found_before(corpus: Corpus) -> Ids:
    """The ids in the corpus of a run that was stopped.

    Raises:
        InputError: its records can't be read, or are not all tests that its question keeps.
    """
    question, ids = corpus.manifest.question, Ids(id_of(line).decode("ascii") for line in lines_of(corpus.batches()))
    wrong = ""
    bounds = {(bound.threads, bound.instructions) for bound in question.bounds}
    broken = first_broken(ids, question.without)
    if broken is not None:
        wrong = f"{broken[0]}, which breaks {', '.join(broken[1])}"
    elif any((len(sizes), sum(sizes)) not in bounds for sizes in ids.packed.splits()):
        wrong = "programs of other bounds"
    elif question.minimal and not all(MinimalityCheck(question, models_in(corpus.manifest)).minimal(list(ids))):
        wrong = "a test that is not minimal"
    if wrong:
        msg = f"{corpus.folder / RECORDS}: found {wrong}, expected tests of {question.name} (or --force)"
        raise InputError(msg)
    return ids


def place_after_work(folder: Path, question: Question, *, force: bool = False) -> Path:
    """Where to write after the work: the folder that was asked for, or one beside it.

    That is where another run has meanwhile put something into the folder that may not be replaced.
    """
    try:
        corpus_at(folder, question, force=force)
    except UserError:
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
        with contextlib.suppress(UserError):  # then what is there is to be replaced
            there = _corpus_there(folder)
            if there is not None:
                _check_same(there, enumeration.question)
                if there.manifest.complete:
                    return there.manifest
                ids = one_of_each(Ids(collect_ids(enumeration.ids, ids_found_before(there))), enumeration.question)
                if ids != enumeration.ids:  # and nobody has counted what the tests of both were kept of
                    enumeration = replace(enumeration, ids=ids, found={})
    return write_corpus(folder, enumeration.records(), enumeration.manifest(), force=True)
