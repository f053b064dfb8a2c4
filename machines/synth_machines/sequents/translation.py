"""What all parts of the translation of formulas share: bound names, and symbols that stand for a part of a formula."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

from synth_machines.formulas.inference import type_of
from synth_machines.formulas.names import free_names
from synth_machines.sequents.sets import Sets
from synth_machines.sequents.values import SetValue, UnsupportedError, Value, set_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.formula import BoundName, Formula
    from synth_machines.formulas.types import Type
    from synth_machines.sequents.declarations import Symbols

#: The values of bound names, with their types.
Bindings: TypeAlias = "dict[str, tuple[Value, Type]]"


def type_of_bound_name(bound: BoundName) -> Type:
    """Return the type of a bound name."""
    if bound.type is None:
        raise UnsupportedError(f"{bound.name}, whose type is not known")
    return bound.type


class Translator(ABC):
    """Translates formulas; subclasses say how."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.sets = Sets(symbols)
        self._known: dict[tuple[object, ...], str] = {}

    @abstractmethod
    def predicate(self, formula: Formula, bound: Bindings | None = None) -> str:
        """Return a predicate as a term."""

    @abstractmethod
    def value(self, formula: Formula, env: Bindings) -> Value:
        """Return an expression as a value."""

    def type_of(self, formula: Formula, env: Bindings) -> Type:
        """Return the type of an expression."""
        return type_of(formula, {**self.symbols.types, **{name: kind for name, (_, kind) in env.items()}})

    def set(self, formula: Formula, env: Bindings) -> SetValue:
        """Return an expression that is a set."""
        return set_of(self.value(formula, env))

    def quantified(
        self, word: str, bound: tuple[BoundName, ...], env: Bindings, body: Callable[[Bindings], str]
    ) -> str:
        """Return a term that quantifies over bound names."""
        if not bound:
            return body(env)
        first, *others = bound
        return self.symbols.quantify(
            word,
            type_of_bound_name(first),
            lambda value: self.quantified(
                word, tuple(others), {**env, first.name: (value, type_of_bound_name(first))}, body
            ),
        )

    def known(self, word: str, formula: Formula, env: Bindings, sort: str, axiom: Callable[[str], str]) -> str:
        """Return a symbol for a word and a formula, always the same one, with an axiom about it."""
        used = [env[name][0] for name in free_names(formula) if name in env]
        terms = tuple(part for value in used for part in self.symbols.components(value))
        scope = self.symbols.scope
        if not used:
            self.symbols.scope = []
        key = (word, formula, terms, *self.symbols.scope)
        if key not in self._known:
            self._known[key] = term = self.symbols.scoped_term("k", sort)
            self.symbols.state(axiom(term))
        self.symbols.scope = scope
        return self._known[key]
