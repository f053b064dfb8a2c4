"""Check contexts: names that are not declared twice, and axioms that give every constant a type."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.checked_components import CheckedContext
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.names import free_names
from synth_machines.formulas.types import CarrierType, PowerType
from synth_machines.omissions import Omissions
from synth_machines.static_checks.refusals import errors_in, refuse_twice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from synth_machines.components import Context, Identifier, LabelledPredicate
    from synth_machines.formulas.types import Type


def checked_context(context: Context, extended: Sequence[CheckedContext], omissions: Omissions) -> CheckedContext:
    """Return a context, checked; `extended` are those that it extends.

    Raises:
        InputError: something in the context is not valid, and `omissions` does not take it.
    """
    types, carriers, before = joined_contexts(context.name, extended)
    sets = declared_names(context.name, context.sets, types, omissions)
    constants = declared_names(context.name, context.constants, {*types, *sets}, omissions)
    different = without_repeated_labels(context.name, context.axioms, omissions)
    scope = Scope(types)
    for name in sets:
        scope.types[name] = PowerType(CarrierType(name))
    axioms = typed_with(context.name, constants, different, scope, omissions)
    is_whole = not omissions.found and all(context.is_whole for context in extended)
    all_axioms = (*before, *axioms)
    left_out = tuple(omissions.found)
    return CheckedContext(context, axioms, all_axioms, dict(scope.types), (*carriers, *sets), left_out, is_whole)


def joined_contexts(
    component: str, contexts: Sequence[CheckedContext]
) -> tuple[dict[str, Type], tuple[str, ...], tuple[LabelledPredicate, ...]]:
    """Return the types, the carrier sets and the axioms of several contexts, each axiom once.

    Raises:
        InputError: two contexts declare the same name.
    """
    types: dict[str, Type] = {}
    carriers: dict[str, None] = {}
    axioms: dict[int, LabelledPredicate] = {}
    for context in contexts:
        for name, kind in context.types.items():
            if name in types and types[name] != kind:
                raise InputError(f"{component}: found the name {name} in two contexts, expected different names")
            types[name] = kind
        carriers |= dict.fromkeys(context.carriers)
        axioms |= {id(axiom): axiom for axiom in context.all_axioms}
    return types, tuple(carriers), tuple(axioms.values())


def declared_names(
    component: str, identifiers: Iterable[Identifier], taken: Iterable[str], omissions: Omissions
) -> list[str]:
    """Return the names of identifiers; a name that is taken or ends in a prime is left out."""
    names: list[str] = []
    for identifier in identifiers:
        with omissions.part(), errors_in(component):
            refuse_primes([identifier.name])
            refuse_twice([identifier.name], {*taken, *names})
            names.append(identifier.name)
    return names


def without_repeated_labels(
    component: str, labelled: Iterable[LabelledPredicate], omissions: Omissions
) -> list[LabelledPredicate]:
    """Return predicates without those whose label an earlier one has."""
    by_label: dict[str, LabelledPredicate] = {}
    for labelled_predicate in labelled:
        with omissions.part(), errors_in(component):
            refuse_twice([labelled_predicate.label], by_label, "label")
            by_label[labelled_predicate.label] = labelled_predicate
    return list(by_label.values())


def typed_with(
    component: str, names: Iterable[str], labelled: Iterable[LabelledPredicate], scope: Scope, omissions: Omissions
) -> tuple[LabelledPredicate, ...]:
    """Add names to a scope, whose types follow from predicates. Return the predicates with their types.

    A name without a type is left out, and then all predicates that need it. If a predicate about the name was left out
    before, the reason is known already.
    """
    names, labelled = list(names), list(labelled)
    scope.add(names)
    read = read_all(component, labelled, scope, omissions)
    kept = {hypothesis.label for hypothesis in read}
    explained = free_names(
        *(labelled_predicate.predicate for labelled_predicate in labelled if labelled_predicate.label not in kept)
    )
    for name in names:
        with Omissions(are_allowed=True).part() if name in explained else omissions.part(), errors_in(component):
            scope.finish([name])
    if lost := [name for name in names if scope.is_open(name)]:
        for name in lost:
            del scope.types[name]
        read = read_all(component, read, scope, omissions)
    return typed_all(component, read, scope, omissions)


def read_all(
    component: str, labelled: Iterable[LabelledPredicate], scope: Scope, omissions: Omissions
) -> list[LabelledPredicate]:
    """Take what predicates say about types; `typed_all` finishes them."""
    predicates = []
    for labelled_predicate in labelled:
        with omissions.part(), errors_in(component, labelled_predicate.label, part=labelled_predicate):
            predicates.append(replace(labelled_predicate, predicate=scope.predicate(labelled_predicate.predicate)))
    return predicates


def typed_all(
    component: str, labelled: Iterable[LabelledPredicate], scope: Scope, omissions: Omissions
) -> tuple[LabelledPredicate, ...]:
    """Fill in the types of predicates that `read_all` returned."""
    predicates = []
    for labelled_predicate in labelled:
        with omissions.part(), errors_in(component, labelled_predicate.label, part=labelled_predicate):
            predicates.append(replace(labelled_predicate, predicate=scope.typed(labelled_predicate.predicate)))
    return tuple(predicates)


def refuse_primes(names: Iterable[str]) -> None:
    """Raise InputError if a declared name ends in a prime."""
    for name in names:
        if name.endswith("'"):
            raise InputError(f"found the name {name}, expected one without a prime")
