"""What a published table means, in TOML: no table says this itself.

    device = "Phone X"
    framework = "Vulkan"
    source = "https://example.org/results"  # where the table was published
    timeout = 20                            # seconds; without it, no hang of the table counts as confirmed
    tests = "row.corpus"                    # the tests, aliases SUITE/0, SUITE/1, ...; a path starts from this file

    [cells]
    P = "ended"                             # what happened in all launches
    F = "given up"                          # what happened in some launches
    launches = 20

    [columns."All at once"]                 # each column of the table
    run = true
    mapping = "chunked"

    [columns."Not tried"]
    run = false

A column that nobody ran must say so, because tables have `P` there, too. A key or a column that is not known is refused
with the one that is nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict, cast

from synth_backends.mapping import Across, read_mapping
from synth_checker.errors import InputError
from synth_checker.nearest import check_known, unknown
from synth_checker.toml_text import read_toml
from synth_storage.typed_json import checked

_Launches = Annotated[int, {"minimum": 1, "maximum": 1_000_000}]


class CellsFields(TypedDict):
    """What the letters in the cells of a table stand for, and how many launches a cell has."""

    P: Literal["ended"]
    F: Literal["given up", "lost", "crashed"]
    launches: _Launches


class ColumnFields(TypedDict):
    """A column. The keys after `run` are for columns that were run. Without `instances`, their number is unknown."""

    run: bool
    mapping: NotRequired[str]
    instances: NotRequired[Annotated[int, {"minimum": 1}]]
    stress: NotRequired[Annotated[int, {"minimum": 0}]]
    across: NotRequired[Across]
    launches: NotRequired[_Launches]


class DescriptionFields(TypedDict):
    """The file as it is written."""

    device: str
    framework: str
    source: str
    timeout: NotRequired[Annotated[float, {"minimum": 0.001}]]
    order: NotRequired[str]
    tests: str
    suite: NotRequired[str]
    cells: CellsFields
    columns: dict[str, ColumnFields]


@dataclass(frozen=True, slots=True)
class Column:
    """A column that was run: how tests were launched, and how many launches each of its cells has.

    `instances` is 0 if nobody knows how many ran at once.
    """

    heading: str
    mapping: str
    instances: int
    stress: int
    across: Across
    launches: int


@dataclass(frozen=True, slots=True)
class TableDescription:
    """What a table means. `columns` has those that were run, and `idle` the headings of those that were not."""

    fields: DescriptionFields
    columns: tuple[Column, ...]
    idle: tuple[str, ...]

    @property
    def device(self) -> str:
        """The name of the device in the campaign."""
        return f"published:{self.fields['device']}"

    @property
    def driver(self) -> str:
        """One line that says what the device is, and who says so."""
        return f"{self.fields['device']} through {self.fields['framework']}, as published in {self.fields['source']}"

    def check_headings(self, headings: tuple[str, ...], place: str) -> None:
        """Check that the description is about the columns of a table. `place` says in messages where the table is.

        Raises:
            InputError: the table has a column that is not described, or lacks one that is.
        """
        for heading in headings:
            if heading not in self.fields["columns"]:
                near = unknown("column", heading, self.fields["columns"], "one that the description names")
                raise InputError(
                    f"{place}: {near}; say in [columns.{_quoted(heading)}] what it is, and whether it was run"
                )
        for heading in self.fields["columns"]:
            check_known(f"{place}: column of the description", heading, headings)


def description_of(text: str, source: str) -> TableDescription:
    """Read a description. `source` says in messages where it comes from.

    Raises:
        InputError: the text is no TOML, or has a key or a value that is not allowed.
    """
    try:
        table = read_toml(text)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    fields = checked(table, DescriptionFields, source)
    for key in ("device", "framework", "source", "tests"):
        if not cast("dict[str, str]", fields)[key].strip():
            raise InputError(f"{source}: {key}: found an empty text, expected {_MEANINGS[key]}")
    columns, idle = [], []
    for heading, column in fields["columns"].items():
        if column["run"]:
            columns.append(_column(heading, column, fields["cells"]["launches"], source))
        elif len(column) > 1:
            raise InputError(
                f"{source}: columns.{_quoted(heading)}: it was not run, so no other key is allowed beside run = false"
            )
        else:
            idle.append(heading)
    if not columns:
        raise InputError(f"{source}: columns: found none that was run, expected at least one with run = true")
    return TableDescription(fields, tuple(columns), tuple(idle))


_MEANINGS = {
    "device": "the name of the device",
    "framework": "the interface through which tests were run, such as Vulkan",
    "source": "where the table was published",
    "tests": "a corpus",
}


def _column(heading: str, column: ColumnFields, launches: int, source: str) -> Column:
    place = f"{source}: columns.{_quoted(heading)}"
    if "mapping" not in column:
        raise InputError(f"{place}: the key mapping is missing; a column with run = true needs it")
    try:
        launch_mapping = read_mapping(column["mapping"])
    except InputError as error:
        raise type(error)(f"{place}: {error}") from error
    mapping = launch_mapping.name
    instances = 1 if mapping == "plain" else column.get("instances", 0)
    if mapping == "plain" and column.get("instances", 1) != 1:
        raise InputError(f"{place}: found {column['instances']} instances, expected 1 under the mapping plain")
    across = column.get("across", launch_mapping.kind.across)
    return Column(heading, mapping, instances, column.get("stress", 0), across, column.get("launches", launches))


def _quoted(heading: str) -> str:
    return '"' + heading.replace("\\", "\\\\").replace('"', '\\"') + '"'
