"""Progress models as table-driven automata (definitions, section 4).

An automaton watches which thread steps and which threads end, and says for each set of live threads which of them are
guaranteed to run. For a fixed number of threads it is two tables, and this is all the C++ core ever sees of a model.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_checker.errors import InputError, LimitError
from synth_checker.models.expression import Expression, evaluate, mentions

#: Tables grow with 4 ** threads; 8 threads are 65,536 fair sets a model.
MAX_THREADS = 8


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic automaton for a number of threads, its start being state 0.

    `steps[q][t]` is the state after thread t has stepped and is still live, `ends[q][t]` the one after a step with
    which t terminates; `fair[q][live]` the fair set, a bit mask, for each set of live threads.

    Raises:
        InputError: a table has the wrong shape, names a state that is not there, or a thread that is not live.
    """

    threads: int
    steps: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[int, ...], ...]
    fair: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        states = len(self.steps)
        if not states or len(self.ends) != states or len(self.fair) != states:
            msg = (
                f"automaton: found tables for {states}, {len(self.ends)} and {len(self.fair)} states, expected as many"
            )
            raise InputError(msg)
        for row in (*self.steps, *self.ends):
            if len(row) != self.threads or not all(0 <= successor < states for successor in row):
                msg = f"automaton: found successors {row}, expected {self.threads} states below {states}"
                raise InputError(msg)
        for row in self.fair:
            if len(row) != 1 << self.threads or any(fair & ~live for live, fair in enumerate(row)):
                msg = (
                    f"automaton: expected a fair set inside the live threads for each of {1 << self.threads} live sets"
                )
                raise InputError(msg)

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.steps)


def is_thread_symmetric(automaton: Automaton) -> bool:
    """Whether permuting thread ids commutes with the automaton.

    Exchanging two neighbouring ids is enough, since these exchanges make every permutation: for each, the automaton is
    run side by side with itself, one of the two seeing the ids exchanged, and their fair sets must stay each other's.
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
        one, other = todo.pop()
        if any(
            exchanged(fair) != automaton.fair[other][exchanged(live)] for live, fair in enumerate(automaton.fair[one])
        ):
            return False
        for u in range(automaton.threads):
            for table in (automaton.steps, automaton.ends):
                pair = (table[one][u], table[other][image[u]])
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
    return True


def check_threads(threads: int) -> None:
    """Raise LimitError if there are more threads than tables are made for; see `on_demand`."""
    if threads > MAX_THREADS:
        msg = f"verdicts: found a program of {threads} threads, expected at most {MAX_THREADS}"
        raise LimitError(msg)


def history_automaton(expression: Expression, threads: int) -> Automaton:
    """The automaton of a set expression: its states are the sets of threads that have stepped, if it asks for them.

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
