"""Candidates for loops that call functions: where accesses of calls may lie that are pending when a round begins.

The rules for loops look at accesses. A call has none to look at. So we try the places that callers usually give: ids,
and what a call gets as arguments, as far as the loop does not change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.placement import placed
from synth_kernels.modular.clauses import ids_of
from synth_kernels.program import ID_WIDTH, Call

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.candidates.placement import InvariantCandidate
    from synth_kernels.launch import Launch
    from synth_kernels.program import Kernel
    from synth_kernels.terms import Term

#: What the answer calls these candidates.
RULE = "call"


def with_call_candidates(kernel: Kernel, launch: Launch) -> tuple[Kernel, list[InvariantCandidate]]:
    """Return a kernel with candidates for loops with calls, and these candidates."""

    def meanings(loop: LoopFacts) -> Iterator[tuple[str, Term]]:
        for meaning in dict.fromkeys(_call_meanings(loop, launch)):
            if meaning.value is None and loop.is_known(meaning):
                yield RULE, meaning

    return placed(kernel, launch, meanings, "call")


def _call_meanings(loop: LoopFacts, launch: Launch) -> Iterator[Term]:
    calls = [instruction for block in loop.body for instruction in block.instructions if isinstance(instruction, Call)]
    terms = loop.terms
    for key in sorted({key for call in calls for key in call.flags} & set(loop.keys)):
        pending = loop.pending(key)
        yield terms.no(pending)
        yield terms.implies(loop.word("same_group"), terms.no(pending))
        places = list(ids_of(loop.values, launch))
        for call in calls:
            arguments = [loop.values.of(operand) for operand in call.arguments]
            fixed = [term for term in arguments if term.width == ID_WIDTH and loop.is_fixed(term)]
            places += fixed
            places += [terms.apply("add", (term, other)) for term in fixed for other in fixed if term is not other]
        for place in dict.fromkeys(places):
            yield terms.implies(pending, terms.equal(loop.watched, place))
