"""Models for programs with many threads: they compute only those entries of their tables that a program needs.

The tables of `Automaton` have an entry for each set of threads, which is too many for more than eight threads. The
classes of this module have the same attributes, `steps[q][t]`, `ends[q][t]` and `fair[q][live]`, and compute an entry
when it is read. They do not know how many states there are. So code that must look at all states cannot use them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.models.expression import Expression, evaluate, mentions

if TYPE_CHECKING:
    from collections.abc import Callable

#: The most threads of a program: the C++ core has one bit for each.
MAX_THREADS = 32


@dataclass(frozen=True, slots=True)
class _Row:
    look: Callable[[int, int], int]
    state: int

    def __getitem__(self, of: int) -> int:
        return self.look(self.state, of)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table whose entries are computed when they are read."""

    look: Callable[[int, int], int]

    def __getitem__(self, state: int) -> _Row:
        return _Row(self.look, state)


class OnDemand(ABC):
    """A model that computes the state after a step, or the fair set of a state, only when a program needs it."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.everyone = (1 << threads) - 1
        self.steps = _Rows(lambda state, thread: self.after(state, thread, ends=False))
        self.ends = _Rows(lambda state, thread: self.after(state, thread, ends=True))
        self.fair = _Rows(self.fair_set)

    @abstractmethod
    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: FBT001  (the core asks by position)
        """Return the state after a step of a live thread; `ends` says whether the thread ends with it.

        State 0 is the start.
        """

    @abstractmethod
    def fair_set(self, state: int, live: int) -> int:
        """Return the threads that the model promises to run while the threads `live` are live. Both are bit masks."""


class HistoryOnDemand(OnDemand):
    """A set expression over the history, for many threads.

    Its states are the sets of threads that have stepped, or the one state 0 if the expression does not mention
    `stepped`.
    """

    def __init__(self, expression: Expression, threads: int) -> None:
        super().__init__(threads)
        self._expression = expression
        self._remembers = mentions(expression, "stepped")

    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: ARG002, FBT001  (the core asks by position)
        """Return the state after a step of a thread: the threads that had stepped, and this one."""
        return state | self._remembers << thread

    def fair_set(self, state: int, live: int) -> int:
        """Return the live threads that are in the set which the expression denotes, as a bit mask."""
        return live & evaluate(self._expression, live=live, stepped=state, everyone=self.everyone)
