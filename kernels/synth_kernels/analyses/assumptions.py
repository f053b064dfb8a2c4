"""Find the undocumented assumptions of a kernel: the weakest conjunctions that make it pass a test that it fails.

Conjunctions are tried in the order of their cost, the weakest first. A conjunction that fails the test gives numbers
with which it fails, and each later conjunction must exclude these. So few conjunctions are tested (the idea is that of
implicit hitting sets). All parts of a conjunction were tried before it. So each condition of an answer is needed: some
numbers that satisfy the others fail the test.

We deviate from our design, which deletes conditions one at a time from all that are consistent. That finds one
conjunction which depends on the order of deletion; this finds several, and the weakest of them first.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_kernels.analyses.vocabulary import LaunchCondition, with_assumptions
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.confirmation.states import numbers_of_state
from synth_kernels.deadline import check
from synth_kernels.houdini import infer
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.pair.walk import Walk
from synth_kernels.scopes import narrow_atomics, narrow_scope_reason, wider_access_reason, wider_atomics
from synth_kernels.supported_parts import refuse
from synth_kernels.terms import script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term
    from synth_solvers.client import Solver

#: A conjunction has at most so many conditions, and so many answers are looked for.
MOST_TOGETHER, MOST_ANSWERS = 3, 3
#: So many conjunctions are tested at most.
MOST_TESTS = 60
Numbers: TypeAlias = "Mapping[str, int]"
#: Tests a kernel under conditions: returns numbers with which it fails, None if it passes, an empty mapping if nothing
#: satisfies the conditions, or a text that says why it is not known whether it passes.
Test: TypeAlias = "Callable[[Sequence[LaunchCondition]], Numbers | str | None]"
#: Whether conditions imply another one.
Implies: TypeAlias = "Callable[[Sequence[LaunchCondition], LaunchCondition], bool]"


class NeededCondition(NamedTuple):
    """A condition, and numbers that satisfy the other conditions of its conjunction and fail the test."""

    condition: LaunchCondition
    without: dict[str, int]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Conjunctions that make a kernel pass, the weakest first. `tests` counts the conjunctions that were tested.

    Without conditions, the kernel passes anyway if `passes`. If `contradicts`, no launch satisfies what the kernel
    itself assumes, so that any condition would do. `doubt` says why the search may have missed conjunctions:
    a test was not decided, or not all were tried. If it is empty, there are no others.
    """

    answers: tuple[tuple[NeededCondition, ...], ...]
    tests: int
    passes: bool = False
    contradicts: bool = False
    doubt: str = ""


def weakest_conjunctions(
    vocabulary: Sequence[LaunchCondition],
    test: Test,
    implies: Implies = lambda *_: False,
    is_enough: Callable[[], bool] = lambda: False,
) -> Assumptions:
    """Return the weakest conjunctions of a vocabulary that pass a test.

    What `implies` an answer is left out. With an answer, the search ends if it `is_enough`.
    """
    counterexamples: list[dict[str, int]] = []
    excluded: list[set[int]] = []  # for each counterexample, the conditions that exclude it
    answers: list[tuple[int, ...]] = []
    tests, doubt = 0, ""
    for chosen in _conjunctions(vocabulary):
        if any(out.isdisjoint(chosen) for out in excluded) or any(set(answer) <= set(chosen) for answer in answers):
            continue
        if tests == MOST_TESTS or len(answers) == MOST_ANSWERS or (answers and is_enough()):
            doubt = doubt or f"after {tests} conjunctions no more were tried"
            break
        conditions = [vocabulary[number] for number in chosen]
        if any(all(implies(conditions, vocabulary[number]) for number in answer) for answer in answers):
            continue
        tests += 1
        outcome = test(conditions)
        if outcome is None:
            if not chosen:
                return Assumptions((), tests, passes=True)
            answers.append(chosen)
        elif isinstance(outcome, str):
            doubt = doubt or outcome
        elif not outcome and not chosen:
            return Assumptions((), tests, contradicts=True)
        elif outcome:
            counterexamples.append(dict(outcome))
            excluded.append({n for n, condition in enumerate(vocabulary) if not condition.holds(outcome)})
    return Assumptions(
        tuple(
            tuple(_needed_condition(vocabulary, chosen, number, counterexamples) for number in chosen)
            for chosen in answers
        ),
        tests,
        doubt=doubt,
    )


