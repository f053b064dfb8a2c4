"""Put candidates into a kernel: each is a claim at the header of a loop, behind the instructions that compute it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth_kernels.candidates.annotation_texts import typed_lines
from synth_kernels.candidates.formula_code import FormulaWriter
from synth_kernels.candidates.loops import Loops
from synth_kernels.candidates.rules import RULES
from synth_kernels.candidates.values import Values
from synth_kernels.flow import Flow
from synth_kernels.program import Access, Barrier, Call

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.launch import Launch
    from synth_kernels.program import Block, Instruction, Kernel
    from synth_kernels.terms import Term


@dataclass(frozen=True, slots=True)
class InvariantCandidate:
    """A claim that a rule has made about the loop with this header. `line` is the number of the claim."""

    rule: str
    header: str
    line: int
    meaning: Term

    @property
    def key(self) -> str:
        """What stays the same if the kernel is edited elsewhere: the loop, and what is said of it."""
        return _key(self.header, self.meaning)


def _key(header: str, meaning: Term) -> str:
    return "; ".join([header, *typed_lines(meaning, "v")])


def with_candidates(
    kernel: Kernel, launch: Launch, rules: Collection[str], only: Collection[str] | None = None
) -> tuple[Kernel, list[InvariantCandidate]]:
    """Return a kernel with the candidates that some rules make of its loops, and these candidates.

    With `only`, these are those with some keys.
    """
    if not rules:
        return kernel, []

    def chosen(loop: LoopFacts) -> Iterator[tuple[str, Term]]:
        for rule, meaning in _meanings_of_rules(loop, rules):
            if only is None or _key(loop.header.name, meaning) in only:
                yield rule, meaning

    return placed(kernel, launch, chosen)


def placed(
    kernel: Kernel, launch: Launch, meanings: Callable[[LoopFacts], Iterable[tuple[str, Term]]], word: str = "candidate"
) -> tuple[Kernel, list[InvariantCandidate]]:
    """Return a kernel with candidates of its loops, and these candidates.

    `meanings` returns what a loop may keep, with the names of rules. Values that compute it have a name with `word`.
    """
    flow = Flow(kernel)
    if not flow.loops:
        return kernel, []
    number = max((step.line for block in kernel.blocks for step in (*block.instructions, block.end)), default=0)
    candidates: list[InvariantCandidate] = []
    blocks = {block.name: block for block in kernel.blocks}
    for loop in Loops(kernel, flow, Values(kernel, launch)):
        writer, header = FormulaWriter(loop, number, word), loop.header.name
        candidates += [
            InvariantCandidate(rule, header, writer.claim(meaning), meaning) for rule, meaning in meanings(loop)
        ]
        number = writer.line
        blocks[header] = _with_claims(loop.header, writer.body)
    return replace(kernel, blocks=tuple(blocks.values())), candidates


def _meanings_of_rules(loop: LoopFacts, rules: Collection[str]) -> Iterator[tuple[str, Term]]:
    """Yield what rules say of a loop, each once, and nothing that is true or false by itself."""
    seen: set[Term] = set()
    for name, rule in RULES.items():
        for meaning in rule(loop) if name in rules else ():
            if meaning.value is None and meaning not in seen and loop.is_known(meaning):
                seen.add(meaning)
                yield name, meaning


def _with_claims(block: Block, body: list[Instruction]) -> Block:
    """Return the header of a loop with more claims, behind the values that it begins with."""
    kinds = Access | Barrier | Call
    end = next((place for place, instruction in enumerate(block.instructions) if isinstance(instruction, kinds)), None)
    before, after = block.instructions[:end], block.instructions[end:] if end is not None else ()
    return replace(block, instructions=(*before, *body, *after))
