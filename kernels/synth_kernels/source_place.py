"""Places in the source of a kernel, and parts of answers that have one."""

from __future__ import annotations

from dataclasses import dataclass, field

from synth_storage.answer_json import HIDDEN, answer_keys

#: The keys of a place in JSON.
_PLACE_KEYS = frozenset({"file", "line", "column", "expression"})


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where an instruction stands in the source of a kernel.

    `expression` is that of an index or a test as the source has it, if it is known. `calls` are the places of the
    inlined calls that lead there, the innermost first. An access is of one or more numbers of `bits` each, if that is
    known. With `is_float`, they are numbers with a point.
    """

    file: str
    line: int
    column: int = 0
    expression: str = ""
    calls: tuple[SourcePlace, ...] = field(default=(), metadata=HIDDEN)
    bits: int = field(default=0, metadata=HIDDEN)
    is_float: bool = field(default=False, metadata=HIDDEN)


#: The place of what has none.
NOWHERE = SourcePlace("", 0)


@dataclass(frozen=True, slots=True)
class Placed:
    """A part of an answer that has a place. In JSON, it has parts of this place among its own keys."""

    place: SourcePlace = field(metadata=HIDDEN)

    def __post_init__(self) -> None:
        for key in answer_keys(self.__class__) or ():
            if key in _PLACE_KEYS:
                object.__setattr__(self, key, getattr(self.place, key))
