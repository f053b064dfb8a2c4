"""A setting: the elements of carrier sets and the values of constants, for which a machine is animated.

A carrier set that an axiom lists, such as `partition(S, {a}, {b})`, has these elements. Any other has a size that
somebody gives, and elements such as S1 and S2. A constant has a value that somebody gives, or the only one that the
axioms allow. All axioms must hold.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import unknown
from synth_machines.evaluation.evaluator import Evaluator
from synth_machines.evaluation.values import (
    Element,
    IllDefinedError,
    LazySet,
    TooLargeError,
    UnboundedError,
    written_value,
)
from synth_machines.formulas.formula import BoundName, FormulaName, FormulaOperation, conjunction, conjuncts
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_expression
from synth_machines.formulas.types import CarrierType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_machines.checked_components import CheckedMachine
    from synth_machines.evaluation.values import Evaluated
    from synth_machines.formulas.formula import Formula
    from synth_machines.formulas.types import Type

#: A carrier set may have so many elements.
_MOST_ELEMENTS = 100


@dataclass(frozen=True, slots=True, eq=False)
class AnimationSetting:
    """What does not change: an evaluator that knows the carrier sets, and the values of constants.

    `values` also has the elements of carrier sets under their own names, such as S1. `texts` are the words that
    somebody gave.
    """

    evaluator: Evaluator
    values: Mapping[str, Evaluated]
    types: Mapping[str, Type]
    texts: Mapping[str, str]

    def read(self, text: str, kind: Type) -> Evaluated:
        """Return the value that a text without variables has.

        Raises:
            InputError: the text is no expression of this type, or has no finite value.
        """
        return _value_of(text, kind, self.evaluator, self.values, self.types)


def setting_of(machine: CheckedMachine, texts: Mapping[str, str], where: str = "--set") -> AnimationSetting:
    """Return the setting of a machine, where `texts` has sizes of carrier sets and values of constants as text.

    `where` names for messages what they were given in, such as an option.

    Raises:
        InputError: something is missing or can't be read, an axiom does not hold, or a constant may have other values.
    """
    variables = {*machine.variables, *machine.hidden}
    constants = [name for name in machine.types if name not in variables and name not in machine.carriers]
    for name in texts:
        if name not in machine.carriers and name not in constants:
            raise unknown("setting", name, [*machine.carriers, *constants], "a carrier set or a constant")
    carriers, values = _carriers(machine, texts, where)
    types = {
        **{name: CarrierType(value.carrier) for name, value in values.items() if isinstance(value, Element)},
        **{name: kind for name, kind in machine.types.items() if name not in variables},
    }
    evaluator = Evaluator(carriers)
    for name in constants:
        if name in texts and name not in values:
            try:
                values[name] = _value_of(texts[name], machine.types[name], evaluator, values, types)
            except InputError as error:
                raise type(error)(f"setting: {name}: {error}") from None
    values = _completed(machine, [name for name in constants if name not in values], values, evaluator, where)
    return AnimationSetting(evaluator, values, types, dict(texts))


def _value_of(
    text: str, kind: Type, evaluator: Evaluator, values: Mapping[str, Evaluated], types: Mapping[str, Type]
) -> Evaluated:
    scope = Scope(types)
    formula = scope.typed(scope.expression(read_expression(text), kind))
    try:
        value = evaluator.value(formula, values)
    except IllDefinedError:
        raise InputError(f"found {quoted(text)}, expected an expression that is well defined") from None
    except TooLargeError as error:
        raise InputError(f"found {error}, expected a smaller value") from None
    except (UnboundedError, KeyError):
        value = None
    if value is None or isinstance(value, LazySet):
        raise InputError(f"found {quoted(text)}, expected an expression with a finite value") from None
    return value


def _carriers(
    machine: CheckedMachine, texts: Mapping[str, str], where: str
) -> tuple[dict[str, frozenset[Element]], dict[str, Evaluated]]:
    """Return the elements of carrier sets, and those that have a name of their own or are called S1, S2 and so on."""
    carriers: dict[str, frozenset[Element]] = {}
    values: dict[str, Evaluated] = {}
    for name in machine.carriers:
        listed = _listed(machine, name)
        if listed is not None and name in texts:
            raise InputError(f"setting: found a size of {name}, expected none, because an axiom lists its elements")
        if listed is None:
            elements = [Element(name, number) for number in range(_size(name, texts, where))]
        else:
            elements = [Element(name, number, constant) for number, constant in enumerate(listed)]
        carriers[name] = frozenset(elements)
        for element in elements:
            if listed is None and str(element) in machine.types:
                raise InputError(
                    f"setting: found the name {element} in {machine.name}, expected it for an element of {name}"
                )
            values[str(element)] = element
    return carriers, values


def _size(name: str, texts: Mapping[str, str], where: str) -> int:
    text = texts.get(name)
    if text is None:
        raise InputError(f"setting: found no size of the carrier set {name}, expected one, such as {name}=2 in {where}")
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= _MOST_ELEMENTS:
        raise InputError(f"setting: found {name}={quoted(text)}, expected a number from 1 to {_MOST_ELEMENTS}")
    return int(text)


def _listed(machine: CheckedMachine, carrier: str) -> list[str] | None:
    """Return the constants that an axiom says are all elements of a carrier set, each another one."""
    for axiom in machine.axioms:
        for part in conjuncts(axiom.predicate):
            match part:
                case FormulaOperation("partition", (FormulaName(name), *parts)) if name == carrier:
                    names = [_single(part) for part in parts]
                    if all(value is not None for value in names):
                        return [value for value in names if value is not None]
    return None


def _single(formula: Formula) -> str | None:
    match formula:
        case FormulaOperation("{,}", (FormulaName(name),)):
            return name
        case _:
            return None


def _completed(
    machine: CheckedMachine, missing: list[str], values: dict[str, Evaluated], evaluator: Evaluator, where: str
) -> dict[str, Evaluated]:
    """Return values with those of the missing constants, if the axioms allow just one."""
    axioms = [axiom for axiom in machine.axioms if not axiom.is_theorem]
    bound = tuple(BoundName(name, machine.types[name]) for name in missing)
    condition = conjunction([axiom.predicate for axiom in axioms])
    label = ""
    try:
        if not missing:
            for axiom in axioms:
                label = axiom.label
                if not evaluator.holds(axiom.predicate, values):
                    raise InputError(f"setting: found values for which the axiom {label} does not hold")
            return values
        tried = evaluator.tried(bound, condition, values)
        solutions = list(itertools.islice((values for values in tried if evaluator.holds(condition, values)), 2))
    except TooLargeError as error:
        raise InputError(f"setting: found {error}, expected smaller values in {where}") from None
    except UnboundedError as error:
        what = f"{error}=… in {where}" if str(error) in missing else f"a value for each constant in {where}"
        raise InputError(f"setting: found no finite number of values for {error}, expected {what}") from None
    except IllDefinedError as error:
        raise InputError(f"setting: found values for which {error} in an axiom is ill-defined{label}") from None
    if not solutions:
        raise InputError(f"setting: found no values of {', '.join(missing)} for which all axioms hold")
    if len(solutions) > 1:
        name = next((name for name in missing if solutions[0][name] != solutions[1][name]), missing[0])
        first, second = (written_value(values[name]) for values in solutions)
        what = f"several values of {name}, such as {first} and {second}"
        raise InputError(f"setting: found {what}, expected {name}=… in {where}")
    return solutions[0]
