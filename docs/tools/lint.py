"""Lints the prose of pages, docstrings and messages: `python docs/tools/lint.py [TEXT...]`.

proselint does the matching. Its registry gets one rule of `rules.toml`, the list of banned phrases, beside the checks
of its own that are named there. proselint does not know Markdown or Python, so it is given the pieces that `texts.py`
finds, with `CODE` for inline code and for values.

`make lint` runs it on everything. A text is a page, or the docstrings and messages of a folder of Python code. With
TEXT, a page or a folder, it lints that text alone.

The rules find only phrases that they name. They do not find a sentence that is short and still a riddle; for that,
`draw.py` gives texts to a reader.
"""

from __future__ import annotations

import re
import sys
import tomllib
from bisect import bisect_right
from collections import defaultdict
from doctest import DocTestParser
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from proselint.checks import __register__ as own_checks
from proselint.config import Config
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check, CheckFlags
from proselint.registry.checks.engine import Fancy
from proselint.registry.checks.types import PreferredForms
from proselint.tools import LintFile
from texts import PACKAGES, Piece, docstrings, messages, of_markdown, pages, paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RULES = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))
QUOTED = re.compile(r"`[^`]*`|\{[^}]*\}")


class Finding(NamedTuple):
    """What a rule found in a text."""

    place: str
    rule: str
    message: str


@cache
def _config() -> Config:
    """The rule is put into proselint's registry, once, and the checks that run are named."""
    phrases, flags = PreferredForms(RULES["banned"]), CheckFlags(allow_quotes=True)
    banned = Check(phrases, Fancy(), "ours.banned", message="{1!r}; write instead: {0}", flags=flags)
    CheckRegistry().register_many((*own_checks, banned))
    return Config(max_errors=100_000, checks=dict.fromkeys(["ours", *RULES["proselint"]["checks"]], True))


def lint(unit: str, pieces: Iterable[Piece]) -> Iterator[Finding]:
    """What the rules find in the pieces of a text."""
    pieces = list(pieces)
    starts, text = [], ""
    for piece in pieces:
        starts.append(len(text) + 1)  # proselint puts a line break before
        text += QUOTED.sub("CODE", piece.text).replace("\n", " ") + "\n\n"
    config = _config()
    for found in LintFile(unit, text).lint(config) if text else ():
        result = found.check_result
        first, last = result.span
        piece = pieces[max(0, bisect_right(starts, first) - 1)]
        first_part, _, name = result.check_path.partition(".")
        part = " ".join(text[max(0, first - 1) : last - 1].split())[:60]
        yield Finding(piece.place, name if first_part == "ours" else "proselint", f"{result.message}  | {part}")


def _prose_of(docstring: Piece) -> Iterator[Piece]:
    """The paragraphs of a docstring; of its examples nothing is left but their line breaks."""
    parts = DocTestParser().parse(docstring.text)
    text = "".join(part if isinstance(part, str) else "\n" * (part.source + part.want).count("\n") for part in parts)
    yield from of_markdown(text, docstring.path, docstring.line)


def texts() -> dict[str, list[Piece]]:
    """Each page, and each folder of Python code, with its pieces. The folders `views` of all packages are one text."""
    found = defaultdict(list, {page: list(paragraphs(page)) for page in pages()})
    for package in PACKAGES:
        for docstring in docstrings(package):
            found[_folder_of(docstring)] += _prose_of(docstring)
        for message in messages(package):
            found[_folder_of(message)].append(message)
    return found


def _folder_of(piece: Piece) -> str:
    folder = Path(piece.path).parent
    return folder.name if folder.name == "views" else folder.as_posix()


def main(arguments: list[str]) -> int:
    """Lints the texts named, or all of them; 1 if anything is found."""
    all_texts = texts()
    for unknown in (unit for unit in arguments if unit not in all_texts):
        print(f"{unknown}: no page and no folder of a package; name one such as docs/do/jobs.md or jobs/synth_jobs.")
        return 2
    findings = [found for unit in arguments or all_texts for found in lint(unit, all_texts[unit])]
    for found in findings:
        print(f"{found.place}: {found.rule}: {found.message}")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
