"""The text of `synth suite`: why each test is in a suite, and which goals no test reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.lines import Heading
from synth_documents.readable import tests
from synth_search.suites.answer import describe_goals

if TYPE_CHECKING:
    from synth_documents.lines import Lines
    from synth_search.suites.answer import Suite


def no_suite_lines(verdict: str) -> Lines:
    """Yield a line which says that no test passes a verdict."""
    yield f"{verdict}: no test passes this verdict, so no suite can be chosen for it"


def lines(suite: Suite, size: int | None) -> Lines:
    """Yield the lines that `synth suite` prints: what each test of the suite shows, and that no suite is smaller.

    The last lines name the goals that no test reaches, and those that are left out because the user limits the number
    of tests to `size`.
    """
    count = len({goal for test in suite.tests for goal in test.reaches})
    yield (
        f"{suite.verdict}: {tests(len(suite.tests))}, chosen from the {suite.candidates} tests that pass this "
        f"verdict; together they reach {count} goals, for example to expose a lesser promise"
    )
    proof = f"as the solver RC2 proves (cost {suite.cost})"
    leaner = "nor do as few with fewer instructions"
    if suite.left_out:
        yield f"No other choice of at most {tests(size or 0)} reaches more goals, {proof}."
    elif suite.redundancy > 1:
        yield f"No fewer tests reach each goal {suite.redundancy} times, {leaner}, {proof}."
    else:
        yield f"No fewer tests reach all goals, {leaner}, {proof}."
    for number, test in enumerate(suite.tests, 1):
        yield Heading(f"{number}. {test.id}, {test.called}")
        if test.alone:
            yield f"   alone {describe_goals(test.alone)}"
        shared = [goal for goal in test.reaches if goal not in test.alone]
        if shared:
            yield f"   {describe_goals(shared)}"
    if suite.scarce:
        scarce = describe_goals(suite.scarce)
        yield (
            f"Fewer than {suite.redundancy} tests reach each of these goals, and the suite has all of those tests: "
            f"{scarce}."
        )
    if suite.left_out:
        yield f"Left out: {describe_goals(suite.left_out)}."
    if suite.unreached:
        yield f"No candidate {describe_goals(suite.unreached)}."
    if suite.no_less_fair:
        yield (
            f"Changed models (mutants) that no test of a suite can fail, because with up to {suite.threads} threads "
            f"they guarantee at least as much as the model: {', '.join(suite.no_less_fair)}."
        )
