"""The directed encoding of a split: the lazy one, with verdicts among what refutes a proposal.

A test whose verdict is not the wanted one is refuted by a reason, as a program is that breaks a rule: of a failure, the
few effects and jumps that make a recurrent set reachable, whatever the rest of the program does; of a pass, those by
which there is no such set (checker/native/lazy/verdict_refutation.hpp). What of a query can be read off the fields is
a clause from the start; what is left of it, sub-programs and symmetry, filters the completions of a skeleton.

Models tell threads apart, so unlike the tests of a bound those with some verdicts are not those of the falling splits
with threads permuted: every split has clauses of its own.
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
    """The clauses of a split, and a checker of what they propose that knows what is wanted."""

    def __init__(
        self, sizes: tuple[int, ...], locations: int, values: int, without: Collection[str], wanted: Wanted
    ) -> None:
        super().__init__(sizes, locations, values, without, verdicts_wanted(wanted, len(sizes)))
        self._wanted = wanted
        self._say_what_fields_tell()

    def answer(self, model: Sequence[int]) -> Answer:
        """The tests that are as wanted with the skeleton of a model's program, if this is one; blocked or refuted."""
        tests, clauses = super().answer(model)
        return Answer(self._wanted.among(tests), clauses)

    def _say_what_fields_tell(self) -> None:
        wanted, program = self._wanted, self.program
        if wanted.locations is not None:
            names = range(program.locations)
            used = [self.cnf.any_of(i.loc[name] for i in program.instructions) for name in names]
            # Names are given by first use: the last one that is used tells how many there are.
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
    """The verdicts that are wanted of programs of so many threads, as the core takes them."""
    found: list[WantedVerdict] = []
    for verdict in verdicts_of(wanted.judged):
        automaton = compile_model(verdict.model, threads)
        for names, passes in ((wanted.passes, True), (wanted.fails, False)):
            if verdict.name in names:
                found.append((automaton, verdict.form == "strong", passes))
    return found
