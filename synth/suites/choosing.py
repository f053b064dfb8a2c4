"""Conformance suites: the fewest tests of a verdict that tell it from what is nearly it.

All tests of a suite pass the verdict, so who claims it must pass them all. For each *goal*, a verdict or mutant that
guarantees something less, there is a test that fails it, so who offers no more than that is found out. The reasons for
each test, and goals that none of the candidates reaches, are part of the answer.
"""

from __future__ import annotations

import functools
import itertools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from synth.inputs.given_models import given_verdict, given_verdicts, split_words
from synth.suites.covering import number_reaching, smallest_cover
from synth.work.execution import tell_nobody
from synth_checker.errors import InputError, check_ids, several
from synth_checker.fairness_order import THREADS, Verdict, is_implied, is_included, verdicts_of
from synth_checker.id_layout import thread_count
from synth_checker.idioms import annotated
from synth_checker.models import library, verdict_named, verdict_names
from synth_checker.models.mutants import mutants
from synth_checker.shrinking import size_of
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth.work.execution import Progress
    from synth_checker.models import Model

T = TypeVar("T")

#: What can be covered. Of a verdict: those strictly less fair, and those that are neither more nor less fair; the
#: mutants of its model; the idioms that pass it; and the signatures that tests which pass it have.
GoalKind = Literal["verdicts", "incomparable", "mutants", "idioms", "signatures"]
KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
DEFAULT: tuple[GoalKind, ...] = ("verdicts", "incomparable", "mutants")
#: What a test does that reaches goals of a kind.
_WORDS = {
    "verdicts": "fails",
    "incomparable": "fails",
    "mutants": "fails the mutant",
    "idioms": "is or has as a sub-program the idiom",
    "signatures": "has the signature",
}
#: Models that the core judges at once, in both forms.
_AT_ONCE = 24
#: Tests in which idioms are looked for at once, in some hundredths of a second.
_PIECE = 2000


@dataclass(frozen=True, slots=True)
class Goal:
    """What a test of a suite is to show: that it fails a verdict or mutant, has a signature, or has an idiom in it."""

    kind: GoalKind
    name: str

    def __str__(self) -> str:
        return describe_goals([self])


@dataclass(frozen=True, slots=True, repr=False)
class SuiteTest:
    """A test of a suite: its id, the goals that it reaches, and of those the ones that no other test of it does."""

    id: str
    reaches: tuple[Goal, ...]
    alone: tuple[Goal, ...]

    def __repr__(self) -> str:
        return f"<SuiteTest {self.id}: {len(self.reaches)} goals>"


@dataclass(frozen=True, slots=True, repr=False)
class Suite:
    """A smallest suite for a verdict, and what it can't or does not cover.

    Each goal is reached by `redundancy` tests, and by all candidates that reach it if it is one of the `scarce` ones,
    which fewer do.

    `models` are those that tests are judged under: the library, and the verdict's own if it is none of these.
    `candidates` is how many tests that pass the verdict it was chosen from, and `cost` what the solver proves to be the
    least (see `covering.Cover`; what a test weighs is its instructions). `left_out` are goals that some of them
    reach but so few tests can't, `unreached` those that none does, and `no_less_fair` mutants that guarantee no less
    than the model, by inclusion with up to `threads` threads, so that no test that passes it fails them.
    """

    verdict: str
    models: tuple[Model, ...]
    candidates: int
    cost: int
    tests: tuple[SuiteTest, ...]
    redundancy: int
    scarce: tuple[Goal, ...]
    left_out: tuple[Goal, ...]
    unreached: tuple[Goal, ...]
    no_less_fair: tuple[str, ...]
    threads: int

    def __repr__(self) -> str:
        return f"<Suite for {self.verdict}: {len(self.tests)} of {self.candidates} tests>"


def describe_goals(goals: Iterable[Goal]) -> str:
    """What a test does that reaches some goals, in words."""
    told: dict[str, list[str]] = {}
    for goal in goals:
        told.setdefault(_WORDS[goal.kind], []).append(goal.name)
    return "; ".join(f"{words} {', '.join(found)}" for words, found in told.items())


def smallest_suites(  # noqa: PLR0913  (all but the first two have defaults)
    words: str | Iterable[str],
    ids: Iterable[str],
    cover: Sequence[GoalKind] = DEFAULT,
    size: int | None = None,
    *,
    redundancy: int = 1,
    progress: Progress = tell_nobody,
) -> dict[str, Suite | None]:
    """A smallest suite for each verdict that some words ask for, by name. Of several, None where no test passes one.

    Words are those of the command line, and may stand in one string with commas between them. A model stands for both
    its verdicts, and no word for those of the six models. The rest is as for `smallest_suite`.

    Raises:
        InputError: as for `smallest_suite`.
        LimitError: a test is too large to judge.
    """
    check_ids(ids)
    models, names = given_verdicts(split_words(several("model", words)))
    candidates = sorted(set(ids), key=size_of)
    masks = functools.reduce(operator.or_, judge(candidates, models), 0)
    passed = {name for k, name in enumerate(verdict_names(models)) if masks >> k & 1}
    found: dict[str, Suite | None] = {}
    for name in names or verdict_names(library()):
        asked = Verdict(*verdict_named(name, models))
        found[name] = None
        if name in passed or len(names) == 1:
            found[name] = smallest_suite(asked, candidates, cover, size, redundancy=redundancy, progress=progress)
    return found