def _needed_condition(
    vocabulary: Sequence[LaunchCondition], chosen: Sequence[int], number: int, counterexamples: Sequence[dict[str, int]]
) -> NeededCondition:
    others = [vocabulary[other] for other in chosen if other != number]
    numbers = next(
        (counterexample for counterexample in counterexamples if all(other.holds(counterexample) for other in others)),
        {},
    )
    return NeededCondition(vocabulary[number], numbers)


def _conjunctions(vocabulary: Sequence[LaunchCondition]) -> Iterator[tuple[int, ...]]:
    sets = (itertools.combinations(range(len(vocabulary)), many) for many in range(MOST_TOGETHER + 1))
    yield from sorted(itertools.chain(*sets), key=lambda chosen: (sum(vocabulary[n].cost for n in chosen), chosen))


def implication_test(facts: Sequence[Term], solver: Solver) -> Implies:
    """Return the test whether conditions imply another one, if some facts hold."""

    def implies(conditions: Sequence[LaunchCondition], other: LaunchCondition) -> bool:
        return (
            solver.ask(script([*facts, *(condition.meaning for condition in conditions), other.denied])).verdict
            == "unsat"
        )

    return implies


def verification_test(kernel: Kernel, launch: Launch, solver: Solver, options: Options) -> Test:
    """Return the test whether a kernel is verified.

    Raises:
        InputError: the kernel has something that can't be verified.
    """
    refuse(kernel, "subgroup")
    too_narrow, mixed = narrow_atomics(kernel, launch), wider_atomics(kernel)

    def test(chosen: Sequence[LaunchCondition]) -> Numbers | str | None:
        check(solver.until, f"the assumptions of {kernel.name} were found")
        if too_narrow:
            return narrow_scope_reason([(kernel, too_narrow)])
        if mixed:
            return wider_access_reason([(kernel, mixed)])
        with_guesses, _ = with_candidates(with_assumptions(kernel, chosen), launch, options.rules)
        inferred = infer(with_guesses, launch, solver, options)
        if isinstance(inferred, str):
            return inferred
        walk = Walk(with_guesses, launch, inferred.removed, options, solver.until)
        fault = failing_checks([check for check in walk.state.checks if not check.candidate], walk, solver, shown=True)
        if isinstance(fault, str):
            return fault
        if fault is None:
            answer = solver.ask(script([walk.required]))
            gave_up = answer.reason or "the solver gave up"
            return {"sat": None, "unsat": {}}.get(answer.verdict, gave_up)
        state = numbers_of_state(walk, fault[1])
        return state.sizes | state.scalars

    return test


def comparison_test(points: Sequence[Numbers], is_right: Callable[[Numbers], bool | str]) -> Test:
    """Return the test whether something is right for all of some numbers. What is known of a point is kept.

    `is_right` returns a text if it does not know, which says why. Such a point is no counterexample.

    Conditions that leave only one of several values to some number say nothing: they would fit the points by chance.
    """
    verdicts: dict[int, bool | str] = {}
    free = {name for name in (points[0] if points else ()) if len({point[name] for point in points}) > 1}

    def test(chosen: Sequence[LaunchCondition]) -> Numbers | str | None:
        numbers = [number for number, point in enumerate(points) if all(condition.holds(point) for condition in chosen)]
        for number in numbers:
            if number not in verdicts:
                verdicts[number] = is_right(points[number])
            if (verdict := verdicts[number]) is not True:
                return verdict or points[number]
        varies = all(len({points[number][name] for number in numbers}) > 1 for name in free)
        return None if numbers and varies else {}

    return test
