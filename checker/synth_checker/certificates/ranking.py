"""Rankings: why a transition system that passes always ends.

Weak. The states are taken apart into their maximal strongly connected sets, and the rank of a set is the most sets that
an execution may still pass: 0 if it leads to no other, else one more than the highest it leads to. The rank never
rises, and falls where a set is left. In a set with steps inside, the helper is a thread that is owed a step in all its
states and takes none inside; that there is one is what passing means. This is the rule of Z. Manna and A. Pnueli,
Completing the temporal picture (Theor. Comput. Sci. 83, 1991), for justice, with "enabled" being "owed a step".

- It proves the verdict: on a recurrent set a rank that never rises is constant, so each state has a helper, all the
  same one, who is owed a step everywhere and takes none inside, as the rank would fall. The set does not fail.
- Every program that passes has one, by construction.

Strong. The rank is the distance from the end in a game: states without a step have 0, and n + 1 has every other state
from which some owed step leads to a rank of at most n (its thread is the helper), or every step does. It may rise, with
steps of others; but from each state a path on which it falls leads to an end, and all its steps are owed, or the only
ones there are: an F-path.

- It proves the verdict: let C be recurrent and closed under owed steps, and s a state of least rank in it. If s has a
  helper, its step is owed, so it stays in C, and lowers the rank. If it has none, some step stays in C, as C is
  recurrent, and lowers the rank. Neither can be.
- Every program that passes has one: let X be the states without a rank, if there are any. From each, all owed steps
  stay in X, and so does some step. Whoever goes on inside X ends up in a maximal strongly connected set of X that no
  step inside X leaves. It has steps, and owed ones stay in it, so it is recurrent and closed, and the program fails.

A terminated state has no steps and the rank 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.certificates.certificate import Rank, Ranking
from synth_checker.certificates.product import Product, strongly_connected_sets
from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from synth_checker.models import Form
    from synth_checker.transitions.transition_system import AnyState


def ranking_of(product: Product[AnyState], form: Form) -> Ranking[AnyState]:
    """The ranking of a transition system that passes.

    Raises:
        InternalError: it has none, so it fails.
    """
    ranks = _weak_ranks(product) if form == "weak" else _strong_ranks(product)
    return Ranking({product.states[number]: rank for number, rank in sorted(ranks.items())})


def _weak_ranks(product: Product[AnyState]) -> dict[int, Rank]:
    ranks: dict[int, Rank] = {}
    for c in strongly_connected_sets(product, set(range(len(product.states)))):
        steps = [(thread, after) for s in c for thread, after in product.successors[s].items()]
        inside = {thread for thread, after in steps if after in c}
        rank = 1 + max((ranks[after].rank for _, after in steps if after not in c), default=-1)
        helpers = set.intersection(*(set(product.owed(s)) for s in c)) - inside
        if inside and not helpers:
            msg = f"ranking: nobody leads out of {[product.states[s] for s in sorted(c)]}"
            raise InternalError(msg)
        helper = min(helpers) if inside else None
        ranks |= {s: Rank(product.fair[s], rank, helper) for s in c}
    return ranks


def _strong_ranks(product: Product[AnyState]) -> dict[int, Rank]:
    ranks: dict[int, Rank] = {}
    rest = set(range(len(product.states)))
    level = 0
    while rest:
        reached: dict[int, Rank] = {}
        for s in rest:
            row = product.successors[s]
            helper = next((thread for thread in product.owed(s) if row[thread] in ranks), None)
            falls = all(after in ranks for after in row.values())
            if falls or helper is not None:
                reached[s] = Rank(product.fair[s], level, None if falls else helper)
        if not reached:
            msg = f"ranking: nothing leads out of {[product.states[s] for s in sorted(rest)]}"
            raise InternalError(msg)
        ranks |= reached
        rest -= reached.keys()
        level += 1
    return ranks
