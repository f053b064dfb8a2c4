"""What launches leave behind in memory: whether an assertion holds wherever all threads have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.needs.answer import FinalReport
from synth_kernels.needs.steps import in_order, replay_steps, rows_of_steps

if TYPE_CHECKING:
    from synth_kernels.needs import Needs
    from synth_kernels.progress.final_assertions import Assertion


def final_of(needs: Needs, assertion: Assertion) -> FinalReport:
    """Check an assertion in each state of each launch in which all threads have ended.

    If launches are open (`Needs.is_open`), and it fails in none, it is unknown whether it holds.

    Raises:
        InputError: the assertion has no value in a launch.
    """
    for launch in needs.launches:
        assertion.check(launch.space.machine)
    ends = False
    for launch in needs.launches:
        ended = launch.space.ended()
        ends = ends or bool(ended)
        for number in ended:
            memory = launch.space.states[number][0]
            if not assertion.holds(launch.space.machine, memory):
                way = launch.space.way_to(number)
                return FinalReport(
                    assertion.text,
                    holds=False,
                    ends=ends,
                    workgroups=launch.workgroups,
                    steps=replay_steps(launch, way)[0],
                    memory=assertion.named_in(launch.space.machine, memory),
                    rows=rows_of_steps(in_order(launch, way)),
                )
    return FinalReport(assertion.text, None if needs.is_open else True, ends)
