"""The order of verdicts: which is at most as fair as which, with what proves or refutes it (definitions, section 5).

Every test of some bounds is enumerated and judged, and of each signature only the smallest is kept: it is the smallest
witness of all that its signature refutes. Inclusion of fair sets proves the rest, for programs of up to so many
threads; what neither decides is open up to the bounds. Verdicts that are at most as fair as each other are one class;
what is drawn are the classes and, of the edges between them, those that do not follow from others.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.enumeration.enumerating import enumerate_tests
from synth.inputs.asking import as_question
from synth_checker.fairness_order import THREADS, Comparison, compared
from synth_checker.models import models_named, verdict_names
from synth_checker.shrinking import size_of
from synth_checker.verdicts import judge_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth.work.execution import Progress
    from synth.work.stopping import Stop
    from synth_checker.ids import Ids
    from synth_checker.models import Model
    from synth_checker.question import Bound, Question


@dataclass(frozen=True, repr=False)
class Lattice:
    """All verdicts of some models, in their order, and for each two whether the first is at most as fair.

    Inclusion was decided for up to `threads` threads. `complete` says whether all tests of the bounds were looked at;
    if not, a witness need not be the smallest.
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
        """Whether the first is proven to be at most as fair as the second."""
        return self.comparisons[one, other].at_most is True

    @functools.cached_property
    def classes(self) -> tuple[tuple[str, ...], ...]:
        """The verdicts, those together that are at most as fair as each other, in the order of their first ones."""
        found: dict[str, list[str]] = {}
        for name in self.verdicts:
            first = next((k for k in found if self.is_below(k, name) and self.is_below(name, k)), name)
            found.setdefault(first, []).append(name)
        return tuple(map(tuple, found.values()))

    @property
    def edges(self) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Classes of which the first is less fair than the second and no other lies between them."""
        below = {
            (one, other)
            for one in self.classes
            for other in self.classes
            if one != other and self.is_below(one[0], other[0])
        }
        between = {(a, d) for a, b in below for c, d in below if b == c}
        return [(a, b) for a in self.classes for b in self.classes if (a, b) in below - between]

    @property
    def open(self) -> list[tuple[str, str]]:
        """Pairs of which neither argument decides whether the first is at most as fair as the second."""
        return [pair for pair, comparison in self.comparisons.items() if comparison.at_most is None]


def lattice_of(
    question: Question | str,
    models: tuple[Model, ...] | None = None,
    *,
    jobs: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Lattice:
    """The order of all verdicts of some models, or of the question's, with witnesses out of the question's bounds.

    Raises:
        LimitError: the question is too large to be enumerated.
    """
    question = as_question(question)
    models = models_named(question.models) if models is None else models
    found = enumerate_tests(question, jobs=jobs, stop=stop, progress=progress)
    threads = max(THREADS, *(bound.threads for bound in question.bounds))
    return Lattice(
        verdict_names(models),
        compared(models, _smallest_of_signatures(found.ids, models, found.jobs), threads),
        threads,
        question.bounds,
        len(found.ids),
        found.complete,
    )


def _smallest_of_signatures(ids: Ids, models: tuple[Model, ...], jobs: int) -> list[str]:
    """Of tests, the smallest with each signature."""
    smallest: dict[int, tuple[int, int, str]] = {}
    for id_, mask in zip(ids, judge_all(ids, models, jobs=jobs), strict=True):
        size = size_of(id_)
        if mask not in smallest or size < smallest[mask]:
            smallest[mask] = size
    return [id_ for *_, id_ in smallest.values()]
