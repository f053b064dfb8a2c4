"""Decide whether a model ignores no-ops: whether a program and its normal form have the same verdicts under it.

The answer is yes if the model meets seven conditions. docs/understand/semantics.md, section 9, lists them with the
numbers that this module uses, and proves that they suffice.

Most of the conditions compare two states of a model: one state promises no less than the other, now and after any
further steps. A model is deterministic. So it is enough to run the model from both states side by side, and to compare
their fair sets after each step. The class `_Pairs` collects all pairs of states that must be compared, and runs them
together.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models import Model
    from synth_checker.models.automaton import Automaton


def hides_no_ops(model: Model, threads: int) -> bool:
    """Return whether a model meets the seven conditions of section 9, for up to `threads` threads.

    If it does, each program of at most so many threads has the same verdicts as its normal form. If it does not, the
    verdicts of a program and of its normal form may differ.

    Raises:
        LimitError: there are more than eight threads, or the model has too many states.
    """
    automata = [model.automaton(count) for count in range(1, threads + 1)]
    return all(map(repeats_are_hidden, automata)) and all(
        can_lose(larger, smaller, thread)
        for smaller, larger in itertools.pairwise(automata)
        for thread in range(larger.threads)
    )


class _History(NamedTuple):
    """A situation after some steps: the state of the model, the live threads, and which of these have stepped."""

    state: int
    live: int
    stepped: int


def _histories(automaton: Automaton) -> Iterator[_History]:
    """Yield every situation that some steps lead to."""
    start = _History(0, (1 << automaton.threads) - 1, 0)
    seen, todo = {start}, [start]
    while todo:
        here = todo.pop()
        yield here
        state, live, stepped = here
        for t in _threads_in(live):
            for after in (
                _History(automaton.steps[state][t], live, stepped | 1 << t),
                _History(automaton.ends[state][t], live & ~(1 << t), stepped & ~(1 << t)),
            ):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)


@dataclass(slots=True)
class _Pairs:
    """Pairs of states of two automata (or of one): the first of a pair must promise no more than the second.

    `ids[t]` is the thread of the second automaton that corresponds to thread `t` of the first.
    """

    first: Automaton
    other: Automaton
    ids: tuple[int, ...]
    seen: set[tuple[int, int, int]] = field(default_factory=set)

    def add(self, first: int, other: int, live: int) -> None:
        """Require that the state `first` promises no more than the state `other` while the threads `live` are live.

        `live` is a bit mask of threads of the first automaton.
        """
        self.seen.add((first, other, live))

    def all_hold(self) -> bool:
        """Return whether each pair meets its requirement, now and after any further steps."""
        todo = list(self.seen)
        while todo:
            first, other, live = todo.pop()
            promised = self.other.fair[other][_renamed(live, self.ids)]
            if _renamed(self.first.fair[first][live], self.ids) & ~promised:
                return False
            for t in _threads_in(live):
                u = self.ids[t]
                for pair in (
                    (self.first.steps[first][t], self.other.steps[other][u], live),
                    (self.first.ends[first][t], self.other.ends[other][u], live & ~(1 << t)),
                ):
                    if pair not in self.seen:
                        self.seen.add(pair)
                        todo.append(pair)
        return True


def repeats_are_hidden(automaton: Automaton) -> bool:
    """Return whether a model meets the conditions 1 to 4 of section 9 for one number of threads.

    Then a no-op in a thread that also has other instructions changes no verdict.
    """
    steps, ends, fair = automaton.steps, automaton.ends, automaton.fair
    pairs = _Pairs(automaton, automaton, tuple(range(automaton.threads)))
    for q, live, stepped in _histories(automaton):
        for t in _threads_in(live):
            still_live = live & ~(1 << t)
            pairs.add(q, steps[q][t], live)  # 1
            pairs.add(steps[steps[q][t]][t], steps[q][t], live)  # 2
            pairs.add(ends[steps[q][t]][t], ends[q][t], still_live)  # 2
            for u in _threads_in(still_live):
                pairs.add(steps[ends[q][t]][u], ends[steps[q][u]][t], still_live)  # 3
                pairs.add(ends[ends[q][t]][u], ends[ends[q][u]][t], still_live & ~(1 << u))  # 3
            is_left_alone = stepped >> t & 1 and not fair[q][live] >> t & 1
            if is_left_alone and fair[ends[q][t]][still_live] & ~fair[q][live]:  # 4
                return False
    return pairs.all_hold()


def can_lose(larger: Automaton, smaller: Automaton, thread: int) -> bool:
    """Return whether a model meets the conditions 5 to 7 of section 9 for one number of threads.

    Then removing `thread`, if all its instructions are no-ops, changes no verdict. `smaller` is the automaton of the
    model for one thread fewer than `larger`.
    """
    ids = tuple(t + (t >= thread) for t in range(smaller.threads))
    pairs = _Pairs(smaller, larger, ids)
    pairs.add(0, larger.ends[0][thread], (1 << smaller.threads) - 1)  # 5
    start = (0, 0, (1 << smaller.threads) - 1)
    # The start belongs to `behind_a_step` only if some step leads back to it.
    behind_a_step: set[tuple[int, int, int]] = set()
    todo = [start]
    while todo:
        here = first, other, live = todo.pop()
        others = _renamed(live, ids)
        without = _renamed(smaller.fair[first][live], ids)
        beside = larger.fair[other][others | 1 << thread]
        behind = larger.fair[larger.ends[other][thread]][others]
        if not beside >> thread & 1 and without & ~beside:  # 6
            return False
        if here in behind_a_step and beside & ~without and behind & ~without:  # 7
            return False
        for t in _threads_in(live):
            for after in (
                (smaller.steps[first][t], larger.steps[other][ids[t]], live),
                (smaller.ends[first][t], larger.ends[other][ids[t]], live & ~(1 << t)),
            ):
                if after not in behind_a_step:
                    behind_a_step.add(after)
                    todo.append(after)
    return pairs.all_hold()


def _threads_in(mask: int) -> Iterator[int]:
    return (t for t in range(mask.bit_length()) if mask >> t & 1)


def _renamed(mask: int, ids: tuple[int, ...]) -> int:
    return sum(1 << ids[t] for t in _threads_in(mask))
