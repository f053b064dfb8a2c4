"""The words of one line of a model's text, each with its column: what readers of expressions and automata share."""

from __future__ import annotations

import re
from typing import NoReturn

from synth_checker.errors import InputError

#: Far beyond any model; deeper expressions would exhaust Python's stack.
MAX_WORDS = 300
_WORD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[<>!=]=|\S)")


class Words:
    """The words of a text that starts at a column of its line, and how far it is read.

    Raises:
        InputError: there are too many.
    """

    def __init__(self, text: str, source: str, column: int = 1) -> None:
        self._source = source
        self._words = [(match.group(1), match.start(1) + column) for match in _WORD.finditer(text)]
        self._words.append(("", len(text) + column))
        self._at = 0
        if len(self._words) > MAX_WORDS:
            self._at = MAX_WORDS
            self.fail(f"at most {MAX_WORDS} words")

    @property
    def word(self) -> str:
        """The next word; empty at the end."""
        return self._words[self._at][0]

    def take(self) -> str:
        """The next word, which is then read. The end stays."""
        word = self.word
        self._at += word != ""
        return word

    def takes(self, word: str) -> bool:
        """Whether the next word is that one; if so, it is read."""
        return self.word == word and self.take() == word

    def expect(self, word: str) -> None:
        """Read that word."""
        if not self.takes(word):
            self.fail(repr(word))

    def fail(self, expected: str) -> NoReturn:
        """Refuse the next word, with its column."""
        word, column = self._words[self._at]
        found = repr(word) if word else "the end"
        self.refuse(f"column {column}: found {found}, expected {expected}")

    def refuse(self, what: str) -> NoReturn:
        """Refuse the line as a whole."""
        msg = f"{self._source}: {what}"
        raise InputError(msg)
