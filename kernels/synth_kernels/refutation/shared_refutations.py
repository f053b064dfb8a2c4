"""What engines have in common: the candidates that are refuted so far, which only ever become more."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Refutation:
    """Who refuted a candidate, and in which of its rounds, from 1 on."""

    engine: str
    round: int


@dataclass(slots=True)
class RefutedCandidates:
    """The refuted candidates by their lines. Several threads may add to them. `stop` tells engines to end."""

    found: dict[int, Refutation] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)

    def add(self, lines: Iterable[int], engine: str, round_: int) -> None:
        """Add candidates. Whoever was first stays."""
        for line in lines:
            self.found.setdefault(line, Refutation(engine, round_))

    def lines(self) -> frozenset[int]:
        """Return the candidates that are refuted by now."""
        return frozenset(self.found.copy())
