"""Read and write the file of a campaign, which is in TOML.

    seed = 0
    order = "shuffled"        # or "as-given", "informative"

    [suite]
    tests = ["@minimal/2x3"]  # ids, names, files, corpora

    [[run]]
    device = "sim:strided"
    mappings = ["plain", "chunked"]

    [launches]
    count = 20                # or until = 0.05

    [policy]
    wedged = "pause"

A file must have `[suite]` and at least one `[[run]]`. All else has defaults. An unknown key is an error. The message
names the nearest known key.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

from synth_campaigns.settings import LaunchSettings, Policy, RunSettings, Settings
from synth_checker.errors import InputError, check_type
from synth_checker.nearest import check_known
from synth_checker.toml_text import read_toml
from synth_storage.files import read_small

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_TOP = ("seed", "order", "suite", "run", "launches", "policy")
_Part = TypeVar("_Part", RunSettings, LaunchSettings, Policy)
#: Keys of the file whose fields have another name.
_KEYS = {"timeout_s": "timeout", "confirm_s": "confirm", "preparation_s": "preparation"}


def settings_of(text: str) -> Settings:
    """Read the text of a campaign file.

    Raises:
        InputError: the text is not TOML, or a key or a value in it is wrong.
    """
    table = read_toml(text)
    _check_keys(table, _TOP, "")
    suite = _table(table.get("suite", {}), "suite")
    _check_keys(suite, ("tests",), "suite.")
    runs = table.get("run", [])
    check_type("run", runs, list, "one or more parts [[run]]")
    settings: dict[str, Any] = {key: table[key] for key in ("seed", "order") if key in table}
    return Settings(
        suite=_texts("suite.tests", suite.get("tests", [])),
        runs=tuple(
            _run(_table(run, f"run {number}"), f"run {number}: ")
            for number, run in enumerate(cast("list[object]", runs), 1)
        ),
        launches=_part(LaunchSettings, _table(table.get("launches", {}), "launches"), "launches."),
        policy=_part(Policy, _table(table.get("policy", {}), "policy"), "policy."),
        **settings,
    )


def read_settings(path: Path, expected: str = "the file of a campaign") -> Settings:
    """Read a campaign file. `expected` says in messages what the file should be.

    Raises:
        InputError: the file cannot be read, or is not valid.
    """
    text = read_small(path, expected)
    try:
        return settings_of(text)
    except InputError as error:
        raise type(error)(f"{path}: {error}") from error


def text_of(settings: Settings) -> str:
    """Return the file of a campaign, with all keys."""
    parts = [
        _rows({"seed": settings.seed, "order": settings.order}),
        "[suite]\n" + _rows({"tests": list(settings.suite)}),
        *("[[run]]\n" + _rows(_fields(run)) for run in settings.runs),
        "[launches]\n" + _rows(_fields(settings.launches)),
        "[policy]\n" + _rows(_fields(settings.policy)),
    ]
    return "\n".join(parts)


def _run(table: Mapping[str, Any], place: str) -> RunSettings:
    if "device" not in table:
        raise InputError(f'{place}the key device is missing; write, for example, device = "cpu"')
    values = dict(table)
    if "mappings" in values:
        values["mappings"] = _texts(f"{place}mappings", values["mappings"])
    return _part(RunSettings, values, place)


def _part(kind: type[_Part], table: Mapping[str, Any], place: str) -> _Part:
    names = {_KEYS.get(field.name, field.name): field.name for field in fields(kind)}
    _check_keys(table, tuple(names), place)
    if "count" in table and "until" in table:
        raise InputError(f"{place}count cannot be combined with {place}until; use one of the two")
    try:
        return kind(**{names[key]: value for key, value in table.items()})
    except InputError as error:
        raise type(error)(f"{place}{error}") from error


def _fields(part: RunSettings | LaunchSettings | Policy) -> dict[str, object]:
    values = {_KEYS.get(field.name, field.name): getattr(part, field.name) for field in fields(part)}
    if values.get("until") is not None:
        del values["count"]
    return {key: value for key, value in values.items() if value is not None}


def _rows(values: Mapping[str, object]) -> str:
    # JSON writes texts, numbers and lists of texts as TOML does, except for one character, which TOML escapes.
    rows = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return "".join(rows).replace("\x7f", "\\u007f")


def _check_keys(table: Mapping[str, object], known: tuple[str, ...], place: str) -> None:
    for key in table:
        check_known(f"{place}key", key, known)


def _table(value: object, what: str) -> Mapping[str, Any]:
    check_type(what, value, dict, f"a part [{what}] with keys")
    return cast("dict[str, Any]", value)


def _texts(what: str, value: object) -> tuple[str, ...]:
    check_type(what, value, list, "a list of texts")
    texts = cast("list[str]", value)
    for text in texts:
        check_type(what, text, str, "a text in each place of the list")
    return tuple(texts)
