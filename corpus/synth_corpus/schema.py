"""JSON Schemas of records and manifests, made from the Python types of their JSON forms.

`schemas/` holds them for users; `make schemas` writes them. A schema covers only what can be checked key by key. It
cannot check whether an id belongs to its threads, or a checksum to its records; the readers of these files do that.

`schema_of` also makes the schemas of the answers of commands (`synth.schema`).
"""

from __future__ import annotations

import inspect
import json
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    """Return the schema for the JSON values of a type: strings, numbers, enumerations, lists, dicts and TypedDicts.

    The schema of a TypedDict allows no further keys. A type is a class, or a type that the module `typing` makes; `Any`
    stands for any value.
    """
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_typeddict(kind):
        return _of_typed_dict(kind)
    schema: Schema = {}
    if origin is Annotated:
        schema = schema_of(args[0]) | args[1]
    elif origin is Literal:
        schema = {"enum": list(args)}
    elif origin in {Union, UnionType}:
        simple = [_NAMES[arg] for arg in args if get_origin(arg) is None and arg in _NAMES]
        schema = {"type": simple} if len(simple) == len(args) else {"anyOf": [schema_of(arg) for arg in args]}
    elif isinstance(kind, type) and issubclass(kind, Enum):
        schema = {"enum": [member.value for member in kind]}
    elif origin is list:
        schema = {"type": "array", "items": schema_of(args[0])}
    elif origin is tuple:
        items = [schema_of(arg) for arg in args]
        schema = {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    elif origin is dict:
        schema = {"type": "object", "propertyNames": schema_of(args[0]), "additionalProperties": schema_of(args[1])}
    elif kind is not Any:
        schema = {"type": _NAMES[kind]}
    return schema


def _of_typed_dict(kind: type) -> Schema:
    keys = get_type_hints(kind, include_extras=True)
    optional = {key: get_args(of_key)[0] for key, of_key in keys.items() if get_origin(of_key) is NotRequired}
    return {
        "type": "object",
        "description": inspect.cleandoc(kind.__doc__ or ""),
        "properties": {key: schema_of(of_key) for key, of_key in (keys | optional).items()},
        "required": [key for key in keys if key not in optional],
        "additionalProperties": False,
    }


def write_schemas(texts: Mapping[str, str], folder: Path) -> None:
    """Write the texts of schemas into the folder from which they ship."""
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
