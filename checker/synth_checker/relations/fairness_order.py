"""The order of verdicts: which of two verdicts is at most as fair as the other (definitions, section 5).

A verdict A is at most as fair as a verdict B if no program passes A and fails B. Two arguments decide this.

1. Inclusion shows that A is at most as fair as B. Run the automata of both models side by side. In every state on a
   cycle, the fair set of A must be part of the fair set of B. Also, both verdicts must be of the same form, or A of the
   weak form. Only states on cycles matter, because a recurrent set consists of cycles. (If a model promises nothing on
   cycles, its two forms agree.)
2. A program that passes A and fails B shows that A is not at most as fair as B.

Inclusion is computed for one number of threads at a time, so it is a statement about programs with that many threads.
For set expressions, a few numbers of threads prove it for every number (`is_settled`). If neither argument applies,
the question is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError, LimitError, check_ids, check_type
from synth_checker.models import Form, Model, library, verdict_names
from synth_checker.models.expression import Expression, Name, functions_in
from synth_checker.reductions.shrink import size_of
from synth_checker.transitions.components import strongly_connected_sets
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.models.automaton import Automaton

#: Inclusion is decided for up to so many threads, unless the caller names another number. No suite has more threads.
THREADS = 5
#: The most states of two automata side by side. So many states take some seconds, and a tenth of a gigabyte of memory.
MAX_STATES = 200_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """The weak or the strong form of a progress model."""

    model: Model
    form: Form

    @property
    def name(self) -> str:
        """Return the name of the verdict, such as `OBE.weak`."""
        return self.model.verdicts[self.form == "strong"]


class Comparison(NamedTuple):
    """Whether one verdict is at most as fair as another.

    `at_most` is True if inclusion shows it. It is False if a program refutes it; `refuted_by` is the id of that
    program. It is None if the question is open. `settled` says whether inclusion shows it for every number of
    threads.
    """

    at_most: bool | None
    refuted_by: str | None = None
    settled: bool = False


class Event(NamedTuple):
    """A step of a thread, and whether the thread ends with that step."""

    thread: int
    ends: bool


class PairState(NamedTuple):
    """A state of two automata that run side by side: a state of each, and the live threads as a bit mask."""

    first: int
    other: int
    live: int


def verdicts_of(models: Sequence[Model]) -> list[Verdict]:
    """Return the verdicts of some models, in the order of the models; the weak form of a model comes first."""
    return [Verdict(model, form) for model in models for form in model.forms]


def is_included(first: Model, other: Model, threads: int = THREADS) -> bool:
    """Return whether the model `first` promises no more than `other`, for programs of at most `threads` threads.

    Raises:
        LimitError: `threads` is more than a model can be made for, or the models have too many states side by side.
    """
    return all(is_included_in(first.automaton(t), other.automaton(t)) for t in range(1, threads + 1))


def is_included_in(first: Automaton, other: Automaton) -> bool:
    """Return whether the fair set of one automaton is part of that of the other in every state on a cycle.

    The states are those of the two automata side by side.

    Raises:
        InputError: the automata are for different numbers of threads.
        LimitError: the automata have more than `MAX_STATES` states side by side.
    """
    if first.threads != other.threads:
        raise InputError(
            f"automata: found one for {first.threads} and one for {other.threads} threads, expected the same number"
        )
    outside = [
        state
        for state in reachable_states(first, other)
        if first.fair[state.first][state.live] & ~other.fair[state.other][state.live]
    ]
    return not states_on_cycles(first, other, outside)


def is_implied(first: Verdict, other: Verdict, threads: int = THREADS) -> bool:
    """Return whether inclusion shows that the verdict `first` is at most as fair as the verdict `other`.

    The answer holds for programs of at most `threads` threads.

    Raises:
        LimitError: `threads` is more than a model can be made for, or the models have too many states side by side.
    """
    # The forms agree for a model that guarantees no more than `unfair`: whatever goes round fails both.
    forms = first.form == "weak" or other.form == "strong" or is_included(first.model, library()[0], threads)
    return forms and is_included(first.model, other.model, threads)


def is_settled(first: Model, other: Model, threads: int) -> bool:
    """Return whether the inclusion of two models, or its failure, is the same for each number above `threads`.

    It may be the same although the answer is False.

    Suppose that the inclusion fails: a thread is in the fair set of `first` and not in that of `other`, in a state on a
    cycle. Keep this thread, a thread that steps in the cycle, and for each function of the two expressions the thread
    with the lowest or highest id that it looks for. Without all other threads, each part of the expressions has the
    same threads among those that are left. So the inclusion fails for these few threads, too. Nothing like this is
    known of models that are not set expressions, unless the two are the same, or nothing or all is guaranteed.
    """
    if first.fair in {other.fair, Name("none")} or other.fair == Name("live"):
        return True
    if not isinstance(first.fair, Expression) or not isinstance(other.fair, Expression):
        return False
    return threads >= 2 + len(functions_in(first.fair) | functions_in(other.fair))


def is_settled_order(first: Verdict, other: Verdict, threads: int = THREADS) -> bool:
    """Return whether `is_implied` has the same answer for each number of threads above `threads`.

    It may have the same answer although this is False.
    """
    forms = first.form == "weak" or other.form == "strong" or is_settled(first.model, library()[0], threads)
    return forms and is_settled(first.model, other.model, threads)


def compared(
    models: tuple[Model, ...], ids: Sequence[str], threads: int = THREADS
) -> dict[tuple[str, str], Comparison]:
    """Return, for each pair of verdicts of some models, whether the first verdict is at most as fair as the second.

    The keys of the result are pairs of names of verdicts. `ids` are programs that may refute a pair: a program refutes
    it by passing the first verdict and failing the second. Of the programs that refute a pair, the result names the
    smallest. Inclusion is decided for programs of at most `threads` threads.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program is too large to judge, or two models have too many states side by side.
    """
    check_ids(ids)
    check_type("models", models, Iterable, "a tuple of models, as the function models_named returns")
    for model in models:
        check_type("models", model, Model, "a model, as the function models_named returns")
    places = {name: k for k, name in enumerate(verdict_names(models))}
    judged = sorted(zip(map(size_of, ids), ids, judge(ids, models), strict=True))

    def compare(first: Verdict, other: Verdict) -> Comparison:
        if is_implied(first, other, threads):
            return Comparison(at_most=True, settled=is_settled_order(first, other, threads))
        passes, fails = 1 << places[first.name], 1 << places[other.name]
        refuting = next((id_ for _, id_, mask in judged if mask & passes and not mask & fails), None)
        return Comparison(None if refuting is None else False, refuting)

    verdicts = verdicts_of(models)
    return {(verdict.name, other.name): compare(verdict, other) for verdict in verdicts for other in verdicts}


def states_after_steps(first: Automaton, other: Automaton, state: PairState) -> Iterator[PairState]:
    """Yield, for each live thread, the joint state of two automata after a step with which the thread does not end."""
    for t in _threads(state.live):
        yield PairState(first.steps[state.first][t], other.steps[state.other][t], state.live)


def states_after_ends(first: Automaton, other: Automaton, state: PairState) -> Iterator[PairState]:
    """Yield, for each live thread, the joint state of two automata after a step with which the thread ends.

    No cycle contains such a step, because a thread that has ended never becomes live again.
    """
    for t in _threads(state.live):
        yield PairState(first.ends[state.first][t], other.ends[state.other][t], state.live & ~(1 << t))


def reachable_states(first: Automaton, other: Automaton) -> dict[PairState, tuple[PairState, Event] | None]:
    """Return all states of two automata side by side that can be reached from the start, in breadth-first order.

    Each state comes with the state and the event from which the search first reached it; the start comes with None.

    Raises:
        LimitError: there are more than `MAX_STATES` states.
    """
    start = PairState(0, 0, (1 << first.threads) - 1)
    came: dict[PairState, tuple[PairState, Event] | None] = {start: None}
    order = [start]
    for state in order:  # grows while it is read
        for ends, states in (
            (False, states_after_steps(first, other, state)),
            (True, states_after_ends(first, other, state)),
        ):
            for t, after in zip(_threads(state.live), states, strict=True):
                if after not in came:
                    came[after] = state, Event(t, ends)
                    order.append(after)
        if len(order) > MAX_STATES:
            raise LimitError(f"models: two of the models have more than {MAX_STATES:,} states; compare simpler models")
    return came


def states_on_cycles(first: Automaton, other: Automaton, states: Sequence[PairState]) -> list[PairState]:
    """Return those of the given joint states of two automata that lie on a cycle of steps with which no thread ends."""
    sets = strongly_connected_sets(states, lambda state: states_after_steps(first, other, state))
    on_cycles = {
        state
        for component in sets
        for state in component
        if len(component) > 1 or state in states_after_steps(first, other, state)
    }
    return [state for state in states if state in on_cycles]


def _threads(mask: int) -> Iterator[int]:
    return (t for t in range(mask.bit_length()) if mask >> t & 1)