def smallest_suite(  # noqa: PLR0913  (all but the first two have defaults)
    verdict: str | Verdict,
    ids: Iterable[str],
    cover: Sequence[GoalKind] = DEFAULT,
    size: int | None = None,
    *,
    redundancy: int = 1,
    progress: Progress = tell_nobody,
) -> Suite:
    """A suite for a verdict out of tests that are given by their ids, with the fewest tests, then instructions.

    The verdict is one of the library or of one's own (`synth.inputs.given_models`); only set expressions have mutants.
    With `size` it has at most so many tests, and as many goals are covered as those can cover. With `redundancy` each
    goal is reached by so many tests, or by all that reach it where there are fewer. What takes long is done in steps,
    of which `progress` is told: how many are done, how many there are, and of how many candidates.

    Raises:
        InputError: there is no such verdict, no test passes it, or `size` and a `redundancy` are given together.
        LimitError: a test is too large to judge.
    """
    check_ids(ids)
    if redundancy < 1 or (redundancy > 1 and size is not None):
        msg = f"redundancy: found {redundancy}, expected at least 1, and 1 with a size"
        raise InputError(msg)
    asked = verdict if isinstance(verdict, Verdict) else Verdict(*given_verdict(verdict))
    models = library() if asked.model in library() else (*library(), asked.model)
    every = sorted(set(ids), key=size_of)
    place = verdict_names(models).index(asked.name)
    judged = [(id_, mask) for id_, mask in zip(every, judge(every, models), strict=True) if mask >> place & 1]
    passing = [id_ for id_, _ in judged]
    if not passing:
        msg = f"{asked.name}: found no test that passes it among {len(every)}, expected at least one"
        raise InputError(msg)
    threads = max(THREADS, *map(thread_count, passing))
    changed = mutants(asked.model, threads) if "mutants" in cover else ()
    no_less = tuple(mutant for mutant in changed if is_included(asked.model, mutant, threads))
    less = [mutant for mutant in changed if mutant not in no_less]
    pieces = _cut(passing, _PIECE) if "idioms" in cover else []
    batches = _cut(less, _AT_ONCE)
    done = itertools.count()

    def step() -> None:
        progress(next(done), len(batches) + len(pieces), len(passing))

    step()
    goals = {
        **_failed_verdicts(asked, [mask for _, mask in judged], cover, threads),
        **_failed_mutants(asked, passing, batches, step),
        **_idioms(pieces, step),
        **(_signatures([mask for _, mask in judged], len(verdict_names(models))) if "signatures" in cover else {}),
    }
    reaches = [sum(does[place] << bit for bit, does in enumerate(goals.values())) for place in range(len(passing))]
    reachable = functools.reduce(operator.or_, reaches)
    best = smallest_cover(reaches, [size_of(id_)[0] for id_ in passing], size, redundancy)
    scarce = sum(1 << goal for goal in range(len(goals)) if 0 < number_reaching(goal, reaches) < redundancy)
    return Suite(
        asked.name,
        models,
        len(passing),
        best.cost,
        tuple(
            SuiteTest(
                passing[place],
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
    asked: Verdict, masks: Sequence[int], cover: Sequence[GoalKind], threads: int
) -> dict[Goal, list[bool]]:
    """The verdicts of the library that are strictly less fair, or not to be compared, and which tests fail each."""
    found = {}
    for k, other in enumerate(verdicts_of(library())):
        more, less = is_implied(asked, other, threads), is_implied(other, asked, threads)
        kind: GoalKind = "verdicts" if less else "incomparable"
        if not more and kind in cover:
            found[Goal(kind, other.name)] = [not mask >> k & 1 for mask in masks]
    return found


def _cut(things: Sequence[T], length: int) -> list[Sequence[T]]:
    return [things[first : first + length] for first in range(0, len(things), length)]


def _failed_mutants(
    asked: Verdict, passing: Sequence[str], batches: Iterable[Sequence[Model]], step: Callable[[], None]
) -> dict[Goal, list[bool]]:
    """The mutants in the form that was asked for, and which tests fail each."""
    found = {}
    for some in batches:
        masks = judge(passing, tuple(some))
        bit = 0
        for mutant in some:
            forms = mutant.forms
            wanted = bit + (asked.form == "strong" and len(forms) > 1)
            found[Goal("mutants", mutant.name)] = [not mask >> wanted & 1 for mask in masks]
            bit += len(forms)
        step()
    return found


def _idioms(pieces: Iterable[Sequence[str]], step: Callable[[], None]) -> dict[Goal, list[bool]]:
    """The idioms that are or are contained in a test, and in which."""
    notes: list[set[str]] = []
    for ids in pieces:
        notes.extend({*note.get("contains", []), note.get("idiom", "")} - {""} for note in annotated(ids))
        step()
    return {Goal("idioms", name): [name in note for note in notes] for name in sorted(set().union(*notes))}


def _signatures(masks: Sequence[int], count: int) -> dict[Goal, list[bool]]:
    """The signatures, a letter for each of so many verdicts, and which tests have each."""
    return {
        Goal("signatures", "".join("p" if mask >> k & 1 else "f" for k in range(count))): [
            other == mask for other in masks
        ]
        for mask in sorted(set(masks))
    }


def _reached_alone(place: int, chosen: Sequence[int], reaches: Sequence[int]) -> int:
    """The goals that one of the chosen tests reaches and no other of them, as a bit mask."""
    others = (reaches[other] for other in chosen if other != place)
    return reaches[place] & ~functools.reduce(operator.or_, others, 0)


def _of_mask(goals: dict[Goal, list[bool]], mask: int) -> tuple[Goal, ...]:
    return tuple(goal for k, goal in enumerate(goals) if mask >> k & 1)
