"""The corpora that ship with the package: all tests of 2x2 to 3x4, and minimal tests of more bounds.

Their names are words such as `@complete/3x4` and `@minimal/3x5`, which can stand wherever a corpus is expected. Each is
a folder in `data/`, like any other corpus. `make corpora` makes them again, by
`synth_search.enumeration.shipped_corpora`.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from synth_checker.errors import InputError
from synth_checker.nearest import hint
from synth_storage.reserved_names import is_reserved

DATA = Path(str(files("synth_corpus"))) / "data"
#: The bounds of the corpora that ship, by kind. The complete ones are the bounds of the paper's Table 2.
BOUNDS = {
    "complete": ("2x2", "2x3", "2x4", "3x3", "3x4"),
    "minimal": ("2x2", "2x3", "2x4", "2x5", "3x3", "3x4", "3x5", "4x4", "4x5"),
}
NAMES = tuple(f"@{kind}/{bound}" for kind, bounds in BOUNDS.items() for bound in bounds)


def locate_corpus(word: str | Path) -> Path:
    """Return the folder of the corpus that a word of the command line names.

    The word is a path, or the name of a corpus that ships.

    Raises:
        InputError: no corpus of this name ships, or the word is empty.
    """
    if not str(word):
        raise InputError("'': the name of the corpus is empty; give a path, or the name of a corpus that ships")
    if not is_reserved(word):
        return Path(word)
    if str(word) not in NAMES:
        advice = hint(str(word), NAMES)
        raise InputError(f"{word}: no corpus of this name ships with synth{advice}, expected one of {', '.join(NAMES)}")
    return DATA / str(word).removeprefix("@")
