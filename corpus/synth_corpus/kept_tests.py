"""Decide from ids which of all tests a question keeps: minimal ones, or one of several orders of threads."""

from __future__ import annotations

import functools
from itertools import permutations
from typing import TYPE_CHECKING

from synth_checker.models import read_definition
from synth_checker.programs.normal import id_of
from synth_checker.programs.program import Program
from synth_checker.reductions.minimality import MinimalityFilter
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_checker.models import Model
    from synth_checker.question import Question
    from synth_corpus.manifest import Manifest


def kept_words(question: Question) -> str:
    """Describe in words which tests a question keeps."""
    return "minimal ones" if question.minimal else "all"


def counted_keys(question: Question) -> tuple[str, ...]:
    """Return the names of the counts under the key `found` of the manifest, in their order.

    A question may keep only some of all tests, for instance the minimal ones. `found` counts all tests, before the
    question leaves some out. If the question keeps all tests, the result is empty.
    """
    if question.keeps_all:
        return ()
    return ("tests", "behaviours", "minimal", "signatures") if question.minimal else ("tests",)


def least_order(program: Program, *, keep_store_checks: bool) -> str:
    """Return the least id that a program has with its threads in any order.

    Of tests that differ only in the order of their threads, a question with `up_to` `threads` keeps the one with this
    id.
    """
    return min(orders_of(program, keep_store_checks=keep_store_checks))


def orders_of(program: Program, *, keep_store_checks: bool) -> set[str]:
    """Return the ids of the programs that one program becomes when its threads change their order in any way."""
    return {id_of(Program(order), keep_store_checks=keep_store_checks) for order in permutations(program.threads)}


def models_in(manifest: Manifest) -> tuple[Model, ...]:
    """Return the models of a manifest, as the manifest defines them.

    Raises:
        InputError: a definition cannot be read.
    """
    return tuple(read_definition(name, text, name) for name, text in manifest.models.items())


class MinimalityCheck:
    """Decides which tests of a corpus are minimal, under the rules of its question and the models of its manifest."""

    def __init__(self, question: Question, models: Sequence[Model]) -> None:
        self._question, self._models = question, tuple(models)

    def minimal(self, ids: Sequence[str]) -> list[bool]:
        """Return for each test whether it is minimal. The ids must be those of normal forms.

        Raises:
            InputError: an id cannot be read, or has more threads than the question.
            LimitError: a program has too many sub-programs or states.
        """
        return self._filter.minimal(ids, judge(ids, self._models))

    @functools.cached_property
    def _filter(self) -> MinimalityFilter:
        threads = max(bound.threads for bound in self._question.bounds)
        return MinimalityFilter(threads, self._models, self._question.without)
