"""Read JSON strictly by its standard (RFC 8259), and write it in one compact form.

Equal values have equal bytes in this form.

Python's own reader also accepts `NaN`, `Infinity`, and numbers that are too large for a float. It would write these as
words that other readers do not know. If a key occurs twice in an object, it silently keeps the last value. This module
refuses all of these.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Union

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The type of values that JSON can represent.
Json: TypeAlias = Union[bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]", None]
_HALF = re.compile("[\ud800-\udfff]")


def loads(text: str | bytes) -> Any:  # noqa: ANN401  (any JSON value)
    """Return the value of a JSON text. Bytes must be UTF-8.

    Raises:
        ValueError: the text is not JSON.
        RecursionError: the JSON is nested too deeply to be read.
    """
    return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))


def dumps(value: object) -> str:
    """Return a value as compact JSON. The text is ASCII if a string in the value has half of a surrogate pair."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    if not has_half_surrogate(text):
        return text
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def has_half_surrogate(text: str) -> bool:
    """Return whether a text has half of a surrogate pair, which JSON can write, and UTF-8 cannot."""
    return not text.isascii() and _HALF.search(text) is not None


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return a JSON object as a dict. Refuse a key that occurs twice, because JSON does not say which value counts."""
    object_ = dict(pairs)
    if len(object_) < len(pairs):
        twice = next(key for k, (key, _) in enumerate(pairs) if key in dict(pairs[:k]))
        raise ValueError(f"the key {_shown(twice)} occurs twice in an object")
    return object_


def _finite_number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {_shown(text)} is too large")
    return number


def _refuse_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number in JSON")


def _shown(text: str) -> str:
    shown = reprlib.Repr()
    shown.maxstring = 80
    return shown.repr(text)


#: Made once, because `json.loads` makes a new decoder for each call that has such arguments.
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite_number, parse_constant=_refuse_number)
