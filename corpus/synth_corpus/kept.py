"""Which tests a question keeps of all there are, decided anew from their ids: minimal ones, one of several orders."""

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


def kept_by(question: Question) -> str:
    """Which tests a question keeps, as people read it."""
    return "minimal ones" if question.minimal else "all"


def counted_keys(question: Question) -> tuple[str, ...]:
    """What the manifest counts under `found`, in its order: tests that were found, of which some are kept."""
    if question.keeps_all:
        return ()
    return ("tests", "behaviours", "minimal", "signatures") if question.minimal else ("tests",)


def least_order(program: Program, *, keep_store_checks: bool) -> str:
    """The least id that the program has with its threads in any order: the one kept of all, up to threads."""
    return min(orders_of(program, keep_store_checks=keep_store_checks))


def orders_of(program: Program, *, keep_store_checks: bool) -> set[str]:
    """The ids that the program has with its threads in any order."""
    return {id_of(Program(order), keep_store_checks=keep_store_checks) for order in permutations(program.threads)}


def models_in(manifest: Manifest) -> tuple[Model, ...]:
    """The models as a manifest defines them.

    Raises:
        InputError: a definition can't be read.
    """
    return tuple(read_definition(name, text, name) for name, text in manifest.models.items())


class MinimalityCheck:
    """Tells the minimal ones among tests of a corpus, under its rules and its models as they are defined there."""

    def __init__(self, question: Question, models: Sequence[Model]) -> None:
        self._question, self._models = question, tuple(models)

    def minimal(self, ids: Sequence[str]) -> list[bool]:
        """Whether each test, given by its id in normal form, is minimal.

        Raises:
            InputError: an id can't be read, or has more threads than the question.
            LimitError: a program has too many sub-programs or states.
        """
        return self._filter.minimal(ids, judge(ids, self._models))

    @functools.cached_property
    def _filter(self) -> MinimalityFilter:
        threads = max(bound.threads for bound in self._question.bounds)
        return MinimalityFilter(threads, self._models, self._question.without)
