"""Write pictures as SVG: the same picture always gives the same bytes, and light and dark pages can show it.

Every text goes through `escaped`, and what cannot be printed becomes an escape. A picture has no script, no other file
and no ids, so a page may hold several pictures. Its style has rules for its own classes only, because a page may
contain the picture. It has a background of its own, because a page may be dark on a system that is light. Its title and
its description come first, where screen readers look for them.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from synth_documents.phrases import shortened, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: The width of a letter and the height of a line, in pixels. No usual font of this size has wider letters.
LETTER, LINE = 7.3, 16
#: A longer text would be no picture.
_MOST_LETTERS = 2000
_FONT = "12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
#: The rule of each class, and its colours on light and on dark pages.
_RULES: Mapping[str, tuple[str, str, str]] = {
    "paper": ("", "fill: #ffffff", "fill: #0d1117"),
    "ink": ("", "fill: #1f2328", "fill: #e6edf3"),
    "strong": ("font-weight: bold", "", ""),
    "centred": ("text-anchor: middle", "", ""),
}


def escaped(text: str, letters: int = _MOST_LETTERS) -> str:
    """Return a text of at most so many letters as it stands in SVG, in an element or in an attribute."""
    return escape(shortened(shown(text), letters), {'"': "&quot;"})


def width_of(text: str) -> float:
    """Return the width of a text in pixels. Letters of some scripts, such as those of Chinese, are twice as wide."""
    return LETTER * sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in shown(text))


class SvgPicture:
    """A picture that is being drawn.

    `rules` has further classes of its style, as `_RULES` has them.
    """

    def __init__(self, title: str, about: str, rules: Mapping[str, tuple[str, str, str]] | None = None) -> None:
        self._title, self._about = title, about
        self._rules = {**_RULES, **(rules or {})}
        self._parts: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, kind: str) -> None:
        """Draw a rectangle, given by its upper left corner."""
        self._parts.append(f'<rect class="{kind}" {_at(x, y)} {_size(width, height)}/>')

    def path(self, steps: str, kind: str) -> None:
        """Draw a path, given as the attribute `d` of SVG."""
        self._parts.append(f'<path class="{kind}" d="{steps}"/>')

    def text(self, x: float, y: float, words: str, kind: str = "ink") -> None:
        """Write a line of text, which stands on `y`."""
        self._parts.append(f'<text class="{kind}" {_at(x, y)}>{escaped(words)}</text>')

    def group(self, kind: str, title: str = "") -> None:
        """Begin a group. Its title is shown where somebody points at the group."""
        title_element = f"<title>{escaped(title)}</title>" if title else ""
        self._parts.append(f'<g class="{kind}">{title_element}')

    def end(self) -> None:
        """End the group that began last."""
        self._parts.append("</g>")

    def written(self, width: float, height: float) -> str:
        """Return the picture as the text of an SVG file."""
        size = _size(width, height)
        head = 'xmlns="http://www.w3.org/2000/svg" class="synth" role="img" xml:space="preserve"'
        return "\n".join(
            [
                f'<svg {head} {size} viewBox="0 0 {number(width)} {number(height)}">',
                f"<title>{escaped(self._title)}</title>",
                f"<desc>{escaped(self._about)}</desc>",
                f"<style>{''.join(_style(self._rules))}\n</style>",
                f'<rect class="paper" {size}/>',
                *self._parts,
                "</svg>",
                "",
            ]
        )


def number(value: float) -> str:
    """Return a number with one digit after the point at most."""
    return f"{value:.1f}".removesuffix(".0")


def _at(x: float, y: float) -> str:
    return f'x="{number(x)}" y="{number(y)}"'


def _size(width: float, height: float) -> str:
    return f'width="{number(width)}" height="{number(height)}"'


def _style(rules: Mapping[str, tuple[str, str, str]]) -> Iterator[str]:
    yield f"\n.synth text {{font: {_FONT}; white-space: pre}}"
    yield from (f"\n.synth .{name} {{{_joined(rule, light)}}}" for name, (rule, light, _) in rules.items())
    yield "\n@media (prefers-color-scheme: dark) {"
    yield from (f"\n.synth .{name} {{{dark}}}" for name, (*_, dark) in rules.items() if dark)
    yield "\n}"


def _joined(*rules: str) -> str:
    return "; ".join(filter(None, rules))


def wrapped(text: str, letters: int, most: int) -> list[str]:
    """Return a text as one or more lines. If the text is too long for `most` lines, it ends in three dots."""
    import textwrap

    return textwrap.wrap(shown(text), letters, max_lines=most, placeholder="...") or [""]
