"""Whether no-ops are hidden from a model: a program and its normal form then have the same verdicts under it.

docs/semantics.md, section 9, has the conditions, which are numbered here as there, and the proof that they suffice.

Most of them say that a state of the model promises no less than another, now and after whatever may come. A model is
deterministic, so this is seen by running it from both states side by side: `_Pairs` notes the pairs to start from, and
follows all of them at once.
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
    """Whether a model meets the conditions for programs of up to so many threads.

    If it does, no program of so many threads has another verdict than its normal form. If not, one may have.

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
    """What some steps have led to: the state of the model, who is live, and who of these has stepped."""

    state: int
    live: int
    stepped: int


def _histories(automaton: Automaton) -> Iterator[_History]:
    """All that can happen, as far as it leads to different states, live threads or stepped ones."""
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
    """States that are to promise no more than others, of one automaton or of two, while some threads are live.

    `ids` are the threads of the second automaton, each at the place of the one that it is in the first.
    """

    one: Automaton
    other: Automaton
    ids: tuple[int, ...]
    seen: set[tuple[int, int, int]] = field(default_factory=set)

    def add(self, one: int, other: int, live: int) -> None:
        """Ask that the state `one` promises no more than the state `other`; `live` is a set of the first automaton."""
        self.seen.add((one, other, live))

    def hold(self) -> bool:
        """Whether each pair is as asked, whatever comes."""
        todo = list(self.seen)
        while todo:
            one, other, live = todo.pop()
            promised = self.other.fair[other][_renamed(live, self.ids)]
            if _renamed(self.one.fair[one][live], self.ids) & ~promised:
                return False
            for t in _threads_in(live):
                u = self.ids[t]
                for pair in (
                    (self.one.steps[one][t], self.other.steps[other][u], live),
                    (self.one.ends[one][t], self.other.ends[other][u], live & ~(1 << t)),
                ):
                    if pair not in self.seen:
                        self.seen.add(pair)
                        todo.append(pair)
        return True


def repeats_are_hidden(automaton: Automaton) -> bool:
    """Conditions 1 to 4: what a no-op adds to the steps of a thread that has other instructions changes nothing."""
    steps, ends, fair = automaton.steps, automaton.ends, automaton.fair
    pairs = _Pairs(automaton, automaton, tuple(range(automaton.threads)))
    for q, live, stepped in _histories(automaton):
        for t in _threads_in(live):
            left = live & ~(1 << t)
            pairs.add(q, steps[q][t], live)  # 1
            pairs.add(steps[steps[q][t]][t], steps[q][t], live)  # 2
            pairs.add(ends[steps[q][t]][t], ends[q][t], left)  # 2
            for u in _threads_in(left):
                pairs.add(steps[ends[q][t]][u], ends[steps[q][u]][t], left)  # 3
                pairs.add(ends[ends[q][t]][u], ends[ends[q][u]][t], left & ~(1 << u))  # 3
            is_left_alone = stepped >> t & 1 and not fair[q][live] >> t & 1
            if is_left_alone and fair[ends[q][t]][left] & ~fair[q][live]:  # 4
                return False
    return pairs.hold()


def can_lose(larger: Automaton, smaller: Automaton, thread: int) -> bool:
    """Conditions 5 to 7: a thread of nothing but no-ops may as well not be there."""
    ids = tuple(t + (t >= thread) for t in range(smaller.threads))
    pairs = _Pairs(smaller, larger, ids)
    pairs.add(0, larger.ends[0][thread], (1 << smaller.threads) - 1)  # 5
    start = (0, 0, (1 << smaller.threads) - 1)
    # The start is among those behind some step only where a step leads back to it.
    behind_a_step: set[tuple[int, int, int]] = set()
    todo = [start]
    while todo:
        here = one, other, live = todo.pop()
        others = _renamed(live, ids)
        without = _renamed(smaller.fair[one][live], ids)
        beside = larger.fair[other][others | 1 << thread]
        behind = larger.fair[larger.ends[other][thread]][others]
        if not beside >> thread & 1 and without & ~beside:  # 6
            return False
        if here in behind_a_step and beside & ~without and behind & ~without:  # 7
            return False
        for t in _threads_in(live):
            for after in (
                (smaller.steps[one][t], larger.steps[other][ids[t]], live),
                (smaller.ends[one][t], larger.ends[other][ids[t]], live & ~(1 << t)),
            ):
                if after not in behind_a_step:
                    behind_a_step.add(after)
                    todo.append(after)
    return pairs.hold()


def _threads_in(mask: int) -> Iterator[int]:
    return (t for t in range(mask.bit_length()) if mask >> t & 1)


def _renamed(mask: int, ids: tuple[int, ...]) -> int:
    return sum(1 << ids[t] for t in _threads_in(mask))
