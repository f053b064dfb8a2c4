"""Corpora that ship with the package: the complete tests of the paper's bounds.

`@complete/3x4` names one wherever a corpus is expected. They lie in `data/`, a folder each, as any corpus does;
`make corpora` makes them anew (`synth.shipping`).
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from synth_checker.errors import InputError

DATA = Path(str(files("synth_corpus"))) / "data"
#: The bounds of the paper's Table 2.
BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
NAMES = tuple(f"@complete/{bound}" for bound in BOUNDS)


def is_shipped_name(word: str | Path) -> bool:
    """Whether a word is meant as the name of a shipped corpus; a folder is never, if it is there."""
    return str(word).startswith("@") and not Path(word).exists()


def located(word: str | Path) -> Path:
    """The folder of a corpus that a word of the command line names: a path, or the name of one that ships.

    Raises:
        InputError: no corpus of this name is shipped.
    """
    if not is_shipped_name(word):
        return Path(word)
    if str(word) not in NAMES:
        msg = f"{word}: found no corpus of this name, expected one of {', '.join(NAMES)}"
        raise InputError(msg)
    return DATA / str(word).removeprefix("@")
