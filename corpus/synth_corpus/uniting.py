"""What several records say of one test, put together, and which test each name is of.

The keys of all are kept, objects key by key and lists value by value. Where two records contradict each other neither
is chosen: that is an error that names the test and the key, and whoever knows where the records stand adds the places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_storage.strict_json import Json


def unite_records(id_: str, one: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """The further keys that two records give a test.

    Raises:
        InputError: they contradict each other.
    """
    return _objects(id_, one, other, ())


def _objects(id_: str, one: Mapping[str, Json], other: Mapping[str, Json], path: tuple[str, ...]) -> dict[str, Json]:
    made = dict(one)
    for key, value in other.items():
        made[key] = _values(id_, made[key], value, (*path, key)) if key in made else value
    return made


def _values(id_: str, had: Json, value: Json, path: tuple[str, ...]) -> Json:
    if isinstance(had, dict) and isinstance(value, dict):
        return _objects(id_, had, value, path)
    if isinstance(had, list) and isinstance(value, list):
        return [*had, *(one for one in value if one not in had)]
    if type(had) is not type(value) or had != value:  # 1 == True, and JSON tells them apart
        msg = f"found {strict_json.dumps(value)} for {'.'.join(path)} of {id_} where another has "
        raise InputError(f"{msg}{strict_json.dumps(had)}, expected the same in all")
    return had


class Owners:
    """Which test each alias is of: one alias is that of one test. Held in memory, an entry an alias."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    def taken(self, id_: str, aliases: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Note the aliases of a test; those that are another's already, each with the id of that one."""
        for alias in aliases:
            owner = self._ids.setdefault(alias, id_)
            if owner != id_:
                yield alias, owner
