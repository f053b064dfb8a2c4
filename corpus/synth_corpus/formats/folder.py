"""Write formats that consist of a folder of texts: the whole folder appears at once, when all texts are written.

An index in the folder says what the folder is. So only an earlier export of the same kind is ever replaced.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_storage.folder_description import is_of_kind
from synth_storage.folders import FolderKind, put_folder

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX = "index.json"
#: The most bytes of an index.
_LONGEST_INDEX = 1 << 16


def put_texts(texts: Iterable[tuple[str, str]], place: Path, kind: str, *, force: bool) -> None:
    """Write a folder of text files, and an index file that names the kind of the folder.

    `texts` has the relative path and the text of each file. With `force`, the function replaces an earlier folder of
    the same kind.

    Raises:
        InputError: two texts have the same path, or the folder cannot be put at `place`.
        ResourceError: writing failed.
    """

    def is_earlier(folder: Path) -> bool:
        index = folder / INDEX
        return index.is_file() and is_of_kind(index, kind, _LONGEST_INDEX)

    def fill(new: Path) -> None:
        count = 0
        for name, text in texts:
            try:
                (new / name).parent.mkdir(parents=True, exist_ok=True)
                with (new / name).open("x", encoding="utf-8", newline="\n") as file:
                    file.write(text)
            except (FileExistsError, NotADirectoryError):
                raise InputError(
                    f"{place}: two tests have the same file {name!r}; give them different aliases"
                ) from None
            count += 1
        (new / INDEX).write_text(json.dumps({"format": 1, "kind": kind, "files": count}, indent=2) + "\n", "utf-8")

    put_folder(place, fill, FolderKind(f"an earlier export of {kind}", is_earlier), force=force)
