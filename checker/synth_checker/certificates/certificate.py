"""What proves a verdict: a lasso proves that a program fails, a ranking that it passes (definitions, section 5).

Both name each state of the product with its fair set, so that a checker which trusts nobody can hold every word against
the program and the model. The same proves the verdict of any other transition system. Sets of threads are bit masks, as
in `Automaton`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple

from synth_checker.transitions.transition_system import AnyState

if TYPE_CHECKING:
    from collections.abc import Mapping


class ProductState(NamedTuple, Generic[AnyState]):
    """The state of the system, and that of the model's automaton beside it."""

    system: AnyState
    model: int


class LassoStep(NamedTuple, Generic[AnyState]):
    """A state, the threads that are owed a step there (its fair set), and the thread that takes one."""

    state: ProductState[AnyState]
    fair: int
    thread: int


@dataclass(frozen=True, slots=True)
class Lasso(Generic[AnyState]):
    """An execution that never ends: all steps once, and then those from `steps[prefix]` on for ever.

    It is one that the model allows. Under the weak form, a thread that is owed a step in all states of the cycle takes
    one there. Under the strong form, each thread that is owed a step in a state of the cycle takes it from that state.
    `is_shortest` says that the search has shown that no lasso is shorter; the checker does not ask for that.
    """

    steps: tuple[LassoStep[AnyState], ...]
    prefix: int
    is_shortest: bool = False

    @property
    def cycle(self) -> tuple[LassoStep[AnyState], ...]:
        """The steps that are repeated."""
        return self.steps[self.prefix :]


class Rank(NamedTuple):
    """A state's fair set, its rank, and the helper: a thread that is owed a step there, with which the rank falls.

    Where the helper is None the rank falls with every step.
    """

    fair: int
    rank: int
    helper: int | None


@dataclass(frozen=True, slots=True)
class Ranking(Generic[AnyState]):
    """A rank for every reachable state of the product.

    Under the weak form the rank never rises, and a step with which it stays keeps the helper, too: so this thread is
    owed a step all the while. Under the strong form it may rise and the helper change.
    """

    ranks: Mapping[ProductState[AnyState], Rank]


Certificate = Lasso[AnyState] | Ranking[AnyState]
