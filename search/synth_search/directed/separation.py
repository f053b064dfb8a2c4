"""Find the smallest test that passes one verdict and fails another, and the same in the other direction.

There may be no such test. A search to the end proves this for the bounds that were searched. If the fair sets of one
model are included in those of the other (definitions, section 5), this is proven for programs with any number of
instructions. These programs may have at most as many threads as the inclusion was decided for, or any number of threads
if that is settled (`is_settled_order`).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import check_number
from synth_checker.models import library
from synth_checker.relations.fairness_order import THREADS, is_settled_order
from synth_checker.wanted import Wanted
from synth_litmus.inputs.questions import as_question
from synth_search.directed import Directed, Query, find_first

if TYPE_CHECKING:
    from synth_checker.models import Model
    from synth_checker.question import Question
    from synth_workers.execution import Progress
    from synth_workers.stop import Stop

#: The bounds that are searched by default. They have a test for every pair of verdicts of the six models that
#: differ.
BOUNDS = "2x2..3x4"


@dataclass(frozen=True, slots=True)
class Direction:
    """The known facts about tests that pass one verdict and fail another.

    The inclusion of fair sets was looked at for up to `threads` threads. It proves that there is no such test with up
    to `included` threads, or with any number of threads if it is `settled`. If `included` is less than `threads`, then
    `search` has the result of a search for a test, and is otherwise None.
    """

    passes: str
    fails: str
    threads: int
    search: Directed | None = None
    included: int = 0
    settled: bool = False

    @property
    def implied(self) -> bool:
        """Whether it is proven that no program of up to `threads` threads passes `passes` and fails `fails`."""
        return self.search is None


def separate(  # noqa: PLR0913  (all but the verdicts and the question have defaults and names)
    one: str,
    other: str,
    question: Question | str,
    models: tuple[Model, ...] | None = None,
    *,
    threads: int = THREADS,
    jobs: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Direction, Direction]:
    """Search for tests that pass `one` and fail `other`, and for tests that pass `other` and fail `one`.

    `one` and `other` are names of verdicts. The result has a `Direction` for each of the two searches. The inclusion of
    fair sets is looked at for up to `threads` threads, and for as many as the bounds have.

    Raises:
        InputError: there is no such verdict, both verdicts are the same, or `jobs` is less than 1.
        LimitError: a bound is too large for the engine, or `threads` for the models.
    """
    question = as_question(question)
    models = library() if models is None else models
    there = Wanted((one,), (other,), models=models)  # checks both names before the search
    back = Wanted((other,), (one,), models=models)
    check_number("threads", threads, 1)
    most = max(threads, *(bound.threads for bound in question.bounds))

    def direction(wanted: Wanted) -> Direction:
        (passes,), (fails,) = wanted.passes, wanted.fails
        pair = wanted.impossible(most)
        if pair is not None:
            return Direction(passes, fails, most, included=most, settled=is_settled_order(*pair, most))
        included = sum(1 for _ in itertools.takewhile(wanted.impossible, range(1, most)))
        directed = find_first(Query(question, wanted), jobs=jobs, stop=stop, progress=progress)
        return Direction(passes, fails, most, directed, included)

    return direction(there), direction(back)
