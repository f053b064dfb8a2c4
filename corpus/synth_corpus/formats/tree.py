"""The formats `tree` and `tree-artifact`: a folder with a file for each test, for tools that need one file a test.

    out/2t_3i/44.txt         a test that has an alias, under its first one
    out/2+1/00_0-0011.txt    any other, under its split and its id

Any format that reads files can read such a folder: each file becomes a test, and its path becomes an alias.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.question import split_name
from synth_corpus.formats import artifact, text
from synth_corpus.formats.folder import put_texts
from synth_corpus.formats.format import Export, Format
from synth_corpus.parts import aliases_in
from synth_corpus.tally import sizes_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_KIND = "progress litmus tests, one a file"


def _put(export: Export, place: Path, *, force: bool, body: Callable[[str], str]) -> None:
    texts = ((_path(test.id, aliases_in(test.more)), body(test.id)) for test in export.tests())
    put_texts(texts, place, _KIND, force=force)


def _path(id_: str, aliases: list[str]) -> str:
    """Return the path of a test's file.

    Raises:
        InputError: the alias of the test leads out of the folder.
    """
    if not aliases:
        return f"{split_name(sizes_of(id_.encode()))}/{id_}.txt"
    parts = aliases[0].split("/")
    if any(not part or part.startswith(".") or not part.isprintable() or "\\" in part for part in parts):
        raise InputError(f"alias of {id_}: found {aliases[0]!r}, expected a relative path, such as suite/test1")
    return f"{aliases[0]}.txt"


FORMATS = tuple(
    Format(name=name, says=says, suffix="", put=functools.partial(_put, body=body))
    for name, says, body in (
        ("tree", "a folder with a text file for each test", text.body),
        ("tree-artifact", "a folder with a file in format artifact for each test", artifact.body),
    )
)
