"""Cut text into names, numbers, symbols, labels and comments, each with its line and column.

Symbols come out in one spelling, that of Unicode. A label is `@` and all letters up to the next space, or what stands
between backticks after `@`. A name between backticks is a name even if it is a key word of the text form. Other words
between backticks are titles of events or components, which no formula can name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

from synth_checker.errors import InputError, excerpt
from synth_machines.formulas.formula import CONSTANTS
from synth_machines.formulas.operators import CALLS, SPELLINGS, SYMBOLS

Kind: TypeAlias = Literal["name", "words", "number", "symbol", "label", "comment", "end"]
#: The words of formulas that can't be names.
RESERVED = frozenset(
    {*(word for word in (*CONSTANTS, *CALLS, *SPELLINGS) if word.isidentifier()), "mod", "λ", "ℤ", "ℕ", "ℙ"}
)
#: A number with more digits is refused: Python reads long numbers slowly.
MOST_DIGITS = 1000
_LETTERS = ("ℕ1", "ℙ1", "ℕ", "ℙ", "ℤ", "λ")
_SIGNS = sorted({sign for sign in (*SPELLINGS, *SYMBOLS) if not sign[0].isalpha()}, key=len, reverse=True)
#: Accents that follow their letter as characters of their own, as in the names of files on a Mac.
_ACCENTS = "\u0300-\u036f"
_TOKEN = re.compile(
    rf"""(?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | @`(?P<spaced>[^`\n]+)`
    | @(?P<label>\S+)
    | (?P<number>\d+)
    | (?P<letter>{"|".join(_LETTERS)})
    | `(?P<quoted>[^\W\d][\w{_ACCENTS}]*)`
    | `(?P<words>[^`\n]+)`
    | (?P<name>[^\W\d][\w{_ACCENTS}]*['′]?)
    | (?P<sign>{"|".join(map(re.escape, _SIGNS))})""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text. `is_quoted` says that a name stood between backticks."""

    kind: Kind
    text: str
    line: int
    column: int
    is_quoted: bool = False

    @property
    def place(self) -> str:
        """Where the token stands, for a message."""
        return f"line {self.line}, column {self.column}"


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, and at last one of the kind `end`.

    Raises:
        InputError: a letter begins no token.
    """
    tokens: list[Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        column = position - start + 1
        if match is None:
            raise InputError(f"line {line}, column {column}: found {_shown(text[position])}, expected a formula")
        if match.lastgroup != "space":
            tokens.append(_token(match, line, column))
        if breaks := text.count("\n", position, match.end()):
            line, start = line + breaks, text.rindex("\n", position, match.end()) + 1
        position = match.end()
    return [*tokens, Token("end", "", line, position - start + 1)]


def is_plain(text: str) -> bool:
    """Return whether all letters of a label can be printed. Spaces of any width can."""
    return all(letter.isprintable() or unicodedata.category(letter) == "Zs" for letter in text)


def _token(match: re.Match[str], line: int, column: int) -> Token:
    kind, text = match.lastgroup or "", match[match.lastgroup or 0]
    if kind in {"label", "spaced", "words"} and not is_plain(text):
        raise InputError(f"line {line}, column {column}: found a letter that can't be printed, expected a label")
    match kind:
        case "label":
            return Token("label", text.removesuffix(":") or text, line, column)
        case "spaced":
            return Token("label", text, line, column)
        case "words":
            return Token("words", text, line, column, is_quoted=True)
        case "comment":
            return Token("comment", text, line, column)
        case "number":
            if len(text) > MOST_DIGITS:
                raise InputError(f"line {line}, column {column}: found {excerpt(text)}, expected a shorter number")
            return Token("number", text, line, column)
        case "quoted":
            return Token("name", text, line, column, is_quoted=True)
        case "name" if text not in RESERVED:
            return Token("name", text.replace("′", "'"), line, column)
        case _:
            return Token("symbol", SPELLINGS.get(text, text), line, column)


def _shown(letter: str) -> str:
    return f"'{letter}'" if letter.isprintable() else f"the character U+{ord(letter):04X}"
