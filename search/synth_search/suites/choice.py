"""Choose conformance suites: the fewest tests that tell a verdict from others that are nearly the same.

All tests of a suite pass the verdict. So a device that claims the verdict must pass them all. A *goal* is something
that a suite has to show by a test. Most goals are verdicts or mutants of the model that do not guarantee all that the
verdict guarantees. A test *reaches* such a goal if it fails that verdict or mutant. On such a test, a device that
guarantees only as much as the goal may hang. A *candidate* is a test that passes the verdict, and may be chosen for the
suite. The answer also says which goals each test of the suite reaches, and which goals no candidate reaches.
"""

from __future__ import annotations

import functools
import itertools
import operator
from typing import TYPE_CHECKING, TypeVar

from synth_checker.errors import InputError, check_ids, list_of_texts
from synth_checker.idioms import annotated
from synth_checker.models import library, verdict_named, verdict_names, verdicts_in
from synth_checker.models.mutants import mutants
from synth_checker.names import name_of
from synth_checker.programs.id_layout import thread_count
from synth_checker.reductions.shrink import size_of
from synth_checker.relations.fairness_order import THREADS, Verdict, is_implied, is_included, verdicts_of
from synth_checker.verdicts import judge
from synth_litmus.inputs.models import given_verdict, given_verdicts, split_words
from synth_search.suites.answer import DEFAULT, Goal, GoalKind, Suite, SuiteTest
from synth_search.suites.cover import number_reaching, smallest_cover
from synth_workers.execution import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth_checker.models import Model
    from synth_workers.execution import Progress

T = TypeVar("T")

#: How many models the core judges in one call, in both forms.
_AT_ONCE = 24
#: How many tests are searched for idioms in one call, which takes some hundredths of a second.
_PIECE = 2000


def smallest_suites(  # noqa: PLR0913  (all but the first two have defaults)
    words: str | Iterable[str],
    ids: Iterable[str],
    cover: Sequence[GoalKind] = DEFAULT,
    size: int | None = None,
    *,
    redundancy: int = 1,
    progress: Progress = ignore_progress,
) -> dict[str, Suite | None]:
    """Return a smallest suite for each verdict that some words ask for, by the name of the verdict.

    The words are those of the command line. They may stand in one string with commas between them. A model stands for
    both its verdicts. No word stands for all verdicts of the six models. If several verdicts are asked for, a verdict
    that no test passes gets None. The other arguments are those of `smallest_suite`.

    Raises:
        InputError: a verdict does not exist, no test passes the only verdict, or both `size` and `redundancy` are
            given.
        LimitError: a test is too large to judge.
    """
    check_ids(ids)
    models, names = given_verdicts(split_words(list_of_texts("model", words)))
    candidates = sorted(set(ids), key=size_of)
    masks = functools.reduce(operator.or_, judge(candidates, models), 0)
    passed = verdicts_in(masks, models)
    suites: dict[str, Suite | None] = {}
    for name in names or verdict_names(library()):
        goal_verdict = Verdict(*verdict_named(name, models))
        suites[name] = None
        if name in passed or len(names) == 1:
            suites[name] = smallest_suite(
                goal_verdict, candidates, cover, size, redundancy=redundancy, progress=progress
            )
    return suites


