"""Models for programs of many threads, which are asked for what a program reaches and for no more.

The tables of `Automaton` have an entry for each set of threads; for more than eight threads these are too many. What is
here answers the same questions in the same words, `steps[q][t]`, `ends[q][t]` and `fair[q][live]`, each when it is
asked. It does not know how many states there are, so nothing that must look at all of them can use it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.models.expression import Expression, evaluate, mentions

if TYPE_CHECKING:
    from collections.abc import Callable

#: Threads of a program; the core has a bit for each.
MAX_THREADS = 32


@dataclass(frozen=True, slots=True)
class _Row:
    look: Callable[[int, int], int]
    state: int

    def __getitem__(self, of: int) -> int:
        return self.look(self.state, of)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table whose entries are made when they are looked at."""

    look: Callable[[int, int], int]

    def __getitem__(self, state: int) -> _Row:
        return _Row(self.look, state)


class OnDemand(ABC):
    """A model that says when it is asked which state comes after another, and which threads are guaranteed to run."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.everyone = (1 << threads) - 1
        self.steps = _Rows(lambda state, thread: self.after(state, thread, ends=False))
        self.ends = _Rows(lambda state, thread: self.after(state, thread, ends=True))
        self.fair = _Rows(self.fair_set)

    @abstractmethod
    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: FBT001  (the core asks by position)
        """The state after a step of a live thread, which ends with it or does not. State 0 is the start."""

    @abstractmethod
    def fair_set(self, state: int, live: int) -> int:
        """The threads that are guaranteed to run while these are live."""


class HistoryOnDemand(OnDemand):
    """A set expression over history; its states are the sets of threads that have stepped, if it asks for them."""

    def __init__(self, expression: Expression, threads: int) -> None:
        super().__init__(threads)
        self._expression = expression
        self._remembers = mentions(expression, "stepped")

    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: ARG002, FBT001  (as above)
        """The history with this step."""
        return state | self._remembers << thread

    def fair_set(self, state: int, live: int) -> int:
        """What the expression denotes, of the live threads."""
        return live & evaluate(self._expression, live=live, stepped=state, everyone=self.everyone)
