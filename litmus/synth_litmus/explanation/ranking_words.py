"""Explain the ranking of a program that passes: how the rank falls, and which threads lower it in states on cycles."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_documents.phrases import count, named_threads

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from synth_checker.certificates.certificate import Ranking
    from synth_checker.certificates.product import Product
    from synth_checker.models import Form
    from synth_checker.transitions.transition_system import AnyState

#: The most sentences about single ranks. The certificate has all ranks.
_MOST = 10


def ranking_words(
    ranking: Ranking[AnyState], product: Product[AnyState], form: Form, on_cycles: AbstractSet[int]
) -> Iterator[str]:
    """Yield the sentences that explain a ranking, in order.

    `on_cycles` are the numbers of the states of the product that lie on a cycle.
    """
    first = ranking.ranks[product.states[0]].rank
    if not on_cycles:
        yield "The program always ends: no state can come back, whichever thread takes the steps."
    elif form == "weak":
        yield (
            f"The program always ends: the rank is {first} at the start, never rises, and is 0 where all threads "
            "have ended."
        )
        yield from _weak_words(ranking, product, on_cycles)
    else:
        yield (
            f"The program always ends: the rank is {first} at the start and 0 where all threads have ended. In every "
            "other state a promised step lowers the rank, or every step does."
        )
        yield from _strong_words(ranking, product, on_cycles)


def _weak_words(ranking: Ranking[AnyState], product: Product[AnyState], on_cycles: AbstractSet[int]) -> Iterator[str]:
    """Say for each rank at which steps can repeat which threads take them, and which thread's step ends that."""
    going_round: dict[tuple[int, int], set[int]] = {}
    for s in sorted(on_cycles):
        _, rank, helper = ranking.ranks[product.states[s]]
        for thread, after in product.successors[s].items():
            if helper is not None and ranking.ranks[product.states[after]].rank == rank:
                going_round.setdefault((rank, helper), set()).add(thread)
    ranks = sorted(going_round, reverse=True)
    for rank, helper in ranks[:_MOST]:
        yield (
            f"At rank {rank} {named_threads(going_round[rank, helper])} can step again and again, but thread {helper} "
            "is promised a step all the while, and that step lowers the rank."
        )
    if len(ranks) > _MOST:
        yield f"At {len(ranks) - _MOST} lower ranks, too, a thread is promised a step that lowers the rank."


def _strong_words(ranking: Ranking[AnyState], product: Product[AnyState], on_cycles: AbstractSet[int]) -> Iterator[str]:
    """Say which threads are promised a step that lowers the rank, and in how many of the states on cycles."""
    helpers = Counter(ranking.ranks[product.states[s]].helper for s in on_cycles)
    alone = helpers.pop(None, 0)
    parts = [
        f"in {number} of these states thread {helper} is promised a step that lowers the rank"
        for helper, number in sorted(helpers.items())
    ]
    parts += [f"in {alone} of these states every step lowers the rank"] if alone else []
    yield f"{count(len(on_cycles), 'state')} can come back: {', '.join(parts)}."
    if helpers:
        yield "If a state comes back again and again, promised steps from it happen in the end, so the rank reaches 0."
