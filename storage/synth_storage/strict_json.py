"""JSON as its standard (RFC 8259) has it, and one way to write it: compact, so that equal values are equal bytes.

Python's own reader also takes `NaN`, `Infinity` and numbers too large for it, which it would write as words that no
other reader knows, and of two values under one key it keeps the last. Here these are no JSON.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, Union

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: A value that JSON can write.
Json: TypeAlias = Union[bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]", None]
_HALF = re.compile("[\ud800-\udfff]")


def loads(text: str | bytes) -> Any:  # noqa: ANN401  (any JSON value)
    """The value of a JSON text; bytes are UTF-8.

    Raises:
        ValueError: it is none; RecursionError: it is nested too deeply to be read.
    """
    return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))


def dumps(value: object) -> str:
    """A value as compact JSON; in ASCII where it holds what no text has and JSON can write, half a surrogate pair."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    if text.isascii() or not _HALF.search(text):
        return text
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """A JSON object as a dict; of two values under one key JSON does not say which is meant."""
    made = dict(pairs)
    if len(made) < len(pairs):
        twice = next(key for k, (key, _) in enumerate(pairs) if key in dict(pairs[:k]))
        msg = f"the key {_shown(twice)} twice in an object"
        raise ValueError(msg)
    return made


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        msg = f"the number {_shown(text)}, too large to be one"
        raise ValueError(msg)
    return number


def _refuse(word: str) -> NoReturn:
    msg = f"{word}, which is no number in JSON"
    raise ValueError(msg)


def _shown(text: str) -> str:
    shown = reprlib.Repr()
    shown.maxstring = 80
    return shown.repr(text)


#: Made once: `json.loads` would make one a call where it is told what to do.
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_refuse)
