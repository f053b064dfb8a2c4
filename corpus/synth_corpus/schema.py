"""JSON Schemas of records and manifests, made from the types of their JSON forms.

They lie in `schemas/` for users; `make schemas` writes them anew. A schema says what can be said key by key: whether an
id is that of its threads, or a checksum that of its records, readers find out.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from synth_corpus.manifest import ManifestFields
from synth_corpus.record import RecordFields

FOLDER = Path(__file__).parent / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def schemas() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    made = {
        "record": schema_of(RecordFields) | {"additionalProperties": True},
        "manifest": schema_of(ManifestFields),
    }
    return {
        f"{name}.schema.json": json.dumps({"$schema": _DIALECT, "title": name} | schema, indent=2) + "\n"
        for name, schema in made.items()
    }


def schema_of(kind: Any) -> dict[str, Any]:  # noqa: ANN401  (a type, or what the typing module makes of it)
    """The schema of the JSON values of a type: strings, numbers, lists, dicts and TypedDicts, which are closed."""
    origin, args = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        keys = get_type_hints(kind, include_extras=True)
        return {
            "type": "object",
            "description": kind.__doc__,
            "properties": {key: schema_of(of_key) for key, of_key in keys.items()},
            "required": list(keys),
            "additionalProperties": False,
        }
    made: dict[str, Any] = {}
    if origin is Annotated:
        made = schema_of(args[0]) | args[1]
    elif origin is Literal:
        made = {"enum": list(args)}
    elif origin in {Union, UnionType}:
        made = {"type": [_NAMES[arg] for arg in args]}
    elif origin is list:
        made = {"type": "array", "items": schema_of(args[0])}
    elif origin is dict:
        made = {"type": "object", "propertyNames": schema_of(args[0]), "additionalProperties": schema_of(args[1])}
    elif kind is not Any:
        made = {"type": _NAMES[kind]}
    return made


def write_schemas() -> None:
    """Write the schemas to where they are shipped from."""
    for name, text in schemas().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write_schemas()
