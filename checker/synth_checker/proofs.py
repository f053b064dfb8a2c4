"""Check proofs that a formula is unsatisfiable. The C++ core checks DRUP proofs from the first step to the last.

A formula is a text in DIMACS form. A proof is a text of steps. A step adds a clause, or removes one (`d`). Each added
clause must follow by *unit propagation* from the clauses that are present. Unit propagation works like this:

1. Make all literals of the new clause false.
2. Where all literals of a present clause are false except one, make that one true. Repeat this while it applies.
3. The new clause follows if now all literals of some present clause are false.

One of the steps must add the empty clause. `twin/proofs.py` does the same in a hundred lines of Python.

A proof that is accepted is correct, because at every step each assignment that satisfies the formula also satisfies all
present clauses and all literals that these have made true ("fixed" literals).

- A clause that follows by unit propagation is true in each assignment that satisfies the clauses and literals from
  which it follows.
- Removing a clause adds nothing. A literal stays fixed when the clause that made it true is removed. Each assignment
  that satisfies the formula still makes it true, because the formula itself never changes. So it does not matter what a
  proof removes, and the removal of a clause that is absent is ignored.
- No assignment satisfies the empty clause. So if the empty clause follows, the formula is unsatisfiable.

The checker never accepts a step that does not follow by unit propagation. Another kind of step is RAT (resolution
asymmetric tautology). Such a step only guarantees that *some* satisfying assignment is left, and it depends on which
clauses are present. A checker that accepts RAT steps, and keeps literals fixed after their clauses are removed, can
accept a "proof" for a satisfiable formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import ProofChecker

if TYPE_CHECKING:
    from collections.abc import Iterable


def refusal(formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    """Return why a proof does not show that a formula is unsatisfiable, or None if it does.

    `formula` and `proof` yield the two texts in pieces of any size. Each piece is read once and not kept.
    """
    checker = ProofChecker()
    if all(map(checker.read_formula, formula)):
        all(map(checker.read_proof, proof))
    return checker.refusal()
