"""Compute rankings, which prove that a transition system passes and so always ends.

A ranking gives a number, the *rank*, to each state of the product of system and model. A step is *promised* if its
thread is in the fair set of the state from which it leads. A ranking may also name a thread for a state, the *helper*:
its step from that state is promised and lowers the rank.

A set C of states is *recurrent* if the steps inside C lead from each state of C to every other, and there is at least
one such step (definitions, section 5). A system fails if one of its recurrent sets is *failing*:

- Weak form: C is failing if each thread that is in the fair sets of all states of C takes some step inside C.
- Strong form: C is failing if no promised step leads out of C.

**The weak form.** The states are divided into their maximal strongly connected sets. All states of such a set get the
same rank. The rank is 0 if no step leads from the set to another one; otherwise it is one more than the highest rank of
the sets to which steps lead. So no step raises the rank, and a step that leaves a set lowers it. If there are steps
inside the set, all its states get the same helper: a thread that is in all their fair sets and takes no step inside the
set. There is such a thread if the system passes, because otherwise the set would be failing. This is the rule of Z.
Manna and A. Pnueli, Completing the temporal picture (Theor. Comput. Sci. 83, 1991), for justice, where "enabled"
becomes "promised a step".

- A ranking proves the verdict. Let C be recurrent. No step raises the rank, so all states of C have the same rank. A
  step that keeps the rank keeps the helper, so they also have the same helper. The helper is in the fair sets of all
  states of C. But it takes no step inside C, because each step of the helper lowers the rank. So C is not failing.
- Every system that passes has a ranking: the one that is described above.

**The strong form.** States without a step get the rank 0. Another state gets the rank n + 1 if each of its steps leads
to a rank of at most n, or if a promised step does. In the second case, the thread of that step is the helper. Steps of
other threads than the helper may raise the rank.

- A ranking proves the verdict. Suppose that a recurrent set C is failing, and let s be a state of C with the least rank
  in C. If s has a helper, the step of the helper is promised, so it stays in C, and it lowers the rank. If s has no
  helper, every step from s lowers the rank, and some step from s stays in C because C is recurrent. In both cases C has
  a state of lower rank than s, which contradicts the choice of s.
- Every system that passes has a ranking. Suppose that some states get no rank, and let X be the set of these states.
  From each state of X, all promised steps stay in X, and so does at least one step. So some maximal strongly connected
  set inside X is left by no step that stays in X. This set contains a step. No promised step leads out of it. So it is
  recurrent and failing, and the system fails.
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
            raise InternalError(
                f"ranking: no promised step leads out of the states {[product.states[s] for s in sorted(c)]}"
            )
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
            raise InternalError(
                f"ranking: no promised step leads out of the states {[product.states[s] for s in sorted(rest)]}"
            )
        ranks |= reached
        rest -= reached.keys()
        level += 1
    return ranks
