"""Decide where to write an enumeration: into the corpus that answers the same question, or into a new folder."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, UserError
from synth_checker.models import models_named
from synth_checker.programs.ids import Ids, collect_ids
from synth_checker.programs.rules import first_broken
from synth_corpus.kept_tests import MinimalityCheck, models_in
from synth_corpus.record_batches import id_of, lines_of
from synth_corpus.store import CORPUS, MANIFEST, RECORDS, Corpus, write_corpus
from synth_search.enumeration.kept_tests import one_of_each
from synth_storage.folders import check_place
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from pathlib import Path

    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest
    from synth_search.enumeration.runs import Enumeration


def corpus_at(folder: Path, question: Question, *, force: bool = False) -> Corpus | None:
    """Return the corpus in a folder that answers this question, complete or not, or None if a new corpus can go there.

    With `force` the result is None for any corpus there. Call this function before a long run: it looks for whatever
    would make writing fail after the run.

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
    with as_user_errors(folder, "a folder for a corpus"):
        return Corpus(folder) if (folder / MANIFEST).is_file() else None


def _check_same(there: Corpus, question: Question) -> None:
    """Raise InputError unless a corpus is an enumeration of that question under the models of this release."""
    manifest = there.manifest
    # Two models of users may have the same name; the last check finds that.
    if manifest.question != question and manifest.question.name != question.name:
        raise InputError(
            f"{there.folder}: found a corpus with other bounds or options ({manifest.question.name}), expected "
            f"{question.name}; use another folder, or --force to replace it"
        )
    if "imported" in manifest.run:  # its tests have names and results, which an enumeration does not have
        raise InputError(f"{there.folder}: found an imported corpus; use another folder, or --force to replace it")
    models = {model.name: model.definition for model in models_named(question.models)}
    if manifest.models != models:
        raise InputError(
            f"{there.folder}: found a corpus with verdicts of other models ({', '.join(manifest.models)}), expected "
            f"{', '.join(models)} as they are now; use another folder, or --force to replace it"
        )


def ids_found_before(corpus: Corpus) -> Ids:
    """Return the ids of the tests in a corpus that a stopped run has left.

    Raises:
        InputError: the records can't be read, or some of them are no tests that the question of the corpus keeps.
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
        raise InputError(
            f"{corpus.folder / RECORDS}: found {wrong}, expected tests of {question.name}; give --force to replace "
            "the corpus"
        )
    return ids


def place_after_work(folder: Path, question: Question, *, force: bool = False) -> Path:
    """Return the folder into which to write after the work: `folder`, or else one beside it.

    The result is a folder beside `folder` if `folder` has become unusable. For example, another run may have put
    something there that must not be replaced.
    """
    try:
        corpus_at(folder, question, force=force)
    except UserError:
        return folder.with_name(f"{folder.name}-{question.name}")
    return folder


def save(enumeration: Enumeration, folder: Path) -> Manifest:
    """Write an enumeration as a corpus into a folder, replace a corpus there, and return the manifest.

    Call `corpus_at` first; it checks that the corpus may be replaced. Another run of the same question may have written
    a corpus there meanwhile. An incomplete enumeration leaves a complete corpus as it is. It adds the tests of an
    incomplete corpus to its own.

    Raises:
        InputError: the folder can't be used any more.
        ResourceError: writing failed.
    """
    if not enumeration.complete:
        with contextlib.suppress(UserError):  # then the enumeration replaces the corpus
            there = _corpus_there(folder)
            if there is not None:
                _check_same(there, enumeration.question)
                if there.manifest.complete:
                    return there.manifest
                ids = one_of_each(Ids(collect_ids(enumeration.ids, ids_found_before(there))), enumeration.question)
                if ids != enumeration.ids:  # nobody has counted all tests of both runs, so `found` is empty
                    enumeration = replace(enumeration, ids=ids, found={})
    return write_corpus(folder, enumeration.records(), enumeration.manifest(), force=True)
