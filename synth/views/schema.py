"""JSON Schemas of what commands say with `--json`, made from the types of the JSON forms.

They lie in `schemas/` for users, a file a command; `make schemas` writes them anew. Where a command prints several
objects, a line each, the schema is that of a line.
"""

from __future__ import annotations

from pathlib import Path

from synth.enumeration.answer import CountFields
from synth.judging.answer import CheckFields, ShowFields
from synth_corpus.schema import schema_of, write_schemas, written

FOLDER = Path(__file__).parent / "schemas"
#: The type of what a command says, by the words of the command.
ANSWERS: dict[str, object] = {
    "check": CheckFields,
    "enumerate-count-only": CountFields,
    "show": ShowFields,
}


def schemas() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    return written(
        {command.replace(" --", "-").replace(" ", "-"): schema_of(kind) for command, kind in ANSWERS.items()}
    )


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
