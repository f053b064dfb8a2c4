"""Reserved names: a word that begins with `@` is the name of something that ships with `synth`, and not a path.

The package that ships something finds it by this name. No command writes to a path that begins with `@`.
"""

from __future__ import annotations

from pathlib import Path

from synth_checker.errors import InputError

_SIGN = "@"


def is_reserved(word: str | Path) -> bool:
    """Return whether a word is the name of something that ships. A word that is an existing path is always a path."""
    return str(word).startswith(_SIGN) and not Path(word).exists()


def refuse_reserved(path: Path) -> None:
    """Raise InputError if a path that is to be written is a reserved name."""
    if is_reserved(path):
        raise InputError(
            f"{path}: names that begin with @ belong to what ships with synth; give a path that begins otherwise"
        )
