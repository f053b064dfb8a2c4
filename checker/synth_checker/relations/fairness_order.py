"""The order of verdicts: which of two is at most as fair as the other (definitions, section 5).

A is at most as fair as B if no program passes A and fails B. Two arguments decide it. It holds if, with the automata of
the two run side by side, A's fair set lies in B's in every state on a cycle, and the forms are the same or A's is the
weak one: what stays inside a recurrent set goes round in it for ever, and only what is promised there counts. (The
forms of a model that promises nothing there agree.) It does not hold if some program passes A and fails B. Inclusion is
decided for a number of threads at a time, so it speaks of programs of that many; what neither argument decides is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.errors import InputError, LimitError, check_ids, check_type
from synth_checker.models import Form, Model, library, verdict_names
from synth_checker.reductions.shrinking import size_of
from synth_checker.transitions.components import strongly_connected_sets
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synth_checker.models.automaton import Automaton

#: With so many threads and fewer, inclusion is decided unless a caller says otherwise: more than any suite has.
THREADS = 5
#: Of two automata side by side: seconds of work, and a tenth of a gigabyte.
MAX_STATES = 200_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """A form of a model."""

    model: Model
    form: Form

    @property
    def name(self) -> str:
        """Its name, such as `OBE.weak`."""
        return self.model.verdicts[self.form == "strong"]


class Comparison(NamedTuple):
    """Whether one verdict is at most as fair as another: by inclusion, or refuted by a program, or open (None)."""

    at_most: bool | None
    refuted_by: str | None = None


class Event(NamedTuple):
    """A step of a thread, which is still live after it or has ended with it."""

    thread: int
    ends: bool


class PairState(NamedTuple):
    """A state of two automata side by side, and the live threads as a bit mask."""

    one: int
    other: int
    live: int


def verdicts_of(models: Sequence[Model]) -> list[Verdict]:
    """All verdicts of some models, in their order."""
    return [Verdict(model, form) for model in models for form in model.forms]


def is_included(one: Model, other: Model, threads: int = THREADS) -> bool:
    """Whether one model guarantees no more than another, for programs of at most so many threads.

    Raises:
        LimitError: there are more threads than models are made for, or as `reachable_states`.
    """
    return all(is_included_in(one.automaton(t), other.automaton(t)) for t in range(1, threads + 1))


def is_included_in(one: Automaton, other: Automaton) -> bool:
    """Whether, side by side, the fair set of one automaton is inside the other's in every state on a cycle.

    Raises:
        InputError: they are for different numbers of threads.
        LimitError: as `reachable_states`.
    """
    if one.threads != other.threads:
        msg = f"automata: found ones for {one.threads} and {other.threads} threads, expected one number of threads"
        raise InputError(msg)
    outside = [
        state
        for state in reachable_states(one, other)
        if one.fair[state.one][state.live] & ~other.fair[state.other][state.live]
    ]
    return not states_on_cycles(one, other, outside)


def is_implied(one: Verdict, other: Verdict, threads: int = THREADS) -> bool:
    """Whether inclusion shows that one verdict is at most as fair as another, for at most so many threads."""
    # The forms agree for a model that guarantees no more than `unfair`: whatever goes round fails both.
    forms = one.form == "weak" or other.form == "strong" or is_included(one.model, library()[0], threads)
    return forms and is_included(one.model, other.model, threads)


def compared(
    models: tuple[Model, ...], ids: Sequence[str], threads: int = THREADS
) -> dict[tuple[str, str], Comparison]:
    """For each two verdicts of some models, by their names, whether the first is at most as fair as the second.

    It is refuted by the smallest of the programs given by their ids that passes the first and fails the second.

    Raises:
        InputError: an id can't be read.
        LimitError: a program is too large to judge.
    """
    check_ids(ids)
    check_type("models", models, Iterable, "models, as models_named gives them")
    for model in models:
        check_type("models", model, Model, "models, as models_named gives them")
    places = {name: k for k, name in enumerate(verdict_names(models))}
    judged = sorted(zip(map(size_of, ids), ids, judge(ids, models), strict=True))

    def compare(one: Verdict, other: Verdict) -> Comparison:
        if is_implied(one, other, threads):
            return Comparison(at_most=True)
        passes, fails = 1 << places[one.name], 1 << places[other.name]
        refuting = next((id_ for _, id_, mask in judged if mask & passes and not mask & fails), None)
        return Comparison(None if refuting is None else False, refuting)

    verdicts = verdicts_of(models)
    return {(one.name, other.name): compare(one, other) for one in verdicts for other in verdicts}


def states_after_steps(one: Automaton, other: Automaton, state: PairState) -> Iterator[PairState]:
    """The states after a step with which no thread ends."""
    for t in _threads(state.live):
        yield PairState(one.steps[state.one][t], other.steps[state.other][t], state.live)


def states_after_ends(one: Automaton, other: Automaton, state: PairState) -> Iterator[PairState]:
    """The states after a step with which a thread ends: no cycle goes through one of these steps."""
    for t in _threads(state.live):
        yield PairState(one.ends[state.one][t], other.ends[state.other][t], state.live & ~(1 << t))


def reachable_states(one: Automaton, other: Automaton) -> dict[PairState, tuple[PairState, Event] | None]:
    """All states that the start leads to, breadth first, each with the state and the event by which it came.

    Raises:
        LimitError: there are more than can be looked at in some seconds.
    """
    start = PairState(0, 0, (1 << one.threads) - 1)
    came: dict[PairState, tuple[PairState, Event] | None] = {start: None}
    order = [start]
    for state in order:  # grows while it is read
        for ends, states in (
            (False, states_after_steps(one, other, state)),
            (True, states_after_ends(one, other, state)),
        ):
            for t, after in zip(_threads(state.live), states, strict=True):
                if after not in came:
                    came[after] = state, Event(t, ends)
                    order.append(after)
        if len(order) > MAX_STATES:
            msg = f"models: found more than {MAX_STATES:,} states of two automata side by side, expected fewer"
            raise LimitError(msg)
    return came


def states_on_cycles(one: Automaton, other: Automaton, states: Sequence[PairState]) -> list[PairState]:
    """Those of some states to which steps with which no thread ends can lead back."""
    sets = strongly_connected_sets(states, lambda state: states_after_steps(one, other, state))
    found = {
        state for some in sets for state in some if len(some) > 1 or state in states_after_steps(one, other, state)
    }
    return [state for state in states if state in found]


def _threads(mask: int) -> Iterator[int]:
    return (t for t in range(mask.bit_length()) if mask >> t & 1)
