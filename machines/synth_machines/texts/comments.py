"""Which part of a component a comment belongs to.

A comment that stands behind something on the same line belongs to that part. Any other comment belongs to the part that
begins after it, or, if none does, to the one that ends there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_machines.formulas.tokens import Token


class Comments:
    """The comments of a text. `taken(position)` gives those that the tokens before a position bring with them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens: list[Token] = []
        self._texts: list[tuple[int, str]] = []  # how many tokens must be taken before the comment is, and its text
        for token in tokens:
            if token.kind != "comment":
                self.tokens.append(token)
            else:
                is_behind = bool(self.tokens) and self.tokens[-1].line == token.line
                self._texts.append((len(self.tokens) + (0 if is_behind else 1), _plain(token.text)))
        self._next = 0

    def take_until(self, position: int) -> str:
        """Return the comments that nobody took, up to the token at a position, in lines."""
        texts = []
        while self._next < len(self._texts) and self._texts[self._next][0] <= position:
            texts.append(self._texts[self._next][1])
            self._next += 1
        return "\n".join(texts)

    def rest(self) -> str:
        """Return all comments that nobody took."""
        return self.take_until(len(self.tokens) + 1)


def joined_comments(*comments: str) -> str:
    """Return comments as one."""
    return "\n".join(filter(None, comments))


def _plain(text: str) -> str:
    if text.startswith("//"):
        return text[2:].strip()
    lines = [re.sub(r"^\s*\*\s?", "", line).strip() for line in text[2:-2].splitlines()]
    return "\n".join(lines).strip()
