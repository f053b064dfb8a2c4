"""A list of tokens with a position, and the errors about the next token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

    from synth_machines.formulas.tokens import Token

#: Formulas may be nested so deep. Python's stack has no room for more.
MOST_NESTED = 60


class Cursor:
    """Takes tokens one by one. `position` is the place of the next token, and `depth` how deep formulas are nested.

    `keywords` are words, in lower case, that are no names.
    """

    def __init__(self, tokens: list[Token], keywords: Collection[str] = ()) -> None:
        self.tokens = tokens
        self._keywords = keywords
        self.position = 0
        self.depth = 0

    @property
    def next(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    def is_next(self, *texts: str) -> bool:
        """Return whether the next token is one of some symbols."""
        return self.next.kind == "symbol" and self.next.text in texts

    def fail(self, expected: str, token: Token | None = None) -> InputError:
        """Return the error that the next token, or another one, is not what is expected."""
        token = token or self.next
        shown = "the end" if token.kind == "end" else quoted(token.text)
        return InputError(f"{token.place}: found {shown}, expected {expected}")

    def take(self) -> Token:
        """Go to the next token, and return the one before it."""
        token = self.next
        if token.kind != "end":
            self.position += 1
        return token

    def expect(self, text: str) -> Token:
        """Take a symbol, or raise InputError if the next token is another one."""
        if not self.is_next(text):
            raise self.fail(text)
        return self.take()

    def name(self, expected: str = "a name") -> str:
        """Take a name, or raise InputError."""
        if not self.is_name_next:
            raise self.fail(expected)
        return self.take().text

    @property
    def is_name_next(self) -> bool:
        """Whether the next token is a name. A key word is one only between backticks."""
        token = self.next
        return token.kind == "name" and (token.is_quoted or token.text.lower() not in self._keywords)

    def expect_end(self) -> None:
        """Raise InputError unless all tokens are taken."""
        if self.next.kind != "end":
            raise self.fail("an operator, or the end")
