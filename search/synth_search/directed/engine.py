"""The engine `directed`, in which a SAT solver proposes programs and clauses exclude those without the wanted verdicts.

This engine is the lazy SAT engine with further clauses (see `synth_encodings.directed`). It is useful if wanted tests
are rare in a bound that is too large for a full search. It finds the wanted tests, or proves that there are none,
without finding most of the other tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_encodings.directed import DirectedEncoding
from synth_search.engines.sat import SatEngine, SplitPart, plan_units

if TYPE_CHECKING:
    from synth_checker.question import Question
    from synth_checker.wanted import Wanted


class DirectedSearch(SatEngine):
    """The search of the engine `directed` for the wanted tests of one question."""

    name = "directed"
    encoding = DirectedEncoding

    def __init__(self, question: Question, wanted: Wanted) -> None:
        super().__init__(question)
        self._wanted = wanted

    def units(self, jobs: int) -> list[SplitPart]:
        """Return all splits of the question, cut into parts if there are too few splits for the processes.

        A split and the same sizes in another order are both searched, because models tell threads apart.
        """
        return plan_units([sizes for bound in self.question.bounds for sizes in bound.splits()], jobs, self.encoding)

    def encoding_of(self, sizes: tuple[int, ...]) -> DirectedEncoding:
        """Return the clauses of a split."""
        question = self.question
        return DirectedEncoding(sizes, question.locations, question.values, question.without, self._wanted)

    def images(self, tests: list[str], sizes: tuple[int, ...]) -> list[str]:  # noqa: ARG002
        """Return the tests themselves; this search does not reorder their threads."""
        return tests
