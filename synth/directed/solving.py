"""The engine `directed`: a solver proposes programs, and verdicts are among what refutes them.

It is the lazy SAT engine with other clauses (see `synth_encodings.directed`). Where answers are rare among the tests of
a bound too large to be searched to its end, it comes to them, or to the proof that there is none, without all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.engines.sat import SatEngine, SplitPart, plan_units
from synth_encodings.directed import DirectedEncoding

if TYPE_CHECKING:
    from synth_checker.question import Question
    from synth_checker.wanted import Wanted


class DirectedSearch(SatEngine):
    """The search for the tests of one question that are as wanted."""

    name = "directed"
    encoding = DirectedEncoding

    def __init__(self, question: Question, wanted: Wanted) -> None:
        super().__init__(question)
        self._wanted = wanted

    def units(self, jobs: int) -> list[SplitPart]:
        """All splits, since models tell threads apart; cut where there are fewer than the jobs need."""
        return plan_units([sizes for bound in self.question.bounds for sizes in bound.splits()], jobs, self.encoding)

    def encoding_of(self, sizes: tuple[int, ...]) -> DirectedEncoding:
        """The clauses of a split."""
        question = self.question
        return DirectedEncoding(sizes, question.locations, question.values, question.without, self._wanted)

    def images(self, tests: list[str], sizes: tuple[int, ...]) -> list[str]:  # noqa: ARG002
        """Nothing but the tests themselves."""
        return tests
