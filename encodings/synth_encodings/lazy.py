"""The lazy encoding of a split: of executions the clauses say nothing, until one of them refutes a proposal.

The clauses hold the program, and literals for what each instruction does in each memory: the effect, the memory it
leaves behind, and the jump, the pc that comes next. A proposed program is run, in C++:

  - if it breaks a rule, it does so because of some effects and jumps; whatever all others are, no program that has
    these is a test, and that is a clause (checker/native/lazy/refutation.hpp);
  - if it is a test, all tests are found that agree with it in all but its open instructions
    (checker/native/lazy/completion.hpp), and what they agree in, the skeleton, is blocked. So no test is found twice.

Small clauses and few proposals make it several times faster than `full`, with which it shares no fixpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from synth_checker._native import LazyChecker
from synth_checker.errors import InternalError
from synth_checker.programs.rules import rule_mask
from synth_encodings.split import Answer, SplitEncoding
from synth_encodings.states import holds
from synth_encodings.step import InstructionOutcomes, memories

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_checker import _native

#: A verdict: the model's automaton; whether the form is strong; whether it is passed.
WantedVerdict: TypeAlias = "tuple[_native.Automaton, bool, bool]"
#: So many instructions are left open; with more of them completing takes longer than it saves proposals.
OPEN = 2


def open_places(sizes: tuple[int, ...]) -> list[int]:
    """The places that a skeleton leaves open: again and again the last one of the thread that has the most left."""
    left = list(sizes)
    found = []
    for _ in range(min(OPEN, sum(sizes) - 1)):
        thread = left.index(max(left))
        left[thread] -= 1
        found.append(sum(sizes[:thread]) + left[thread])
    return sorted(found)


class LazyEncoding(SplitEncoding):
    """The clauses of a split, and a checker of what they propose.

    `wanted` holds verdicts that are wanted of tests, as the core takes them; a test that has others is refuted, too.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        locations: int,
        values: int,
        without: Collection[str] = (),
        wanted: Sequence[WantedVerdict] = (),
    ) -> None:
        super().__init__(sizes, locations, values, without)
        self.open = open_places(sizes)
        all_memories = memories(self.program)
        outcomes = [InstructionOutcomes(self.cnf, i, all_memories) for i in self.program.instructions]
        # The checker counts memories with location 0 as the lowest digit.
        order = sorted(all_memories, key=lambda memory: memory[::-1])
        number = {memory: k for k, memory in enumerate(order)}
        rows = [(outcome, memory) for outcome in outcomes for memory in order]
        effects = [{number[after]: x for after, x in outcome.effects[memory]} for outcome, memory in rows]
        jumps = [dict(outcome.jumps[memory]) for outcome, memory in rows]
        self._checker = LazyChecker(
            sizes,
            self.locations,
            self.values,
            rule_mask(without),
            self.open,
            effects=[row.get(after, 0) for row in effects for after in range(len(order))],
            jumps=[row.get(pc, 0) for row in jumps for pc in range(max(sizes) + 1)],
            branches=[i.is_branch for i in self.program.instructions],
            writes=[i.writes for i in self.program.instructions],
            wanted=wanted,
        )

    @staticmethod
    def leading_places(sizes: tuple[int, ...]) -> list[int]:
        """Those that are not open: what completes a skeleton must not lie in another cut."""
        return [place for place in range(sum(sizes)) if place not in open_places(sizes)]

    def answer(self, model: Sequence[int]) -> Answer:
        """All tests with the skeleton of a model's program, if this is one; blocked or refuted.

        Raises:
            InternalError: the checker contradicts itself, or a reason does not hold of the program that it refutes.
        """
        id_, _ = self.program.decode(model)
        clauses = self._checker.refuted_by(id_)
        if clauses:
            if any(holds(model, literal) for clause in clauses for literal in clause):
                msg = f"what refutes {id_} does not hold of it: {clauses}"
                raise InternalError(msg)
            return Answer([], clauses)
        tests = self._checker.completions(id_)
        if id_ not in tests:
            msg = f"nothing refutes {id_}, which is not among the completions of its skeleton"
            raise InternalError(msg)
        return Answer(tests, [[-literal for literal in self.program.fields_but(model, self.open)]])
