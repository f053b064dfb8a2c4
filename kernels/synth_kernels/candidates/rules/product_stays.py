"""r23 (ours): while one value is doubled and another one is halved, their product is what it was at entry.

Trigger: as for r17, and the values at entry are known. It also holds if the last round makes the halved value 0. Then
the doubled value is twice the product at entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.candidates.rules.product_of_powers import doubled_and_halved, values_at_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_kernels.candidates.loops import LoopFacts
    from synth_kernels.terms import Term


def product_stays(loop: LoopFacts) -> Iterator[Term]:
    """Yield what r23 says."""
    terms = loop.terms
    for term, other in doubled_and_halved(loop):
        if (at_entry := values_at_entry(loop, term, other)) is None:
            continue
        product = terms.apply("mul", at_entry)
        stays = terms.equal(terms.apply("mul", (term, other)), product)
        yield stays
        ends = terms.equal(term, terms.apply("shl", (product, loop.number(1, term.width))))
        yield terms.any(stays, terms.all(terms.equal(other, loop.number(0, term.width)), ends))