def smallest_suite(  # noqa: PLR0913  (all but the first two have defaults)
    verdict: str | Verdict,
    ids: Iterable[str],
    cover: Sequence[GoalKind] = DEFAULT,
    size: int | None = None,
    *,
    redundancy: int = 1,
    progress: Progress = ignore_progress,
) -> Suite:
    """Choose a suite for a verdict from some tests: the fewest tests, and among equally many the fewest instructions.

    `verdict` belongs to a model of the library or of your own (`synth_litmus.inputs.models`). Only set expressions have
    mutants. `ids` are the tests to choose from, and `cover` the kinds of goals. With `size` the suite has at most so
    many tests, which cover as many goals as possible. With `redundancy` each goal is reached by so many tests, or by
    all that reach it if there are fewer. `progress` is called after each step with the number of steps done, the number
    of all steps, and the number of candidates.

    Raises:
        InputError: there is no such verdict, no test passes it, or `size` and a `redundancy` above 1 are given
            together.
        LimitError: a test is too large to judge.
    """
    check_ids(ids)
    if redundancy < 1 or (redundancy > 1 and size is not None):
        raise InputError(f"redundancy: found {redundancy}, expected at least 1, and exactly 1 if a size is given")
    goal_verdict = verdict if isinstance(verdict, Verdict) else Verdict(*given_verdict(verdict))
    models = library() if goal_verdict.model in library() else (*library(), goal_verdict.model)
    every = sorted(set(ids), key=size_of)
    place = verdict_names(models).index(goal_verdict.name)
    judged = [(id_, mask) for id_, mask in zip(every, judge(every, models), strict=True) if mask >> place & 1]
    passing = [id_ for id_, _ in judged]
    if not passing:
        raise InputError(
            f"{goal_verdict.name}: none of the {len(every)} tests passes this verdict; a suite needs tests that do"
        )
    threads = max(THREADS, *map(thread_count, passing))
    changed = mutants(goal_verdict.model, threads) if "mutants" in cover else ()
    no_less = tuple(mutant for mutant in changed if is_included(goal_verdict.model, mutant, threads))
    less = [mutant for mutant in changed if mutant not in no_less]
    pieces = _cut(passing, _PIECE) if "idioms" in cover else []
    batches = _cut(less, _AT_ONCE)
    done = itertools.count()

    def step() -> None:
        progress(next(done), len(batches) + len(pieces), len(passing))

    step()
    goals = {
        **_failed_verdicts(goal_verdict, [mask for _, mask in judged], cover, threads),
        **_failed_mutants(goal_verdict, passing, batches, step),
        **_idioms(pieces, step),
        **(_signatures([mask for _, mask in judged], len(verdict_names(models))) if "signatures" in cover else {}),
    }
    reaches = [sum(does[place] << bit for bit, does in enumerate(goals.values())) for place in range(len(passing))]
    reachable = functools.reduce(operator.or_, reaches)
    best = smallest_cover(reaches, [size_of(id_)[0] for id_ in passing], size, redundancy)
    scarce = sum(1 << goal for goal in range(len(goals)) if 0 < number_reaching(goal, reaches) < redundancy)
    return Suite(
        goal_verdict.name,
        models,
        len(passing),
        best.cost,
        tuple(
            SuiteTest(
                passing[place],
                name_of(passing[place]),
                _of_mask(goals, reaches[place]),
                _of_mask(goals, _reached_alone(place, best.chosen, reaches)),
            )
            for place in sorted(best.chosen)
        ),
        redundancy,
        _of_mask(goals, scarce),
        _of_mask(goals, reachable & ~best.reached),
        _of_mask(goals, ~reachable),
        tuple(mutant.name for mutant in no_less),
        threads,
    )


def _failed_verdicts(
    verdict: Verdict, masks: Sequence[int], cover: Sequence[GoalKind], threads: int
) -> dict[Goal, list[bool]]:
    """Return the verdicts of the library that are strictly less fair, or neither more nor less fair, as goals.

    Each goal has a list that says which tests fail the verdict.
    """
    goals = {}
    for k, other in enumerate(verdicts_of(library())):
        more, less = is_implied(verdict, other, threads), is_implied(other, verdict, threads)
        kind: GoalKind = "verdicts" if less else "incomparable"
        if not more and kind in cover:
            goals[Goal(kind, other.name)] = [not mask >> k & 1 for mask in masks]
    return goals


def _cut(things: Sequence[T], length: int) -> list[Sequence[T]]:
    return [things[first : first + length] for first in range(0, len(things), length)]


def _failed_mutants(
    verdict: Verdict, passing: Sequence[str], batches: Iterable[Sequence[Model]], step: Callable[[], None]
) -> dict[Goal, list[bool]]:
    """Return the mutants, in the form of the verdict, as goals.

    Each has a list that says which tests fail the mutant.
    """
    goals = {}
    for batch in batches:
        masks = judge(passing, tuple(batch))
        bit = 0
        for mutant in batch:
            forms = mutant.forms
            place = bit + (verdict.form == "strong" and len(forms) > 1)
            goals[Goal("mutants", mutant.name)] = [not mask >> place & 1 for mask in masks]
            bit += len(forms)
        step()
    return goals


def _idioms(pieces: Iterable[Sequence[str]], step: Callable[[], None]) -> dict[Goal, list[bool]]:
    """Return the idioms that some test is or contains as goals; each has a list that says in which tests it is."""
    notes: list[set[str]] = []
    for ids in pieces:
        notes.extend({*note.get("contains", []), note.get("idiom", "")} - {""} for note in annotated(ids))
        step()
    return {Goal("idioms", name): [name in note for note in notes] for name in sorted(set().union(*notes))}


def _signatures(masks: Sequence[int], count: int) -> dict[Goal, list[bool]]:
    """Return the signatures of the tests as goals; each has a list that says which tests have the signature.

    A signature has a letter for each of `count` verdicts.
    """
    return {
        Goal("signatures", "".join("p" if mask >> k & 1 else "f" for k in range(count))): [
            other == mask for other in masks
        ]
        for mask in sorted(set(masks))
    }


def _reached_alone(place: int, chosen: Sequence[int], reaches: Sequence[int]) -> int:
    """Return the goals, as a bit mask, that one of the chosen tests reaches and no other chosen test does."""
    others = (reaches[other] for other in chosen if other != place)
    return reaches[place] & ~functools.reduce(operator.or_, others, 0)


def _of_mask(goals: dict[Goal, list[bool]], mask: int) -> tuple[Goal, ...]:
    return tuple(goal for k, goal in enumerate(goals) if mask >> k & 1)
