"""Two verdicts told apart: in each direction the smallest test that passes one and fails the other, or that none does.

That none does is proven up to the bounds that were searched, or, where fair sets are included (definitions, section 5),
of every program with up to so many threads as inclusion was decided for, however large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.directed import Directed, Query, find_first
from synth.inputs.asking import as_question
from synth_checker.fairness_order import THREADS
from synth_checker.models import library
from synth_checker.wanted import Wanted

if TYPE_CHECKING:
    from synth.work.execution import Progress
    from synth.work.stopping import Stop
    from synth_checker.models import Model
    from synth_checker.question import Question

#: What is searched unless a caller says otherwise: every pair of the six models' verdicts is told apart in it.
BOUNDS = "2x2..3x4"


@dataclass(frozen=True, slots=True)
class Direction:
    """What is known of the tests that pass one verdict and fail another.

    `implied` says that inclusion excludes them for up to `threads` threads; otherwise `search` has the answer.
    """

    passes: str
    fails: str
    threads: int
    search: Directed | None = None

    @property
    def implied(self) -> bool:
        """Whether no program of up to `threads` threads passes the one and fails the other."""
        return self.search is None


def separate(  # noqa: PLR0913  (all but the verdicts and the question have defaults and names)
    one: str,
    other: str,
    question: Question | str,
    models: tuple[Model, ...] | None = None,
    *,
    jobs: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Direction, Direction]:
    """What passes `one` and fails `other`, and what passes `other` and fails `one`; both are names of verdicts.

    Raises:
        InputError: there is no such verdict, or the two are the same; or as `find_first` does.
        LimitError: a bound is too large for the engine.
    """
    question = as_question(question)
    models = library() if models is None else models
    there = Wanted((one,), (other,), models=models)  # whose words are checked before anything is looked for
    back = Wanted((other,), (one,), models=models)
    threads = max(THREADS, *(bound.threads for bound in question.bounds))

    def direction(wanted: Wanted) -> Direction:
        (passes,), (fails,) = wanted.passes, wanted.fails
        if wanted.impossible(threads):
            return Direction(passes, fails, threads)
        found = find_first(Query(question, wanted), jobs=jobs, stop=stop, progress=progress)
        return Direction(passes, fails, threads, found)

    return direction(there), direction(back)
