"""Progress models as automata in the form of tables (definitions, section 4).

An automaton observes which thread steps and which threads end. For each set of live threads it says which of them the
model promises to run. For one number of threads, an automaton consists of tables. They are all that the C++ core knows
of a model.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_checker.errors import InputError, LimitError
from synth_checker.models.expression import Expression, evaluate, mentions

#: The size of the tables grows with 4 ** threads; for 8 threads a model has 65,536 fair sets.
MAX_THREADS = 8


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic automaton for one number of threads. State 0 is its start.

    `steps[q][t]` is the state that follows q when thread t steps and stays live. `ends[q][t]` is the state that follows
    q when thread t ends with its step. `fair[q][live]` is the fair set in state q while the threads `live` are live.
    Both sets are bit masks.

    Raises:
        InputError: a table has the wrong shape, or contains a state that does not exist or a thread that is not live.
    """

    threads: int
    steps: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, ...], ...]
    fair: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        states = len(self.steps)
        if not states or len(self.ends) != states or len(self.fair) != states:
            raise InputError(
                f"automaton: found tables for {states}, {len(self.ends)} and {len(self.fair)} states, expected the "
                "same number, which is not 0"
            )
        for row in (*self.steps, *self.ends):
            if len(row) != self.threads or not all(0 <= successor < states for successor in row):
                raise InputError(
                    f"automaton: found the successors {row}, expected {self.threads} numbers of states below {states}"
                )
        for row in self.fair:
            if len(row) != 1 << self.threads or any(fair & ~live for live, fair in enumerate(row)):
                raise InputError(
                    "automaton: found a wrong row of fair sets, expected one fair set for each of the "
                    f"{1 << self.threads} sets of live threads, with live threads only"
                )

    @property
    def states(self) -> int:
        """Return the number of states of the automaton."""
        return len(self.steps)


def is_thread_symmetric(automaton: Automaton) -> bool:
    """Return whether the automaton treats all threads alike.

    That is the case if exchanging thread ids in a history exchanges them in the fair sets, and changes nothing else.

    It is enough to swap two neighbouring ids, because every permutation is a sequence of such swaps. For each swap, the
    automaton runs side by side with a copy of itself that sees the swapped ids. The fair sets of the two must always be
    the same up to the swap.
    """
    return all(_allows_exchange(automaton, t) for t in range(automaton.threads - 1))


def _allows_exchange(automaton: Automaton, t: int) -> bool:
    def exchanged(threads: int) -> int:
        lower, upper = threads >> t & 1, threads >> (t + 1) & 1
        return (threads & ~(0b11 << t)) | lower << (t + 1) | upper << t

    image = {u: u for u in range(automaton.threads)} | {t: t + 1, t + 1: t}
    seen = {(0, 0)}
    todo = [(0, 0)]
    while todo:
        first, other = todo.pop()
        if any(
            exchanged(fair) != automaton.fair[other][exchanged(live)] for live, fair in enumerate(automaton.fair[first])
        ):
            return False
        for u in range(automaton.threads):
            for table in (automaton.steps, automaton.ends):
                pair = (table[first][u], table[other][image[u]])
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
    return True


def check_threads(threads: int) -> None:
    """Raise LimitError if there are more threads than tables can be made for.

    The module `on_demand` has models for more threads.
    """
    if threads > MAX_THREADS:
        raise LimitError(f"verdicts: found a program with {threads} threads, expected at most {MAX_THREADS}")


def history_automaton(expression: Expression, threads: int) -> Automaton:
    """Return the automaton of a set expression for one number of threads.

    Its states are the sets of threads that have stepped. It has one state if the expression does not mention `stepped`.

    Raises:
        LimitError: there are more than eight threads.
    """
    check_threads(threads)
    everyone = (1 << threads) - 1
    histories = range(1 << threads) if mentions(expression, "stepped") else range(1)
    steps = tuple(
        tuple((stepped | 1 << t) if len(histories) > 1 else 0 for t in range(threads)) for stepped in histories
    )
    fair = tuple(
        tuple(
            live & evaluate(expression, live=live, stepped=stepped, everyone=everyone) for live in range(everyone + 1)
        )
        for stepped in histories
    )
    return Automaton(threads, steps, steps, fair)
