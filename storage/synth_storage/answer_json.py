"""The JSON of an answer: an object with a key for each field of its class.

The class is the only definition of an answer. `json_of` makes its JSON, `synth_corpus.schema` its JSON Schema, and the
text views and the Python interface read its attributes. Answers are dataclasses or named tuples, and hold texts,
numbers, lists, dictionaries and other answers.

JSON and JSON Schema leave out a field of a dataclass that is marked `HIDDEN`, which only views need, and one marked
`OPTIONAL` where it is None.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import SimpleNamespace
from typing import TypeAlias, TypeVar, cast, get_type_hints

#: The metadata of fields that JSON leaves out: always, or where they are None.
HIDDEN = {"json": "hidden"}
OPTIONAL = {"json": "optional"}

T = TypeVar("T")
_MISSING = object()
Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


def json_of(answer: object) -> Json:
    """Return the JSON of an answer, or of a part of one.

    Raises:
        TypeError: something in it has no JSON.
    """
    if isinstance(answer, Enum):
        return json_of(answer.value)
    if answer is None or isinstance(answer, str | int | float):
        return answer
    if (keys := answer_keys(answer.__class__)) is not None:
        values = ((key, getattr(answer, key)) for key in keys)
        return {key: json_of(value) for key, value in values if value is not None or not keys[key]}
    if isinstance(answer, Mapping):
        return {str(key): json_of(value) for key, value in answer.items()}
    if isinstance(answer, Sequence | frozenset):
        return list(map(json_of, sorted(answer) if isinstance(answer, frozenset) else answer))
    raise TypeError(f"{type(answer).__name__} has no JSON")


def answer_from(kind: type[T], *sources: object, **other: object) -> T:
    """Return an answer with values of other objects.

    Each field is copied from the first source that has an attribute of its name. `other` gives the fields that no
    source has, or has with another type.
    """
    names: tuple[str, ...] = getattr(kind, "__match_args__", ())
    return kind(**{name: other[name] if name in other else _attribute(sources, name) for name in names})


def _attribute(sources: Sequence[object], name: str) -> object:
    for source in sources:
        if (value := getattr(source, name, _MISSING)) is not _MISSING:
            return value
    raise AttributeError(f"{name}: no source of the answer has it")


def answer_keys(kind: type) -> dict[str, bool] | None:
    """Return the keys of the JSON of a class, each with whether it is optional; None if it is no class of answers."""
    return _cached_keys(cast("Hashable", kind))


@functools.cache
def _cached_keys(kind: type) -> dict[str, bool] | None:
    if is_dataclass(kind):
        how = {field.name: field.metadata.get("json") for field in fields(kind)}
        return {name: word == "optional" for name, word in how.items() if word != "hidden"}
    names: tuple[str, ...] | None = getattr(kind, "_fields", None)
    return None if names is None else dict.fromkeys(names, False)


def answer_types(kind: type) -> dict[str, object]:
    """Return the types of the keys of a class of answers. The types of hidden fields need not be imported."""
    keys = answer_keys(kind) or {}
    types: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        own = {name: text for name, text in inspect.get_annotations(base).items() if name in keys}
        names = vars(sys.modules[base.__module__])
        types |= get_type_hints(SimpleNamespace(__annotations__=own), names, include_extras=True)
    return {key: types[key] for key in keys}
