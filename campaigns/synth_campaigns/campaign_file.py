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

from synth_campaigns.settings import Launches, Policy, Run, Settings
from synth_checker.errors import InputError, check_type
from synth_checker.nearest import unknown
from synth_checker.toml_text import read_toml
from synth_storage.files import read_small

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_TOP = ("seed", "order", "suite", "run", "launches", "policy")
_Part = TypeVar("_Part", Run, Launches, Policy)
#: Keys of the file whose fields have another name.
_KEYS = {"timeout_s": "timeout", "confirm_s": "confirm", "preparation_s": "preparation"}


def settings_of(text: str) -> Settings:
    """Read the text of a campaign file.

    Raises:
        InputError: the text is not TOML, or a key or a value in it is wrong.
    """
    found = read_toml(text)
    _check_keys(found, _TOP, "")
    suite = _table(found.get("suite", {}), "suite")
    _check_keys(suite, ("tests",), "suite.")
    runs = found.get("run", [])
    check_type("run", runs, list, "one or more parts [[run]]")
    given: dict[str, Any] = {key: found[key] for key in ("seed", "order") if key in found}
    return Settings(
        suite=_texts("suite.tests", suite.get("tests", [])),
        runs=tuple(
            _run(_table(one, f"run {number}"), f"run {number}: ")
            for number, one in enumerate(cast("list[object]", runs), 1)
        ),
        launches=_part(Launches, _table(found.get("launches", {}), "launches"), "launches."),
        policy=_part(Policy, _table(found.get("policy", {}), "policy"), "policy."),
        **given,
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
        msg = f"{path}: {error}"
        raise type(error)(msg) from error


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


def _run(given: Mapping[str, Any], place: str) -> Run:
    if "device" not in given:
        msg = f'{place}the key device is missing; write, for example, device = "cpu"'
        raise InputError(msg)
    made = dict(given)
    if "mappings" in made:
        made["mappings"] = _texts(f"{place}mappings", made["mappings"])
    return _part(Run, made, place)


def _part(kind: type[_Part], given: Mapping[str, Any], place: str) -> _Part:
    names = {_KEYS.get(field.name, field.name): field.name for field in fields(kind)}
    _check_keys(given, tuple(names), place)
    if "count" in given and "until" in given:
        msg = f"{place}count cannot be combined with {place}until; use one of the two"
        raise InputError(msg)
    try:
        return kind(**{names[key]: value for key, value in given.items()})
    except InputError as error:
        msg = f"{place}{error}"
        raise type(error)(msg) from error


def _fields(part: Run | Launches | Policy) -> dict[str, object]:
    found = {_KEYS.get(field.name, field.name): getattr(part, field.name) for field in fields(part)}
    if found.get("until") is not None:
        del found["count"]
    return {key: value for key, value in found.items() if value is not None}


def _rows(values: Mapping[str, object]) -> str:
    # JSON writes texts, numbers and lists of texts as TOML does, except for one character, which TOML escapes.
    rows = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items())
    return "".join(rows).replace("\x7f", "\\u007f")


def _check_keys(given: Mapping[str, object], known: tuple[str, ...], place: str) -> None:
    for key in given:
        if key not in known:
            raise unknown(f"{place}key", key, known)


def _table(found: object, what: str) -> Mapping[str, Any]:
    check_type(what, found, dict, f"a part [{what}] with keys")
    return cast("dict[str, Any]", found)


def _texts(what: str, found: object) -> tuple[str, ...]:
    check_type(what, found, list, "a list of texts")
    texts = cast("list[str]", found)
    for text in texts:
        check_type(what, text, str, "a text in each place of the list")
    return tuple(texts)
