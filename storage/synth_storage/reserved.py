"""Names that are no paths: a word that begins with `@` names something that ships with the program.

Whoever ships something looks its name up. Nothing is ever written to a place of such a name.
"""

from __future__ import annotations

from pathlib import Path

from synth_checker.errors import InputError

_SIGN = "@"


def is_reserved(word: str | Path) -> bool:
    """Whether a word is meant as the name of something that ships; a path that exists is always a path."""
    return str(word).startswith(_SIGN) and not Path(word).exists()


def refuse_reserved(path: Path) -> None:
    """Raise InputError where a path that is to be written is such a name."""
    if is_reserved(path):
        msg = f"{path}: found the name of something that ships with synth, which can't be replaced, expected a path"
        raise InputError(msg)
