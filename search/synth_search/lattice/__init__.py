"""Order verdicts by "at most as fair as", and prove or refute each pair (definitions, section 5).

All tests of some bounds are enumerated and judged. Of all tests with the same signature only the smallest is kept. A
test refutes that a verdict is at most as fair as another if it passes the first and fails the second. So the smallest
test of a signature is the smallest witness against each pair of verdicts that this signature refutes. The inclusion of
fair sets proves other pairs, for programs with up to a given number of threads. Such a pair is *settled* if this proves
it for every number of threads. A pair that neither argument decides is open up to the bounds.

Verdicts that are at most as fair as each other form a class. A drawing shows the classes, and those edges between them
that do not follow from other edges.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import check_number
from synth_checker.models import models_named, verdict_names
from synth_checker.notebook import NotebookObject
from synth_checker.reductions.shrink import size_of
from synth_checker.relations.fairness_order import THREADS, Comparison, compared
from synth_checker.verdicts import judge_all
from synth_litmus.inputs.questions import as_question
from synth_search.enumeration.every_test import enumerate_tests

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_checker.models import Model
    from synth_checker.programs.ids import Ids
    from synth_checker.question import Bound, Question
    from synth_workers.execution import Progress
    from synth_workers.stop import Stop


@dataclass(frozen=True, repr=False)
class Lattice(NotebookObject):
    """All verdicts of some models, and for each ordered pair whether the first is at most as fair as the second.

    The inclusion of fair sets was decided for up to `threads` threads. `complete` says whether all tests of the bounds
    were looked at. If not, a witness (a test that passes one verdict and fails the other) need not be the smallest.
    """

    verdicts: tuple[str, ...]
    comparisons: Mapping[tuple[str, str], Comparison]
    threads: int
    bounds: tuple[Bound, ...]
    tests: int
    complete: bool

    def __repr__(self) -> str:
        bounds = ",".join(map(str, self.bounds))
        return f"<Lattice of {len(self.verdicts)} verdicts, {self.tests} tests of {bounds}>"

    def is_below(self, one: str, other: str) -> bool:
        """Return whether verdict `one` is proven to be at most as fair as verdict `other`."""
        return self.comparisons[one, other].at_most is True

    @functools.cached_property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """The verdicts in classes, where all verdicts of a class are at most as fair as each other.

        The classes come in the order of their first verdicts.
        """
        by_first: dict[str, list[str]] = {}
        for name in self.verdicts:
            first = next((k for k in by_first if self.is_below(k, name) and self.is_below(name, k)), name)
            by_first.setdefault(first, []).append(name)
        return tuple(map(tuple, by_first.values()))

    @property
    def edges(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """The pairs of classes of which the first is less fair than the second, with no class between the two."""
        below = {
            (class_, other)
            for class_ in self.classes
            for other in self.classes
            if class_ != other and self.is_below(class_[0], other[0])
        }
        between = {(a, d) for a, b in below for c, d in below if b == c}
        return [(a, b) for a in self.classes for b in self.classes if (a, b) in below - between]

    @property
    def unsettled(self) -> list[tuple[str, str]]:
        """The pairs of which inclusion proves only up to `threads` threads that the first is at most as fair."""
        return [pair for pair, comparison in self.comparisons.items() if comparison.at_most and not comparison.settled]

    @property
    def open(self) -> list[tuple[str, str]]:
        """The pairs for which it is open whether the first verdict is at most as fair as the second.

        The inclusion of fair sets does not prove it, and no test refutes it.
        """
        return [pair for pair, comparison in self.comparisons.items() if comparison.at_most is None]


def lattice_of(  # noqa: PLR0913  (all but the question have defaults)
    question: Question | str,
    models: tuple[Model, ...] | None = None,
    *,
    threads: int = THREADS,
    jobs: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Lattice:
    """Order all verdicts of some models, or of the models of the question, by fairness.

    Witnesses are tests from the bounds of the question. The inclusion of fair sets is looked at for up to `threads`
    threads, and for as many as the bounds have.

    Raises:
        InputError: the bounds are not valid, or `jobs` or `threads` is less than 1.
        LimitError: the question is too large to enumerate, or `threads` is too large for the models.
    """
    question = as_question(question)
    check_number("threads", threads, 1)
    models = models_named(question.models) if models is None else models
    enumeration = enumerate_tests(question, jobs=jobs, stop=stop, progress=progress)
    most = max(threads, *(bound.threads for bound in question.bounds))
    return Lattice(
        verdict_names(models),
        compared(models, _smallest_of_signatures(enumeration.ids, models, enumeration.jobs), most),
        most,
        question.bounds,
        len(enumeration.ids),
        enumeration.complete,
    )


def _smallest_of_signatures(ids: Ids, models: tuple[Model, ...], jobs: int) -> list[str]:
    """Return the smallest test of each signature that occurs among some tests."""
    smallest: dict[int, tuple[int, int, str]] = {}
    for id_, mask in zip(ids, judge_all(ids, models, jobs=jobs), strict=True):
        size = size_of(id_)
        if mask not in smallest or size < smallest[mask]:
            smallest[mask] = size
    return [id_ for *_, id_ in smallest.values()]
