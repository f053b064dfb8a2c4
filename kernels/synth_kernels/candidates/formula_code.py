"""Write formulas over the names at the header of a loop as instructions of this header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.program import Compute, Constant, KernelClaim
from synth_kernels.terms import below

if TYPE_CHECKING:
    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.program import Instruction, Operand
    from synth_kernels.terms import Term


class Writer:
    """Writes formulas as instructions of the header of a loop. `line` is the last number that was used."""

    def __init__(self, loop: LoopFacts, line: int, word: str = "candidate") -> None:
        self.line = line
        self.body: list[Instruction] = []
        self._loop, self._word = loop, word
        self._names: dict[Term, Operand] = {}

    def claim(self, meaning: Term) -> int:
        """Write a candidate, and return its number."""
        value = self.operand(meaning)
        self.line += 1
        self.body.append(KernelClaim("candidate", value, self.line))
        return self.line

    def operand(self, meaning: Term) -> Operand:
        """Write what computes a formula, and return its value."""
        for term in below([meaning]):
            if term not in self._names:
                self._names[term] = self._operand(term)
        return self._names[meaning]

    def _operand(self, term: Term) -> Operand:
        if term.value is not None:
            return Constant(term.value, term.width)
        if term.name:
            return term.name
        known = self._loop.values.names.get(term)
        block = None if known is None else self._loop.values.block_of(known)
        if known is not None and block is not None and self._loop.flow.comes_before(block, self._loop.header.name):
            return known
        self.line += 1
        name = f"{self._word}.{self.line}"
        self.body.append(
            Compute(
                name, term.operator, tuple(self._names[operand] for operand in term.operands), term.width, self.line
            )
        )
        return name
