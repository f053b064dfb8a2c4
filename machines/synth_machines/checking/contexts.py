"""Check contexts: names that are not declared twice, and axioms that give every constant a type."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.checked import CheckedContext
from synth_machines.checking.refusals import about, refuse_twice
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.types import CarrierType, PowerType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_machines.components import Context, Labelled
    from synth_machines.formulas.types import Type


def checked_context(context: Context, extended: Sequence[CheckedContext]) -> CheckedContext:
    """Return a context, checked; `extended` are those that it extends.

    Raises:
        InputError: something in the context is not valid.
    """
    types, carriers, before = joined_contexts(context.name, extended)
    names = [one.name for one in (*context.sets, *context.constants)]
    with about(context.name):
        refuse_primes(names)
        refuse_twice(names, types)
        refuse_twice((one.label for one in context.axioms), what="label")
    scope = Scope(types)
    for one in context.sets:
        scope.types[one.name] = PowerType(CarrierType(one.name))
    constants = [one.name for one in context.constants]
    scope.add(constants)
    found = read_all(context.name, context.axioms, scope)
    with about(context.name):
        scope.finish(constants)
    axioms = typed_all(context.name, found, scope)
    all_carriers = (*carriers, *(one.name for one in context.sets))
    return CheckedContext(context, axioms, (*before, *axioms), dict(scope.types), all_carriers)


def joined_contexts(
    component: str, contexts: Sequence[CheckedContext]
) -> tuple[dict[str, Type], tuple[str, ...], tuple[Labelled, ...]]:
    """Return the types, the carrier sets and the axioms of several contexts, each axiom once.

    Raises:
        InputError: two contexts declare the same name.
    """
    types: dict[str, Type] = {}
    carriers: dict[str, None] = {}
    axioms: dict[int, Labelled] = {}
    for context in contexts:
        for name, kind in context.types.items():
            if name in types and types[name] != kind:
                raise InputError(f"{component}: found the name {name} in two contexts, expected different names")
            types[name] = kind
        carriers |= dict.fromkeys(context.carriers)
        axioms |= {id(one): one for one in context.all_axioms}
    return types, tuple(carriers), tuple(axioms.values())


def read_all(component: str, labelled: Iterable[Labelled], scope: Scope) -> list[Labelled]:
    """Take what predicates say about types; `typed_all` finishes them."""
    found = []
    for one in labelled:
        with about(component, one.label, part=one):
            found.append(replace(one, predicate=scope.predicate(one.predicate)))
    return found


def typed_all(component: str, labelled: Iterable[Labelled], scope: Scope) -> tuple[Labelled, ...]:
    """Fill in the types of predicates that `read_all` returned."""
    found = []
    for one in labelled:
        with about(component, one.label, part=one):
            found.append(replace(one, predicate=scope.typed(one.predicate)))
    return tuple(found)


def refuse_primes(names: Iterable[str]) -> None:
    """Raise InputError if a declared name ends in a prime."""
    for name in names:
        if name.endswith("'"):
            raise InputError(f"found the name {name}, expected one without a prime")


def without(types: Mapping[str, Type], names: Iterable[str]) -> dict[str, Type]:
    """Return types without those of some names."""
    hidden = set(names)
    return {name: kind for name, kind in types.items() if name not in hidden}
