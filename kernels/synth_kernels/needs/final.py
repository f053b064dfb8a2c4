"""What launches leave behind in memory: whether an assertion holds wherever all threads have ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_kernels.needs.answer import row_fields, rows_of
from synth_kernels.needs.folded_steps import in_order, rows_of_steps

if TYPE_CHECKING:
    from synth_kernels.needs import JudgedLaunch, Needs
    from synth_kernels.needs.answer import FinalFields, Row
    from synth_kernels.needs.folded_steps import FoldedStep
    from synth_kernels.progress.final import Assertion


@dataclass(frozen=True, slots=True)
class AssertionViolation:
    """A launch that ends although an assertion does not hold: who steps, and what the memory then holds."""

    judged: JudgedLaunch
    threads: tuple[int, ...]
    memory: str

    @property
    def steps(self) -> list[Row]:
        """Return all steps."""
        return rows_of(self.judged, self.threads)

    @property
    def rows(self) -> list[FoldedStep]:
        """Return the steps in few rows."""
        return rows_of_steps(in_order(self.judged, self.threads))


@dataclass(frozen=True, slots=True)
class FinalReport:
    """An assertion on the last memory, and the first launch in which it does not hold, if there is one.

    `ends` says whether some launch can end at all. If launches are open (`Needs.is_open`), the answer
    is unknown without such a launch.
    """

    text: str
    refuted: AssertionViolation | None
    ends: bool
    is_open: bool = False

    @property
    def holds(self) -> bool | None:
        """Whether it holds, or None if this is unknown."""
        return False if self.refuted is not None else None if self.is_open else True


def final_of(needs: Needs, assertion: Assertion) -> FinalReport:
    """Check an assertion in each state of each launch in which all threads have ended.

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
                way = tuple(launch.space.way_to(number))
                return FinalReport(
                    assertion.text,
                    AssertionViolation(launch, way, assertion.named_in(launch.space.machine, memory)),
                    ends,
                )
    return FinalReport(assertion.text, None, ends, needs.is_open)


def final_fields(final: FinalReport) -> FinalFields:
    """Return what was found of an assertion as JSON has it."""
    fields: FinalFields = {"assertion": final.text, "holds": final.holds, "ends": final.ends}
    if final.refuted is not None:
        fields["workgroups"] = final.refuted.judged.workgroups
        fields["steps"] = [row_fields(row) for row in final.refuted.steps]
        fields["memory"] = final.refuted.memory
    return fields
