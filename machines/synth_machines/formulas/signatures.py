"""The types of operators: what an operator expects of its operands, and the type of its result.

`SIGNATURES[operator](count, new)` returns the types of `count` operands and the type of the result, which is None for a
predicate. `new` makes a type variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from synth_machines.formulas.operators import ARROWS
from synth_machines.formulas.types import BOOLEAN, INTEGER, PowerType, ProductType, relation

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.formulas.types import Type

    New: TypeAlias = Callable[[], Type]
    #: The types of the operands, and that of the result.
    Signature: TypeAlias = tuple[list[Type], Type | None]

#: Constants that are predicates or truth values.
BOOLEAN_CONSTANTS = ("⊤", "⊥", "TRUE", "FALSE")


def constant_type(word: str, new: New) -> Type:
    """Return the type of a constant that is no predicate."""
    match word:
        case "TRUE" | "FALSE":
            return BOOLEAN
        case "ℤ" | "ℕ" | "ℕ1":
            return PowerType(INTEGER)
        case "BOOL":
            return PowerType(BOOLEAN)
        case "succ" | "pred":
            return relation(INTEGER, INTEGER)
        case "∅":
            return PowerType(new())
        case "id":
            element_type = new()
            return relation(element_type, element_type)
        case _:
            left, right = new(), new()
            return relation(ProductType(left, right), left if word == "prj1" else right)


def _arithmetic(count: int, _: New) -> Signature:
    return [INTEGER] * count, INTEGER


def _comparison(count: int, _: New) -> Signature:
    return [INTEGER] * count, None


def _equality(count: int, new: New) -> Signature:
    return [new()] * count, None


def _membership(_: int, new: New) -> Signature:
    element_type = new()
    return [element_type, PowerType(element_type)], None


def _sets(count: int, new: New) -> Signature:
    return [PowerType(new())] * count, None


def _union(count: int, new: New) -> Signature:
    set_type = PowerType(new())
    return [set_type] * count, set_type


def _pair(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [left, right], ProductType(left, right)


def _product(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [PowerType(left), PowerType(right)], relation(left, right)


def _arrow(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [PowerType(left), PowerType(right)], PowerType(relation(left, right))


def _powers(_: int, new: New) -> Signature:
    set_type = PowerType(new())
    return [set_type], PowerType(set_type)


def _flattened(_: int, new: New) -> Signature:
    set_type = PowerType(new())
    return [PowerType(set_type)], set_type


def _members(count: int, new: New) -> Signature:
    element_type = new()
    return [element_type] * count, PowerType(element_type)


def _number_of(kind: str) -> Callable[[int, New], Signature]:
    def signature(_: int, new: New) -> Signature:
        return [PowerType(new() if kind == "any" else INTEGER)], INTEGER

    return signature


def _of_relation(result: str) -> Callable[[int, New], Signature]:
    def signature(_: int, new: New) -> Signature:
        left, right = new(), new()
        results: dict[str, Type] = {
            "dom": PowerType(left),
            "ran": PowerType(right),
            "∼": relation(right, left),
        }
        return [relation(left, right)], results[result]

    return signature


def _application(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [relation(left, right), left], right


def _image(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [relation(left, right), PowerType(left)], PowerType(right)


def _of_domain(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [PowerType(left), relation(left, right)], relation(left, right)


def _of_range(_: int, new: New) -> Signature:
    left, right = new(), new()
    return [relation(left, right), PowerType(right)], relation(left, right)


def _chain(count: int, new: New) -> Signature:
    types = [new() for _ in range(count + 1)]
    return [relation(types[place], types[place + 1]) for place in range(count)], relation(types[0], types[-1])


def _backward_chain(count: int, new: New) -> Signature:
    operands, result = _chain(count, new)
    return operands[::-1], result


def _direct_product(_: int, new: New) -> Signature:
    from_, left, right = new(), new(), new()
    return [relation(from_, left), relation(from_, right)], relation(from_, ProductType(left, right))


def _parallel_product(_: int, new: New) -> Signature:
    one, other, left, right = new(), new(), new(), new()
    result = relation(ProductType(one, other), ProductType(left, right))
    return [relation(one, left), relation(other, right)], result


def _interval(_: int, __: New) -> Signature:
    return [INTEGER, INTEGER], PowerType(INTEGER)


def _override(count: int, new: New) -> Signature:
    relation_type = relation(new(), new())
    return [relation_type] * count, relation_type


def _finite(_: int, new: New) -> Signature:
    return [PowerType(new())], None


SIGNATURES: dict[str, Callable[[int, New], Signature]] = {
    **dict.fromkeys(("+", "−", "∗", "÷", "mod", "^"), _arithmetic),
    **dict.fromkeys(("<", "≤", ">", "≥"), _comparison),
    **dict.fromkeys(("=", "≠"), _equality),
    **dict.fromkeys(("∈", "∉"), _membership),
    **dict.fromkeys(("⊆", "⊂", "⊈", "⊄", "partition"), _sets),
    **dict.fromkeys(("∪", "∩", "∖"), _union),
    **dict.fromkeys(ARROWS, _arrow),
    **dict.fromkeys(("ℙ", "ℙ1"), _powers),
    **dict.fromkeys(("union", "inter"), _flattened),
    **dict.fromkeys(("min", "max"), _number_of("integers")),
    **dict.fromkeys(("◁", "⩤"), _of_domain),
    **dict.fromkeys(("▷", "⩥"), _of_range),
    **{word: _of_relation(word) for word in ("dom", "ran", "∼")},
    "card": _number_of("any"),
    "finite": _finite,
    "↦": _pair,
    "×": _product,
    "{,}": _members,
    "()": _application,
    "[]": _image,
    ";": _chain,
    "∘": _backward_chain,
    "⊗": _direct_product,
    "∥": _parallel_product,
    "‥": _interval,
    "<+": _override,
}
