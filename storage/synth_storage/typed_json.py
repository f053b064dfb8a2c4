r"""Check a JSON value against a Python type, and say in plain English what is wrong with it.

The types are those of which `synth_corpus.schema` makes a JSON Schema: TypedDicts and what they hold. A schema serves
other programs; its messages name paths and rules of the schema. The messages here name the key, what was found and what
was expected. Of an `Annotated` type this module checks `minimum`, `maximum` and `pattern`.

JSON can hold half of a surrogate pair, such as `"\ud800"`. No text has one here, because neither UTF-8 nor SQLite can.
"""

from __future__ import annotations

import functools
import re
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from synth_checker.errors import InputError, excerpt
from synth_checker.nearest import hint
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterator

_T = TypeVar("_T")
_NAMES: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


def checked(value: object, kind: type[_T], source: str) -> _T:
    """Return a JSON value whose type is `kind`. `source` says in messages where the value comes from.

    Raises:
        InputError: the value is not of that type; the message says which part of it is wrong.
    """
    if fault := _fault(value, kind, ""):
        raise InputError(f"{source}: {fault}")
    return cast("_T", value)


def _fault(value: object, kind: object, path: str) -> str:
    """Return what is wrong with a value; nothing if it is of this type."""
    return next(_faults(value, kind, path), "")


def _faults(value: object, kind: object, path: str) -> Iterator[str]:
    """Yield what is wrong with a value. What comes after the first fault may only follow from it."""
    if (
        type(kind) is type and type(value) is kind and kind in _NAMES and not _has_half_surrogate(value)
    ):  # nearly all values
        return
    origin, args = get_origin(kind), get_args(kind)
    is_object = isinstance(kind, type) and is_typeddict(kind)
    if isinstance(value, dict) and is_object:
        yield from _faults_of_object(value, cast("type", kind), f"{path}." if path else "")
    elif isinstance(value, dict) and origin is dict:
        for key, member in value.items():
            yield from _faults(key, args[0], f"a key of {path}")
            yield from _faults(member, args[1], f"{path}.{key}")
    elif isinstance(value, list) and origin is list:
        for k, member in enumerate(value):
            yield from _faults(member, args[0], f"{path}[{k}]")
    elif isinstance(value, list) and (of_list := _list_of(origin, args)) is not None:
        yield from _faults(value, of_list, path)
    elif origin is Annotated:
        yield from _faults(value, args[0], path)
        yield from _limit_faults(value, args[1], path)
    elif not _is_simple(value, kind):
        yield f"{path}: found {_shown(value)}, expected {_type_words(kind)}".removeprefix(": ")


def _list_of(origin: object, args: tuple[object, ...]) -> object | None:
    """Return the only list among the types of a union, whose faults say more than that the union has another type."""
    lists = [arg for arg in args if get_origin(arg) is list]
    return lists[0] if origin in {Union, UnionType} and len(lists) == 1 else None


def _has_half_surrogate(value: object) -> bool:
    return type(value) is str and strict_json.has_half_surrogate(value)


def _is_simple(value: object, kind: object) -> bool:
    """Return whether a value is of a type that is not made of others, or of one of several types."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return any(not _fault(value, arg, "") for arg in args)
    if origin is Literal:
        return any(value == arg and type(value) is type(arg) for arg in args)
    if _has_half_surrogate(value):
        return False
    return kind is Any or type(value) is kind or (kind is float and type(value) is int)  # JSON has one kind of number


def _faults_of_object(object_: dict[str, object], kind: type, before: str) -> Iterator[str]:
    keys = _keys_of(kind)
    for key in object_:
        if key not in keys:
            yield f"found the unknown key {excerpt(before + key)!r}{hint(key, keys)}"
    for key, of_key in keys.items():
        is_optional = get_origin(of_key) is NotRequired
        if key in object_:
            yield from _faults(object_[key], get_args(of_key)[0] if is_optional else of_key, before + key)
        elif not is_optional:
            yield f"the key {before + key!r} is missing"


@functools.cache
def _keys_of(kind: type) -> dict[str, object]:
    """Return the type of each key. A file may have many thousand values of one type, so it is evaluated once."""
    return get_type_hints(kind, include_extras=True)


def _limit_faults(value: object, limits: dict[str, object], path: str) -> Iterator[str]:
    pattern, least, most = (limits.get(key) for key in ("pattern", "minimum", "maximum"))
    if isinstance(value, str) and isinstance(pattern, str) and not re.search(pattern, value):
        yield f"{path}: found {excerpt(value)!r}, expected a text like {pattern}"
    if isinstance(value, int | float):
        if isinstance(least, int | float) and value < least:
            yield f"{path}: found {value}, expected at least {least}"
        if isinstance(most, int | float) and value > most:
            yield f"{path}: found {value}, expected at most {most}"


def _shown(value: object) -> str:
    """Return a value as a message shows it: a text or number itself, and of a list or an object what it is."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str | int | float):
        return excerpt(repr(value)) + ", which has half of a character" * _has_half_surrogate(value)
    return "a list" if isinstance(value, list) else "an object"


def _type_words(kind: object) -> str:
    """Return the name of a type in plain English."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _type_words(args[0])
    if origin in {Union, UnionType}:
        return " or ".join(_type_words(arg) for arg in args)
    if origin is Literal:
        return " or ".join(_shown(arg) for arg in args)
    if origin is list:
        return "a list"
    if origin is dict:
        return "an object"
    return _NAMES.get(kind, "an object")
