"""Whether a proof shows that a formula has no model: DRUP proofs, checked from the first step to the last by the core.

A formula is a text in DIMACS form, and a proof a text of steps. A step is a clause, or the removal of a clause (`d`).
Each clause must follow from the clauses that are there by *unit propagation*: make all its literals false; wherever all
literals of a clause but one are false, make that one true; in the end all literals of some clause must be false. One of
the steps must be the empty clause. `twin/proofs.py` says the same in a hundred lines of Python.

Why an accepted proof proves: at every step, each model of the formula is a model of all clauses that are there, and of
all literals that they have made true ("fixed").

- A clause that follows by unit propagation is true in each model of the clauses and literals from which it follows.
- A removal adds nothing. A literal stays fixed when the clause that made it true is removed: each model of the formula
  still makes it true, for the formula itself never changes. So it does not matter what a proof removes, and the removal
  of a clause that is not there is ignored.
- The empty clause has no model. If it follows, the formula has none.

A step that does not follow by unit propagation is never accepted. Steps of another kind, RAT (resolution asymmetric
tautology), keep only that there is *some* model; each depends on which clauses are there. A checker that accepts them
and keeps literals fixed whose clauses were removed accepts "proofs" of formulas that have models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker._native import ProofChecker

if TYPE_CHECKING:
    from collections.abc import Iterable


def refusal(formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    """Why a proof does not show that a formula has no model; None if it does.

    Both are texts, in pieces of any size, which are read one by one and not kept.
    """
    checker = ProofChecker()
    if all(map(checker.read_formula, formula)):
        all(map(checker.read_proof, proof))
    return checker.refusal()
