"""Read XML that may be hostile, as elements with attributes.

The parser is expat of the standard library. A DOCTYPE is refused, so there are no entities but those that XML itself
has, and no reference leads to another file. The depth and the number of elements are limited. All text is UTF-8,
whatever the file declares. Text between elements is ignored: Rodin's files have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from synth_checker.errors import InputError, LimitError, quoted
from synth_machines.rodin.words import CORE

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Rodin's files have fewer levels and elements.
_MOST_DEPTH = 40
_MOST_ELEMENTS = 2_000_000


@dataclass(slots=True)
class XmlElement:
    """An element: its tag, the line where it begins, its attributes and the elements in it."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[XmlElement] = field(default_factory=list)

    def inside(self, tag: str) -> Iterator[XmlElement]:
        """Yield the elements of a tag that are directly in this one."""
        return (child for child in self.children if child.tag == tag)

    def fail(self, message: str) -> InputError:
        """Return an error about this element."""
        return InputError(f"line {self.line}: {message}")

    def needed(self, name: str) -> str:
        """Return an attribute.

        Raises:
            InputError: the element has no such attribute.
        """
        if name not in self.attributes:
            raise self.fail(f"found {quoted(self.tag)} without the attribute {name}, expected one")
        return self.attributes[name]


def read_xml(data: bytes) -> XmlElement:
    """Return the outermost element.

    Raises:
        InputError: the bytes are no XML, or have a DOCTYPE.
        LimitError: there are too many elements, or they are nested too deep.
    """
    return _XmlParser().read(data)


def read_root(data: bytes, *words: str) -> XmlElement:
    """Return the outermost element, which must be one of Rodin's words.

    Raises:
        InputError: the bytes are no XML of Rodin, or have another outermost element.
    """
    root = read_xml(data)
    if root.tag not in {CORE + word for word in words}:
        raise root.fail(f"found {quoted(root.tag)}, expected {' or '.join(CORE + word for word in words)}")
    return root


class _XmlParser:
    def __init__(self) -> None:
        self._expat = expat.ParserCreate("utf-8")
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.StartDoctypeDeclHandler = self._refuse
        self._open: list[XmlElement] = []
        self._root: XmlElement | None = None
        self._count = 0

    def read(self, data: bytes) -> XmlElement:
        try:
            self._expat.Parse(data, True)  # noqa: FBT003  (the argument has no name)
        except expat.ExpatError as error:
            place = f"line {error.lineno}, column {error.offset + 1}"
            raise InputError(
                f"{place}: found no XML ({expat.ErrorString(error.code)}), expected a file of Rodin"
            ) from None
        if self._root is None:
            raise AssertionError
        return self._root

    @property
    def _line(self) -> int:
        return self._expat.CurrentLineNumber

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise LimitError(f"line {self._line}: found more than {_MOST_ELEMENTS:,} elements, expected fewer")
        if len(self._open) >= _MOST_DEPTH:
            raise LimitError(f"line {self._line}: found more than {_MOST_DEPTH} elements inside each other")
        element = XmlElement(tag, self._line, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, tag: str) -> None:
        del tag
        self._open.pop()

    def _refuse(self, *_: object) -> None:
        raise InputError(f"line {self._line}: found a DOCTYPE, expected none")
