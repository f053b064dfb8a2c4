"""JSON Schemas of what commands say with `--json`, made from the types of the JSON forms.

They lie in `schemas/` for users, a file a command; `make schemas` writes them anew. Where a command prints several
objects, a line each, the schema is that of a line.
"""

from __future__ import annotations

from pathlib import Path

from synth.enumeration.answer import CountFields
from synth.explaining.answer import ExplainFields
from synth.judging.answer import CheckFields, ShowFields
from synth.judging.shrinking import ShrinkFields
from synth.suites.answer import SuiteFields
from synth_corpus.schema import schema_of, write_schemas, written

FOLDER = Path(__file__).parent / "schemas"
#: The type of what a command says, by the words of the command.
ANSWERS: dict[str, object] = {
    "check": CheckFields,
    "enumerate-count-only": CountFields,
    "explain": ExplainFields,
    "show": ShowFields,
    "shrink": ShrinkFields,
    "suite": SuiteFields,
}


def schemas() -> dict[str, str]:
    """The text of each schema by the name of its file."""
    return written(
        {command.replace(" --", "-").replace(" ", "-"): schema_of(kind) for command, kind in ANSWERS.items()}
    )


if __name__ == "__main__":
    write_schemas(schemas(), FOLDER)
