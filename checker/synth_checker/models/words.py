"""Split a line of a model's text into words with their columns, for the readers of expressions and of automata."""

from __future__ import annotations

import re
from typing import NoReturn

from synth_checker.errors import InputError

#: The most words of a line. No useful model needs so many, and longer expressions would exhaust Python's call stack.
MAX_WORDS = 300
_WORD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|[0-9]+|\.\.|[<>!=]=|\S)")


class Words:
    """The words of a text, and the position up to which they have been read.

    `column` is the column of its line at which the text starts; `source` is its name in messages.

    Raises:
        InputError: there are more than `MAX_WORDS` words.
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
        """Return the next word without moving on to the one after it; at the end of the text, return an empty word."""
        return self._words[self._at][0]

    def take(self) -> str:
        """Return the next word, and move on to the word after it. At the end of the text, return an empty word."""
        word = self.word
        self._at += word != ""
        return word

    def takes(self, word: str) -> bool:
        """Read the next word if it is `word`, and return whether it was."""
        return self.word == word and self.take() == word

    def expect(self, word: str) -> None:
        """Read the next word. Raise InputError unless it is `word`."""
        if not self.takes(word):
            self.fail(repr(word))

    def fail(self, expected: str) -> NoReturn:
        """Raise an InputError about the next word, with its column; `expected` says which words would be right."""
        word, column = self._words[self._at]
        shown = repr(word) if word else "the end"
        self.refuse(f"column {column}: found {shown}, expected {expected}")

    def refuse(self, what: str) -> NoReturn:
        """Raise an InputError about the whole line; `what` says what is wrong."""
        raise InputError(f"{self._source}: {what}")
