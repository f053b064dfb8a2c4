"""Where an enumeration goes: a corpus folder that answers the same question, or a new one."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import library
from synth_corpus.manifest import Manifest
from synth_corpus.store import Corpus, is_corpus, write_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from synth_checker.question import Question

    from synth.enumeration import Enumeration


def corpus_at(folder: Path, question: Question, *, force: bool = False) -> Corpus | None:
    """The corpus of this question that lies in a folder already, complete or not; None where a new one can go.

    With `force`, None also for a corpus of another question. It is asked before a long run, so it looks ahead for what
    would make writing fail after it.

    Raises:
        InputError: the folder holds something else, or nothing can be written there.
    """
    try:
        return _corpus_at(folder, question, force=force)
    except OSError as error:
        msg = f"{folder}: {error.strerror}, expected a place for a corpus"
        raise InputError(msg) from error


def _corpus_at(folder: Path, question: Question, *, force: bool) -> Corpus | None:
    if not folder.exists():
        parent = next(parent for parent in folder.absolute().parents if parent.exists())
        if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
            msg = f"{folder}: can't be made in {parent}, expected a folder that can be written"
            raise InputError(msg)
        return None
    if folder.is_dir() and not any(folder.iterdir()):
        return None
    if not folder.is_dir() or not is_corpus(folder):
        msg = f"{folder}: found something else, expected a new folder or a corpus"
        raise InputError(msg)
    if force:
        return None
    corpus = Corpus(folder)
    found = corpus.manifest
    if found.question != question or found.models != {model.name: model.definition for model in library()}:
        msg = f"{folder}: found the corpus of another question ({found.question.name}), expected {question.name}"
        raise InputError(f"{msg} (or --force)")
    return corpus


def known_ids(corpus: Corpus) -> list[str]:
    """The ids in a corpus, to go on from."""
    return [json.loads(line)["id"] for line in corpus.lines()]


def save(enumeration: Enumeration, folder: Path) -> Manifest:
    """Write a corpus, replacing one that lies there; `corpus_at` has said that it may be replaced.

    A complete corpus of the same question is left as it is: another run has been faster, with the same result.

    Raises:
        InputError: the folder can't be used any more.
        ResourceFault: writing failed.
    """
    if not enumeration.complete and folder.exists() and is_corpus(folder):
        there = Corpus(folder).manifest
        if there.complete and there.question == enumeration.question:
            return there
    return write_corpus(folder, enumeration.lines(), enumeration.manifest(), force=True)
