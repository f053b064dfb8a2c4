"""Refutations: values of names under which the hypotheses of an obligation hold and its goal does not.

A solver proposes the values. They count only if the evaluator, which shares nothing with the queries, confirms them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.evaluation.values import IllDefinedError, UnboundedError
from synth_machines.formulas.formula import conjuncts
from synth_machines.formulas.names import free_names
from synth_machines.sequents.scripts import enumerated_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.evaluation.values import Element, Evaluated
    from synth_machines.obligations.obligation import Obligation
    from synth_machines.sequents.scripts import Sequent


@dataclass(frozen=True, slots=True)
class SequentRefutation:
    """Elements of carrier sets, and values of names, that make the hypotheses true and the goal false."""

    carriers: Mapping[str, frozenset[Element]]
    values: Mapping[str, Evaluated]


def is_confirmed(sequent: Sequent, refutation: SequentRefutation) -> bool:
    """Return whether the hypotheses of a sequent hold and its goal does not, as the evaluator sees it."""
    evaluator = Evaluator(refutation.carriers)
    try:
        if not all(evaluator.holds(hypothesis, refutation.values) for hypothesis in sequent.hypotheses):
            return False
        return not evaluator.holds(sequent.goal, refutation.values)
    except (IllDefinedError, UnboundedError, KeyError):
        return False


def names_to_show(sequent: Sequent, obligation: Obligation) -> list[str]:
    """Return the names that matter for a refutation, except carrier sets and constants that name their elements.

    They stand in the goal, or in the hypotheses of the event.
    """
    hypotheses = obligation.hypotheses[len(obligation.hypotheses) - obligation.local :]
    names = free_names(sequent.goal, obligation.goal, *(hypothesis.predicate for hypothesis in hypotheses))
    facts = [fact for hypothesis in sequent.hypotheses for fact in conjuncts(hypothesis)]
    elements = {name for listed in enumerated_in(facts, sequent.types).values() for name in listed}
    return [name for name in names if name not in elements and name not in obligation.carriers]
