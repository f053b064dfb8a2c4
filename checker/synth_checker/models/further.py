"""Models that ship with `synth` in addition to the six of the library, one small text file each in `further/`.

Their names are known wherever a model is accepted. A question judges them only if it names them. A corpus records their
text, as it does for a model that a user wrote, so that the corpus means the same in every release.

`resident-K` stands for one model for each number K. Its file has a `K` where that number belongs.
"""

from __future__ import annotations

import functools
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.models.model_text import read_model

if TYPE_CHECKING:
    from synth_checker.models.model import Model

#: The names of the models, in the order in which they are listed.
FURTHER = ("highest-first", "resident-K", "round-robin")
_RESIDENT = re.compile(r"resident-([1-9][0-9]?)")


@functools.cache
def further_model(name: str) -> Model | None:
    """Return the model in `further/` with this name, or None if there is none.

    In `resident-K`, K is a number from 1 to 99.
    """
    match = _RESIDENT.fullmatch(name)
    if match:
        return read_model(_text("resident-K").replace("K", match[1]), name)
    return read_model(_text(name), name) if name in FURTHER and name != "resident-K" else None


def further_abouts() -> dict[str, str]:
    """Return a description of each model in `further/`, by its name: the comment in its file."""
    lines = {name: _text(name).splitlines() for name in FURTHER}
    return {name: " ".join(line[1:].strip() for line in text if line.startswith("#")) for name, text in lines.items()}


def _text(name: str) -> str:
    return (files("synth_checker.models") / "further" / f"{name}.model").read_text("utf-8")
