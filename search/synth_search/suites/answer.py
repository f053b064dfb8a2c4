"""The answer of `synth suite`: a suite, the goals that its tests reach, and those that none of them reaches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from synth_corpus.record import Id
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_checker.models import Model

#: The kinds of goals of a verdict: the verdicts that are strictly less fair, those that are neither more nor less fair,
#: the mutants of its model, the idioms that pass it, and the signatures of the tests that pass it.
GoalKind = Literal["verdicts", "incomparable", "mutants", "idioms", "signatures"]
KINDS: tuple[GoalKind, ...] = get_args(GoalKind)
DEFAULT: tuple[GoalKind, ...] = ("verdicts", "incomparable", "mutants")
#: Words for what a test does that reaches a goal, by the kind of the goal.
_WORDS = {
    "verdicts": "fails",
    "incomparable": "fails",
    "mutants": "fails the mutant",
    "idioms": "is or contains the idiom",
    "signatures": "has the signature",
}


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal of a suite: that a test fails a verdict or mutant, has a signature, or contains an idiom."""

    kind: GoalKind
    name: str

    def __str__(self) -> str:
        return describe_goals([self])


@dataclass(frozen=True, slots=True, repr=False)
class SuiteTest:
    """A test of a suite, with its goals.

    `reaches` has the goals that the test reaches, and `alone` those of them that no other test of the suite reaches.
    """

    id: Id
    called: str
    reaches: tuple[Goal, ...]
    alone: tuple[Goal, ...]

    def __repr__(self) -> str:
        return f"<SuiteTest {self.id}: {len(self.reaches)} goals>"


@dataclass(frozen=True, slots=True, repr=False)
class Suite:
    """A smallest suite for a verdict, and the goals that no test of the suite reaches.

    At least `redundancy` tests of the suite reach each goal, except the `scarce` goals. Fewer than `redundancy`
    candidates reach a scarce goal, and all of these candidates are in the suite.

    - `models` are the models of the verdicts: the library, and the model of `verdict` if the library does not have it.
    - `candidates` is the number of tests that pass the verdict, from which the suite was chosen.
    - `cost` is the least cost, as the solver proves it (see `covering.Cover`). The weight of a test is its number of
      instructions.
    - `left_out` are goals that some candidate reaches, but not all of them fit into so few tests.
    - `unreached` are goals that no candidate reaches.
    - `no_less_fair` names mutants that guarantee no less than the model, by inclusion with up to `threads` threads. No
      test that passes the model fails them.
    """

    verdict: str
    models: tuple[Model, ...] = field(metadata=HIDDEN)
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

    def named(self, names: Mapping[str, str]) -> Suite:
        """Return the suite with other names for its tests; `names` has them by the ids of the tests."""
        return replace(self, tests=tuple(replace(test, called=names[test.id]) for test in self.tests))


def describe_goals(goals: Iterable[Goal]) -> str:
    """Return words that say how a test reaches some goals, such as `fails HSA.weak`."""
    goals_of_words: dict[str, list[str]] = {}
    for goal in goals:
        goals_of_words.setdefault(_WORDS[goal.kind], []).append(goal.name)
    return "; ".join(f"{words} {', '.join(names)}" for words, names in goals_of_words.items())
