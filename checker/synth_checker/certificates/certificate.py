"""Proofs of verdicts: a lasso proves that a program fails, a ranking that it passes (definitions, section 5).

Both proofs list states of the product of program and model, each with its fair set. So a checker can compare every part
of a proof with the program and the model, and need not trust whoever made the proof. The same types also prove the
verdict of any other transition system. Sets of threads are bit masks, as in `Automaton`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple

from synth_checker.transitions.transition_system import AnyState

if TYPE_CHECKING:
    from collections.abc import Mapping


class ProductState(NamedTuple, Generic[AnyState]):
    """A state of the product: a state of the transition system, and the state of the model's automaton beside it."""

    system: AnyState
    model: int


class LassoStep(NamedTuple, Generic[AnyState]):
    """A step of a lasso: the state before it, the fair set of that state, and the thread that takes the step."""

    state: ProductState[AnyState]
    fair: int
    thread: int


@dataclass(frozen=True, slots=True)
class Lasso(Generic[AnyState]):
    """An execution that never ends: it takes all steps once, then those from `steps[prefix]` on, again and again.

    The model allows this execution. Under the weak form, a thread that is in the fair set of all states of the cycle
    takes a step in the cycle. Under the strong form, a thread that is in the fair set of a state of the cycle takes a
    step from that state in the cycle. `is_shortest` is True if the search has shown that no lasso is shorter. The
    checker ignores it.
    """

    steps: tuple[LassoStep[AnyState], ...]
    prefix: int
    is_shortest: bool = False

    @property
    def cycle(self) -> tuple[LassoStep[AnyState], ...]:
        """Return the steps that repeat without end."""
        return self.steps[self.prefix :]


class Rank(NamedTuple):
    """The entry of a ranking for one state: its fair set, its rank and its helper.

    The helper is a thread of the fair set whose step leads to a lower rank. If the helper is None, every step from the
    state leads to a lower rank.
    """

    fair: int
    rank: int
    helper: int | None


@dataclass(frozen=True, slots=True)
class Ranking(Generic[AnyState]):
    """A proof that a program passes: a rank for every reachable state of the product.

    Under the weak form, the rank never rises. A step that keeps the rank also keeps the helper, so this thread stays in
    the fair set. Under the strong form, the rank may rise and the helper may change.
    """

    ranks: Mapping[ProductState[AnyState], Rank]


Certificate = Lasso[AnyState] | Ranking[AnyState]
