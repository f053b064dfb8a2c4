"""Draws pieces of prose for a reader who has not seen them: `python docs/tools/draw.py --seed 1 --kind messages`.

The reader restates each piece in other words, without looking at its place. What he gets wrong, or has to ask about, is
unclear and is rewritten. The same seed draws the same pieces from the same tree.

The reader sees what stands beside a piece: for a docstring the name and the signature of what it describes, and for a
message the function that has it.
"""

from __future__ import annotations

import argparse
import random
import textwrap
from functools import cache
from typing import TYPE_CHECKING

from texts import PACKAGES, WORD, Piece, docstrings, messages, pages, paragraphs

if TYPE_CHECKING:
    from collections.abc import Callable

#: A shorter paragraph or docstring says too little to be misunderstood.
SHORTEST = 8


def _paragraphs() -> list[Piece]:
    found = (piece for page in pages() if page.startswith("docs/") for piece in paragraphs(page))
    return [piece for piece in found if piece.kind == "paragraph" and len(WORD.findall(piece.text)) >= SHORTEST]


def _docstrings() -> list[Piece]:
    found = (piece for package in PACKAGES for piece in docstrings(package))
    return [piece for piece in found if len(WORD.findall(piece.text)) >= SHORTEST]


def _messages() -> list[Piece]:
    return [piece for package in PACKAGES for piece in messages(package)]


KINDS: dict[str, Callable[[], list[Piece]]] = {
    "paragraphs": _paragraphs,
    "messages": _messages,
    "docstrings": _docstrings,
}


@cache
def pieces(kind: str) -> tuple[Piece, ...]:
    """The pieces of a kind. Of pieces with the same text there is one."""
    return tuple({piece.text: piece for piece in KINDS[kind]()}.values())


def draw(kind: str, seed: int, number: int) -> list[Piece]:
    """So many pieces of a kind, or all if there are fewer, in random order."""
    found = pieces(kind)
    return random.Random(f"{kind} {seed}").sample(found, min(number, len(found)))  # noqa: S311 - a sample, no secret


def main(arguments: list[str] | None = None) -> None:
    """Prints the pieces, numbered, each with its place and its owner."""
    parser = argparse.ArgumentParser(description="Draw pieces of prose to be restated by a reader.")
    parser.add_argument("--seed", type=int, required=True, help="the same seed draws the same pieces")
    parser.add_argument("--kind", choices=KINDS, help="one kind instead of all")
    parser.add_argument("--number", type=int, default=40, help="how many of each kind (default: 40)")
    given = parser.parse_args(arguments)
    for kind in [given.kind] if given.kind else KINDS:
        for index, piece in enumerate(draw(kind, given.seed, given.number), 1):
            print(f"{kind} {index}  {piece.place}")
            if piece.owner:
                print(f"    [{piece.owner}]")
            print(textwrap.indent(piece.text.strip("\n"), "    ") + "\n")


if __name__ == "__main__":
    main()
