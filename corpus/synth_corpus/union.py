"""Join several records of one test, which may have different keys, and check that each alias belongs to one test.

The *further keys* of a record are those after the verdicts, such as `aliases` and `results`. The result has the further
keys of all records. Objects are joined key by key, and lists value by value. If two records have different values for a
key and the values cannot be joined, an error names the test and the key; the caller adds the places of the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_storage.strict_json import Json


def unite_records(id_: str, first: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """Join the further keys of two records of the same test, and return the result.

    Raises:
        InputError: the two records contradict each other.
    """
    return _objects(id_, first, other, ())


def _objects(id_: str, first: Mapping[str, Json], other: Mapping[str, Json], path: tuple[str, ...]) -> dict[str, Json]:
    united = dict(first)
    for key, value in other.items():
        united[key] = _values(id_, united[key], value, (*path, key)) if key in united else value
    return united


def _values(id_: str, had: Json, value: Json, path: tuple[str, ...]) -> Json:
    if isinstance(had, dict) and isinstance(value, dict):
        return _objects(id_, had, value, path)
    if isinstance(had, list) and isinstance(value, list):
        return [*had, *(entry for entry in value if entry not in had)]
    if type(had) is not type(value) or had != value:  # 1 == True, and JSON tells them apart
        msg = f"found the values {strict_json.dumps(had)} and {strict_json.dumps(value)} of the key {'.'.join(path)}"
        raise InputError(f"{msg} for the test {id_}, expected the same in all corpora")
    return had


class AliasOwners:
    """The test to which each alias belongs. All aliases are kept in memory."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def taken(self, id_: str, aliases: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Store the aliases of a test.

        Yield the aliases that belong to another test already, each with the id of that other test.
        """
        for alias in aliases:
            owner = self._ids.setdefault(alias, id_)
            if owner != id_:
                yield alias, owner
