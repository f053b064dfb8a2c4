"""Compute rankings, which prove that a transition system passes and so always ends.

**The weak form.** The states are divided into their maximal strongly connected sets. The rank of a set is 0 if it leads
to no other set; otherwise it is one more than the highest rank to which it leads. So the rank never rises, and it falls
when an execution leaves a set. In a set with steps inside, the helper is a thread that is in the fair set of all its
states and takes no step inside. If the system passes, there is such a thread. This is the rule of Z. Manna and A.
Pnueli, Completing the temporal picture (Theor. Comput. Sci. 83, 1991), for justice, where "enabled" becomes "promised a
step".

- A ranking proves the verdict. On a recurrent set, a rank that never rises is constant. So all states have the same
  helper. This thread is promised a step everywhere and takes none inside, because that step would lower the rank. So
  the set does not fail.
- Every program that passes has a ranking, by construction.

**The strong form.** The rank is the distance from the end in a game. States without a step have rank 0. A state gets
the rank n + 1 if some promised step leads to a rank of at most n (its thread is the helper), or if every step does. The
rank may rise with steps of other threads. But from each state, a path on which the rank falls leads to an end. Each
step of that path is promised, or all steps from its state lower the rank.

- A ranking proves the verdict. Let C be recurrent and closed under promised steps, and let s be a state of least rank
  in C. If s has a helper, its step is promised, so it stays in C and lowers the rank. If s has no helper, some step
  stays in C because C is recurrent, and it lowers the rank. Both contradict the choice of s.
- Every program that passes has a ranking. Suppose there are states without a rank, and let X be their set. From each of
  them, all promised steps stay in X, and so does at least one step. An execution inside X can reach a maximal strongly
  connected set of X that no step inside X leaves. This set contains steps, and promised steps stay in it. So it is
  recurrent and closed, and the program fails.

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
    """Return the ranking of a product that passes.

    Raises:
        InternalError: the product fails, so it has no ranking.
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
            msg = f"ranking: no promised step leads out of the states {[product.states[s] for s in sorted(c)]}"
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
            msg = f"ranking: no promised step leads out of the states {[product.states[s] for s in sorted(rest)]}"
            raise InternalError(msg)
        ranks |= reached
        rest -= reached.keys()
        level += 1
    return ranks
