"""The obligations of predicates that stand in a list: axioms, and with the same rules invariants.

Each must be well defined where the earlier ones hold, and a theorem must follow from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_machines.formulas.definedness import well_definedness
from synth_machines.formulas.formula import FALSITY
from synth_machines.obligations.obligation import Obligation, SourcedPredicate, is_trivial

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from synth_machines.checked_components import CheckedContext
    from synth_machines.components import LabelledPredicate
    from synth_machines.formulas.types import Type


def of_context(context: CheckedContext) -> Iterator[Obligation]:
    """Yield the obligations of a context."""
    extended = context.all_axioms[: len(context.all_axioms) - len(context.axioms)]
    before = [SourcedPredicate(labelled.label, labelled.predicate) for labelled in extended]
    yield from of_list(context.name, context.axioms, before, context.types, context.carriers)


def consistency_of(context: CheckedContext) -> Obligation:
    """Return the obligation that ⊥ follows from the axioms of a context.

    It must be refuted: else everything follows, and no proof about a machine that sees the context means anything.
    """
    axioms = tuple(SourcedPredicate(axiom.label, axiom.predicate) for axiom in context.all_axioms)
    count = len(axioms)
    types, carriers, is_partial = context.types, context.carriers, not context.is_whole
    return Obligation(context.name, "axioms", "SAT", axioms, FALSITY, types, carriers, None, count, is_partial)


def of_list(
    component: str,
    labelled: Sequence[LabelledPredicate],
    before: Sequence[SourcedPredicate],
    types: Mapping[str, Type],
    carriers: tuple[str, ...],
) -> Iterator[Obligation]:
    """Yield WD and THM of predicates in a list; `before` are the hypotheses of the first of them."""
    hypotheses = list(before)
    for labelled_predicate in labelled:
        known = tuple(hypotheses)
        goal = well_definedness(labelled_predicate.predicate, types)
        if not is_trivial(goal, carriers):
            yield Obligation(component, f"{labelled_predicate.label}/WD", "WD", known, goal, types, carriers)
        if labelled_predicate.is_theorem and not is_trivial(labelled_predicate.predicate, carriers):
            yield Obligation(
                component,
                f"{labelled_predicate.label}/THM",
                "THM",
                known,
                labelled_predicate.predicate,
                types,
                carriers,
            )
        hypotheses.append(SourcedPredicate(labelled_predicate.label, labelled_predicate.predicate))
