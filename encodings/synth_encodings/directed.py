"""The directed encoding of a split: the lazy encoding, which also refutes proposals with unwanted verdicts.

The lazy encoding refutes a program that breaks a rule by a clause, which says that no test has the effects and jumps
that are the reason. This encoding refutes a test that has an unwanted verdict in the same way. If the unwanted verdict
is a failure, the reason is a few effects and jumps that make a recurrent set reachable, whatever the rest of the
program does. If it is a pass, the reason is the effects and jumps that exclude such a set
(checker/native/lazy/verdict_refutation.hpp). Conditions of the query that can be read off the fields are clauses from
the start. The other conditions, sub-programs and symmetry, filter the tests that the lazy encoding finds.

Models tell threads apart, so a test may have other verdicts after its threads are permuted. So the wanted tests of one
split do not give those of another split, and every split has clauses of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.models.compiled import compile_model
from synth_checker.relations.fairness_order import verdicts_of
from synth_encodings.lazy import LazyEncoding
from synth_encodings.split import Answer

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from synth_checker.wanted import Wanted
    from synth_encodings.lazy import WantedVerdict


class DirectedEncoding(LazyEncoding):
    """The clauses of a split and of a query, with a checker of the programs that a solver proposes."""

    def __init__(
        self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str], wanted: Wanted
    ) -> None:
        super().__init__(sizes, locations, values, without, verdicts_wanted(wanted, len(sizes)))
        self._wanted = wanted
        self._say_what_fields_tell()

    def answer(self, model: Sequence[int]) -> Answer:
        """Answer a proposed program: return the tests of its skeleton (see `lazy`) that meet the query, and clauses.

        If the program breaks a rule or has an unwanted verdict, the clauses say why, and there are no tests. Otherwise
        the clauses exclude all programs with its skeleton.
        """
        tests, clauses = super().answer(model)
        return Answer(self._wanted.among(tests), clauses)

    def _say_what_fields_tell(self) -> None:
        wanted, program = self._wanted, self.program
        if wanted.locations is not None:
            names = range(program.locations)
            used = [self.cnf.any_of(i.loc[name] for i in program.instructions) for name in names]
            # Locations are named by first use, so the highest name in use tells how many there are.
            self.cnf.add([used[wanted.locations - 1]] if wanted.locations <= len(used) else [])
            if wanted.locations < len(used):
                self.cnf.add([-used[wanted.locations]])
        if wanted.no_exchange_branches:
            for i in program.instructions:
                self.cnf.add((-i.writes, -i.is_branch))
        if wanted.silent_thread:
            self.cnf.add(
                self.cnf.all_of(-i.writes for i in program.of_thread(thread)) for thread in range(len(self.sizes))
            )


def verdicts_wanted(wanted: Wanted, threads: int) -> list[WantedVerdict]:
    """Return the verdicts that a query wants of programs with so many threads, in the form that the C++ core takes."""
    verdicts: list[WantedVerdict] = []
    for verdict in verdicts_of(wanted.judged):
        automaton = compile_model(verdict.model, threads)
        for names, passes in ((wanted.passes, True), (wanted.fails, False)):
            if verdict.name in names:
                verdicts.append((automaton, verdict.form == "strong", passes))
    return verdicts
