"""JSON Schemas of records and manifests, made from the Python types of their JSON forms.

`schemas/` holds them for users; `make schemas` writes them. A schema covers only what can be checked key by key. It
cannot check whether an id belongs to its threads, or a checksum to its records; the readers of these files do that.

`schema_of` also makes the schemas of the answers of commands (`synth.schema`).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from synth_corpus.manifest import ManifestFields
from synth_corpus.record import RecordFields
from synth_storage.answer_json import answer_keys, answer_types

FOLDER = Path(__file__).parent / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}

#: A JSON Schema, and the values that it may contain.
Schema: TypeAlias = "dict[str, Value]"
Value: TypeAlias = "str | int | float | bool | Sequence[Value] | Mapping[str, Value] | None"


def schemas() -> dict[str, str]:
    """Return the text of each schema, by the name of its file."""
    return schema_texts(
        {"record": schema_of(RecordFields) | {"additionalProperties": True}, "manifest": schema_of(ManifestFields)}
    )


def schema_texts(all_schemas: Mapping[str, Schema]) -> dict[str, str]:
    """Return the texts of schemas, by the names of their files.

    `all_schemas` holds them by the names of what they describe.
    """
    return {
        f"{name}.schema.json": json.dumps({"$schema": _DIALECT, "title": name} | schema, indent=2) + "\n"
        for name, schema in all_schemas.items()
    }


def schema_of(kind: object) -> Schema:
    """Return the schema for the JSON values of a type: simple types, lists, dicts, TypedDicts and answers.

    The schema of an object allows no further keys. A type is a class, or a type that the module `typing` makes; `Any`
    stands for any value.
    """
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and (keys := _keys_of(kind)) is not None:
        return _of_object(kind, keys)
    schema: Schema = {}
    if origin is Annotated:
        schema = schema_of(args[0]) | dict(args[1])
    elif origin is Literal:
        schema = {"enum": list(args)}
    elif origin in {Union, UnionType}:
        simple = [_NAMES[arg] for arg in args if get_origin(arg) is None and arg in _NAMES]
        schema = {"type": simple} if len(simple) == len(args) else {"anyOf": [schema_of(arg) for arg in args]}
    elif isinstance(kind, type) and issubclass(kind, Enum):
        schema = {"enum": [member.value for member in kind]}
    elif origin in {list, Sequence, frozenset} or (origin is tuple and args[1:] == (...,)):
        schema = {"type": "array", "items": schema_of(args[0])}
    elif origin is tuple:
        items = [schema_of(arg) for arg in args]
        schema = {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    elif origin in {dict, Mapping}:
        schema = {"type": "object", "propertyNames": schema_of(args[0]), "additionalProperties": schema_of(args[1])}
    elif kind is not Any:
        schema = {"type": _NAMES[kind]}
    return schema


def _keys_of(kind: type) -> dict[str, tuple[object, bool]] | None:
    """Return the type of each key of a class, and whether the key may be missing; None for what is no object."""
    if is_typeddict(kind):
        types = get_type_hints(kind, include_extras=True)
        optional = {key: get_args(of_key)[0] for key, of_key in types.items() if get_origin(of_key) is NotRequired}
        return {key: (of_key, key in optional) for key, of_key in (types | optional).items()}
    if (keys := answer_keys(kind)) is None:
        return None
    types = answer_types(kind)
    return {key: (_present(types[key]) if may_miss else types[key], may_miss) for key, may_miss in keys.items()}


def _of_object(kind: type, keys: Mapping[str, tuple[object, bool]]) -> Schema:
    """Return the schema of a class by the type of each key, and whether the key may be missing."""
    return {
        "type": "object",
        "description": inspect.cleandoc(kind.__doc__ or ""),
        "properties": {key: schema_of(of_key) for key, (of_key, _) in keys.items()},
        "required": [key for key, (_, may_miss) in keys.items() if not may_miss],
        "additionalProperties": False,
    }


def _present(kind: object) -> object:
    """Return the type without None, which stands for a key that is not there."""
    kinds = [arg for arg in get_args(kind) if arg is not NoneType]
    return kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007  (of a list of types)


def write_schemas(texts: Mapping[str, str], folder: Path) -> None:
    """Write the texts of schemas into the folder from which they ship."""
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
