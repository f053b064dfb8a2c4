"""The answer of `synth suite`: a suite with the names of its tests, and its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from synth_corpus.record import Id
from synth_search.suites.choice import GoalKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_search.suites.choice import Goal, Suite


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    """A suite, and the names of its tests by their ids.

    `size` is the largest number of tests that the user allowed, or None if the user gave no limit.
    """

    suite: Suite
    names: Mapping[str, str]
    size: int | None


class GoalFields(TypedDict):
    """A goal of a suite: something that at least one of its tests shows, for example that it fails `HSA.weak`."""

    kind: GoalKind
    name: str


class SuiteTestFields(TypedDict):
    """A test of a suite, with its goals.

    `reaches` has the goals that the test reaches, and `alone` those of them that no other test of the suite reaches.
    """

    id: Id
    called: str
    reaches: list[GoalFields]
    alone: list[GoalFields]


class SuiteFields(TypedDict):
    """A smallest suite for a verdict, and the goals that no test of the suite reaches."""

    verdict: str
    candidates: int
    cost: int
    tests: list[SuiteTestFields]
    redundancy: int
    scarce: list[GoalFields]
    left_out: list[GoalFields]
    unreached: list[GoalFields]
    no_less_fair: list[str]
    threads: int


def suite_fields(answer: SuiteAnswer) -> SuiteFields:
    """Return the suite for one verdict as the JSON object that `synth suite --json` prints."""
    suite = answer.suite
    return {
        "verdict": suite.verdict,
        "candidates": suite.candidates,
        "cost": suite.cost,
        "tests": [
            {
                "id": test.id,
                "called": answer.names[test.id],
                "reaches": _goals(test.reaches),
                "alone": _goals(test.alone),
            }
            for test in suite.tests
        ],
        "redundancy": suite.redundancy,
        "scarce": _goals(suite.scarce),
        "left_out": _goals(suite.left_out),
        "unreached": _goals(suite.unreached),
        "no_less_fair": list(suite.no_less_fair),
        "threads": suite.threads,
    }


def _goals(goals: Iterable[Goal]) -> list[GoalFields]:
    return [{"kind": goal.kind, "name": goal.name} for goal in goals]
