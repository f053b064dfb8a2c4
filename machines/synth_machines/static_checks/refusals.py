"""Refusals that name the component, the line and the label."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Protocol

from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class _ComponentPart(Protocol):
    @property
    def line(self) -> int: ...


@contextlib.contextmanager
def errors_in(component: str, *words: str, part: _ComponentPart | None = None) -> Iterator[None]:
    """Put the place before the message of an InputError: the component, the line of a part, and some words."""
    try:
        yield
    except InputError as error:
        line = f"line {part.line}" if part is not None and part.line else ""
        raise type(error)(": ".join(filter(None, [component, line, *words, str(error)]))) from None


def refuse_twice(names: Iterable[str], taken: Iterable[str] = (), what: str = "name") -> None:
    """Raise InputError if a name occurs twice, or is taken. `what` is the word for such names."""
    seen = set(taken)
    for name in names:
        if name in seen:
            raise InputError(f"found the {what} {name} twice, expected different {what}s")
        seen.add(name)
