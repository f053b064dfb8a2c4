"""Formats that are a folder of texts: written one by one as they are made, and the whole put in place at once.

An index beside them says what the folder is, so that an earlier export, and nothing else, is ever replaced.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.described import says_kind
from synth_storage.folders import FolderKind, put_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX = "index.json"
#: Bytes, more than any index has.
_LONGEST_INDEX = 1 << 16


def put_texts(texts: Iterable[tuple[str, str]], place: Path, kind: str, *, force: bool) -> None:
    """Make a folder of texts, given with their paths in it, and an index that says of which kind it is.

    Raises:
        InputError: two texts have one path, nothing can be put there, or whatever making the texts raises.
        ResourceError: writing failed.
    """

    def is_earlier(folder: Path) -> bool:
        index = folder / INDEX
        return index.is_file() and says_kind(index, kind, _LONGEST_INDEX)

    def fill(new: Path) -> None:
        count = 0
        for name, text in texts:
            try:
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                with (new / name).open("x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
            except (FileExistsError, NotADirectoryError):
                msg = f"{place}: found {name!r} as the file of two tests, expected a file for each test"
                raise InputError(msg) from None
            count += 1
        (new / INDEX).write_text(json.dumps({"format": 1, "kind": kind, "files": count}, indent=2) + "\n", "utf-8")

    put_folder(place, fill, FolderKind(f"an earlier export of {kind}", is_earlier), force=force)
