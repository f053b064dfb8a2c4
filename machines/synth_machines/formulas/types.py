"""Types: ℤ, BOOL, a carrier set, ℙ(T) and T×U.

A `TypeVariable` stands for a type that is not known yet. Only `inference` makes such types, and its results have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class IntegerType:
    """The type of integers, ℤ."""


@dataclass(frozen=True, slots=True)
class BooleanType:
    """The type BOOL, with the values TRUE and FALSE."""


@dataclass(frozen=True, slots=True)
class CarrierType:
    """The type of the elements of a carrier set."""

    name: str


@dataclass(frozen=True, slots=True)
class PowerType:
    """The type ℙ(T) of sets."""

    of: Type


@dataclass(frozen=True, slots=True)
class ProductType:
    """The type T×U of pairs."""

    left: Type
    right: Type


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """A type that is not known yet."""

    number: int


Type: TypeAlias = IntegerType | BooleanType | CarrierType | PowerType | ProductType | TypeVariable
INTEGER = IntegerType()
BOOLEAN = BooleanType()


def relation(left: Type, right: Type) -> PowerType:
    """Return the type of relations between two types, ℙ(T×U)."""
    return PowerType(ProductType(left, right))


def has_integers(type_: Type) -> bool:
    """Return whether integers are a part of a type, so that it has infinitely many values."""
    match type_:
        case PowerType(of):
            return has_integers(of)
        case ProductType(left, right):
            return has_integers(left) or has_integers(right)
    return isinstance(type_, IntegerType)


def shown_type(type_: Type, *, is_factor: bool = False) -> str:
    """Return a type as it is written in formulas."""
    match type_:
        case IntegerType():
            return "ℤ"
        case BooleanType():
            return "BOOL"
        case CarrierType(name):
            return name
        case PowerType(of):
            return f"ℙ({shown_type(of)})"
        case ProductType(left, right):
            text = f"{shown_type(left)}×{shown_type(right, is_factor=True)}"
            return f"({text})" if is_factor else text
        case TypeVariable():
            return "?"


def is_finite_type(type_: Type) -> bool:
    """Return whether a type is finite by its construction: BOOL, products and powers of it."""
    match type_:
        case BooleanType():
            return True
        case PowerType(of):
            return is_finite_type(of)
        case ProductType(left, right):
            return is_finite_type(left) and is_finite_type(right)
        case _:
            return False
