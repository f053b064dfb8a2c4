"""The text of `synth machine compare`: how our obligations differ from Rodin's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_machines.answers.comparison import ComponentComparison
    from synth_machines.answers.rodin_results import DifferentHypotheses


def compared_lines(component: ComponentComparison) -> Iterator[str]:
    """Yield a line about a component, what Rodin's provers had done, and a line or more for each difference."""
    if component.problem is not None:
        yield f"{shown(component.component)}: not compared: {shown(component.problem)}"
        return
    equivalent = sum(goal.equivalent for goal in component.goals)
    numbers = [f"{component.equal} with equal goals"]
    numbers += [f"{equivalent} with equivalent goals"] if equivalent else []
    of_rodin = count(component.obligations, "obligation")
    yield f"{shown(component.component)}: {of_rodin} of Rodin, {listed(numbers)}"
    if component.done:
        yield f"  provers of Rodin: {', '.join(f'{number} {word}' for word, number in component.done.items())}"
    if component.verdicts:
        verdicts = ", ".join(f"{number} {word}" for word, number in component.verdicts.items())
        yield f"  synth on what they discharged: {verdicts}"
    yield from (f"  left out: {shown(problem)}" for problem in component.left_out)
    yield from _built_lines(component)
    for name in component.contradicted:
        yield f"  {shown(name)} is discharged by Rodin and refuted by synth: one of them has a defect"
    yield from (f"  only Rodin has {shown(name)}" for name in component.missing)
    yield from (f"  only synth has {shown(name)}" for name in component.superfluous)
    for goal in component.goals:
        if not goal.equivalent:
            yield f"  {shown(goal.name)} differs"
            yield f"    ours: {shown(goal.ours)}"
            yield f"    Rodin's: {shown(goal.rodin)}"
            if goal.problem is not None:
                yield f"    not read: {shown(goal.problem)}"


def _built_lines(component: ComponentComparison) -> Iterator[str]:
    """Yield what Rodin has built besides obligations, where it is not as ours."""
    if component.accurate is False:
        yield "  Rodin's static checker has found faults"
    for types in component.types:
        yield f"  {shown(types.name)} has the type {shown(types.ours)}, and for Rodin {shown(types.rodin)}"
    if component.hypotheses is not None:
        yield from _hypotheses_lines(component.hypotheses)


def _hypotheses_lines(different: Sequence[DifferentHypotheses]) -> Iterator[str]:
    yield f"  {count(len(different), 'obligation')} with other hypotheses"
    for difference in different:
        yield f"    {shown(difference.name)}"
        yield from (f"      only ours: {shown(text)}" for text in difference.ours)
        yield from (f"      only Rodin's: {shown(text)}" for text in difference.rodin)
        if difference.problem is not None:
            yield f"      not read: {shown(difference.problem)}"
