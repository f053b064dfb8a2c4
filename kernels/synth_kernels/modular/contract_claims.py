"""Put candidates for contracts into kernels and functions: on the side that guarantees, and on that which relies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.modular.clauses import old
from synth_kernels.modular.effects import arrays_here
from synth_kernels.operators import KEEP
from synth_kernels.program import FLAGS, Call, Compute, Constant, KernelClaim
from synth_kernels.terms import below

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_kernels.modular.clauses import Clause
    from synth_kernels.program import Block, Instruction, Kernel, Operand
    from synth_kernels.terms import Term


def with_clauses(kernel: Kernel, units: Mapping[str, Kernel], clauses: Mapping[str, Sequence[Clause]]) -> Kernel:
    """Return a kernel or a function with the candidates of its own contract and of the functions that it calls."""
    return _Inserting(kernel, units, clauses).run()


class _Inserting:
    def __init__(self, kernel: Kernel, units: Mapping[str, Kernel], clauses: Mapping[str, Sequence[Clause]]) -> None:
        self._kernel, self._units, self._clauses = kernel, units, clauses
        self._number = 0

    def run(self) -> Kernel:
        return replace(self._kernel, blocks=tuple(map(self._block, self._kernel.blocks)))

    def _block(self, block: Block) -> Block:
        function = self._kernel.function
        steps: list[Instruction] = []
        own = self._clauses.get(function.key, ()) if function else ()
        names: dict[str, Operand] = {}
        if function and block.name == function.begins:
            steps += self._olds(own, names)
            steps += self._claims(own, "requires", "rely", names)
        rest = iter(block.instructions)
        for instruction in rest:
            if isinstance(instruction, Call) and instruction.unit:
                steps += self._around(instruction, [next(rest) for _ in instruction.results])
            else:
                steps.append(instruction)
        if function and block.name == function.leaves:
            steps += self._claims(own, "ensures", "guarantee", {})
        return replace(block, instructions=tuple(steps))

    def _around(self, call: Call, results: Sequence[Instruction]) -> Iterator[Instruction]:
        """Yield a call and its arbitrary results, with what is guaranteed before, and relied on behind them."""
        unit, clauses = self._units[call.unit], self._clauses.get(call.unit, ())
        function = unit.function
        assert function is not None  # noqa: S101  (units are functions)
        names: dict[str, Operand] = {
            name: given for (name, _), given in zip(function.parameters, call.arguments, strict=True)
        }
        names |= {name: given for (name, _), given in zip(function.results, call.results, strict=True)}
        for array, here in arrays_here(call, unit).items():
            names |= {f"{flag}.{array}": f"{flag}.{here}" for flag in FLAGS}
        yield from self._claims(clauses, "requires", "guarantee", names)
        yield from self._olds(clauses, names, prefix=f"call{call.line}.")
        yield call
        yield from results
        yield from self._claims(clauses, "ensures", "rely", names)

    def _olds(self, clauses: Sequence[Clause], names: dict[str, Operand], prefix: str = "") -> Iterator[Instruction]:
        """Yield what keeps words for postconditions, under names that are noted."""
        words = {
            term.name.removeprefix(old(""))
            for clause in clauses
            for term in below([clause.meaning])
            if term.name.startswith(old(""))
        }
        for word in sorted(words):
            name = f"{prefix}{old(word)}"
            yield Compute(name, KEEP, (names.get(word, word),), 1)
            names[old(word)] = name

    def _claims(
        self, clauses: Sequence[Clause], word: str, kind: str, names: Mapping[str, Operand]
    ) -> Iterator[Instruction]:
        made: dict[Term, Operand] = {}
        for clause in clauses:
            if clause.word == word:
                for term in below([clause.meaning], made):
                    if term.value is not None:
                        made[term] = Constant(term.value, term.width)
                    elif term.name:
                        made[term] = names.get(term.name, term.name)
                    else:
                        self._number += 1
                        name = f"clause.{self._number}"
                        operands = tuple(made[operand] for operand in term.operands)
                        yield from self._computed(name, term, operands)
                        made[term] = name
                yield KernelClaim(kind, made[clause.meaning], clause.line, once=clause.once, candidate=True)  # type: ignore[arg-type]

    @staticmethod
    def _computed(name: str, term: Term, operands: tuple[Operand, ...]) -> Iterator[Instruction]:
        """Yield what computes a term. A number is the same in both threads."""
        if term.operator in {"uniform", "other"} and isinstance(operands[0], Constant):
            yield Compute(name, "eq", (operands[0], operands[0]), 1)
        else:
            yield Compute(name, term.operator, operands, term.width)
