"""Models that ship beside the six of the paper, one small text file each in `further/`.

They are known by name wherever a model is accepted. Unlike the six they are part of no question unless they are asked
for, and a corpus records their text as it records that of a user's own model: it means the same in every release.

`resident-K` stands for a model for each number K; its file says `K` where the number belongs.
"""

from __future__ import annotations

import functools
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.models.reading import read_model

if TYPE_CHECKING:
    from synth_checker.models.model import Model

#: The names of the models, in the order in which they are listed.
FURTHER = ("highest-first", "resident-K", "round-robin")
_RESIDENT = re.compile(r"resident-([1-9][0-9]?)")


@functools.cache
def further_model(name: str) -> Model | None:
    """The model of a name, or None if none that ships beside the six is called so; K is a number from 1 to 99."""
    match = _RESIDENT.fullmatch(name)
    if match:
        return read_model(_text("resident-K").replace("K", match[1]), name)
    return read_model(_text(name), name) if name in FURTHER and name != "resident-K" else None


def further_abouts() -> dict[str, str]:
    """What each model says, in words: the comment of its file."""
    lines = {name: _text(name).splitlines() for name in FURTHER}
    return {name: " ".join(line[1:].strip() for line in text if line.startswith("#")) for name, text in lines.items()}


def _text(name: str) -> str:
    return (files("synth_checker.models") / "further" / f"{name}.model").read_text("utf-8")
