"""The lazy encoding of a split: the clauses say nothing about executions until an execution refutes a proposed program.

The clauses contain the program, and literals for what each instruction does in each memory: its effect (the memory
after it) and its jump (the next program location). The C++ core runs each program that the solver proposes.

- If the program breaks a rule, some of its effects and jumps are the reason. No program with the same effects and jumps
  is a test, whatever its other instructions do. A clause says so (checker/native/lazy/refutation.hpp).
- Some instructions of a program are *open*. If the program is a test, the core finds all tests that differ from it only
  in its open instructions (checker/native/lazy/completion.hpp). The rest of the program, in which all these tests
  agree, is the *skeleton*. A clause then excludes all programs with this skeleton. So no test is found twice.

The lazy encoding has few clauses and needs few proposals. So it is several times faster than `full`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from synth_checker._native import LazyChecker
from synth_checker.errors import InternalError
from synth_checker.programs.rules import rule_mask
from synth_encodings.split import Answer, SplitEncoding
from synth_encodings.states import is_true
from synth_encodings.step import InstructionOutcomes, memories

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_checker import _native

#: A wanted verdict: the model's automaton, whether the form is strong, and whether a test must pass it.
WantedVerdict: TypeAlias = "tuple[_native.Automaton, bool, bool]"
#: The number of open instructions. With more, completing a skeleton takes more time than the saved proposals.
OPEN = 2


def open_places(sizes: tuple[int, ...]) -> list[int]:
    """Return the places of the instructions that a skeleton leaves open.

    A place is the number of an instruction in the program. The function takes the last instruction of the longest
    thread, then the last one of the thread that is now the longest, and so on.
    """
    remaining = list(sizes)
    places = []
    for _ in range(min(OPEN, sum(sizes) - 1)):
        thread = remaining.index(max(remaining))
        remaining[thread] -= 1
        places.append(sum(sizes[:thread]) + remaining[thread])
    return sorted(places)


class LazyEncoding(SplitEncoding):
    """The clauses of a split, with a checker of the programs that a solver proposes.

    `wanted` holds verdicts that a test must have, in the form that the C++ core takes. A test with another verdict is
    refuted.
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
        # The checker numbers memories so that location 0 is the lowest digit.
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
        """Return the places of the instructions by whose targets the search may be divided: those that are not open.

        Thus all tests with the same skeleton belong to the same part of the search.
        """
        return [place for place in range(sum(sizes)) if place not in open_places(sizes)]

    def answer(self, model: Sequence[int]) -> Answer:
        """Answer a proposed program: return all tests of its skeleton, and clauses to add.

        If the program is a test, the clauses exclude all programs with its skeleton. Otherwise the clauses say why the
        program is not a test, and there are no tests.

        Raises:
            InternalError: the checker contradicts itself, or a reason does not apply to the program that it refutes.
        """
        id_, _ = self.program.decode(model)
        clauses = self._checker.refuted_by(id_)
        if clauses:
            if any(is_true(model, literal) for clause in clauses for literal in clause):
                raise InternalError(f"the clauses that should refute the program {id_} do not apply to it: {clauses}")
            return Answer([], clauses)
        tests = self._checker.completions(id_)
        if id_ not in tests:
            raise InternalError(
                f"no clause refutes the program {id_}, but it is not among the completions of its skeleton"
            )
        return Answer(tests, [[-literal for literal in self.program.fields_but(model, self.open)]])
