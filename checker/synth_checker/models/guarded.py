"""Models as guarded automata: states, counters and sets of threads, for what no set expression over history can say.

    resident = automaton
    set inside
    counter free 0..1 = 1
    state only
    fair inside
    step of live - inside if free > 0: inside = inside | it; free - 1
    end of inside: inside = inside - it; free + 1

Whenever a thread takes a step, the first line of the state that speaks of it says what changes: `step` lines are about
a thread that is live after its step, `end` lines about one that has ended with it; `it` is that thread. All changes of
a line are made at once, from the values before the step; a counter stays inside its bounds. If no line speaks of it,
nothing changes. The first state is the start, where all sets are empty.

Threads are named by set expressions alone, so by their order; this is the reason why there is no way to write an id.
For a number of threads it becomes the tables of `Automaton`. Its lines are guarded commands (E. W. Dijkstra, Commun.
ACM 18, 1975), except that the first one whose guard holds is taken. `guarded_text` reads them.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from synth_checker.errors import LimitError
from synth_checker.models.automaton import Automaton, check_threads
from synth_checker.models.expression import Expression, evaluate, mentions
from synth_checker.models.on_demand import OnDemand

if TYPE_CHECKING:
    from collections.abc import Callable

#: States of the tables; eight threads make some ten million entries of so many.
MAX_STATES = 4096
#: How numbers are compared.
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


#: How sets are compared, as Python compares them: `<=` says that the left set lies inside the right one.
SET_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left != right and not left & ~right,
    "<=": lambda left, right: not left & ~right,
    ">": lambda left, right: left != right and not right & ~left,
    ">=": lambda left, right: not right & ~left,
    "==": operator.eq,
    "!=": operator.ne,
}


class Counter(NamedTuple):
    """A number from `low` to `high`, at first `start`."""

    name: str
    low: int
    high: int
    start: int


class Condition(NamedTuple):
    """`COUNTER RELATION NUMBER`."""

    counter: int
    relation: str
    number: int


class SetCondition(NamedTuple):
    """`SET RELATION SET`."""

    left: Expression
    relation: str
    right: Expression


class Change(NamedTuple):
    """What becomes of a set (`=`, an expression), of a counter (`=`, `+` or `-` a number) or of the state (`go`).

    `place` is its number among the sets, counters or states.
    """

    kind: Literal["set", "counter", "state"]
    place: int
    how: Literal["=", "+", "-"]
    by: Expression | int


class Line(NamedTuple):
    """What a step of a thread changes if the thread is in a set and the conditions hold."""

    event: Literal["step", "end"]
    of: Expression
    conditions: tuple[Condition | SetCondition, ...]
    changes: tuple[Change, ...]


class GuardedState(NamedTuple):
    """A named state: who is guaranteed to run, and what steps change."""

    name: str
    fair: Expression
    lines: tuple[Line, ...]


class Configuration(NamedTuple):
    """A state of the tables: the number of the named state, what counters and sets hold, and the history.

    Sets are bit masks. `stepped` and `live` are what they are at the start where the automaton does not ask for them.
    """

    state: int
    counters: tuple[int, ...]
    sets: tuple[int, ...]
    stepped: int
    live: int


@dataclass(frozen=True, slots=True)
class GuardedAutomaton:
    """A model as an automaton with counters and sets, for any number of threads."""

    sets: tuple[str, ...]
    counters: tuple[Counter, ...]
    states: tuple[GuardedState, ...]

    def automaton(self, threads: int) -> Automaton:
        """Its tables for a number of threads.

        Raises:
            LimitError: there are more than eight threads, or the tables would have more than `MAX_STATES` states.
        """
        return _run(self, threads)[0]

    def on_demand(self, threads: int) -> GuardedOnDemand:
        """What answers for any number of threads, entry by entry."""
        return GuardedOnDemand(self, threads)

    def configurations(self, threads: int) -> tuple[Configuration, ...]:
        """What each state of these tables is. Raises as `automaton` does."""
        return _run(self, threads)[1]

    def values(self, configuration: Configuration) -> dict[str, int]:
        """What the names in a fair set expression stand for, but for `live` and `all`."""
        return {"stepped": configuration.stepped, **dict(zip(self.sets, configuration.sets, strict=True))}

    def told(self, configuration: Configuration) -> str:
        """A state of the tables in words: the named state, and what counters and sets hold, as `{0,2}`."""
        sets = dict(zip(self.sets, configuration.sets, strict=True))
        sets |= {name: getattr(configuration, name) for name in ("stepped", "live") if self.asks_history_for(name)}
        counters = zip(self.counters, configuration.counters, strict=True)
        members = {name: [str(t) for t in range(mask.bit_length()) if mask >> t & 1] for name, mask in sets.items()}
        parts = [f"{counter.name} {number}" for counter, number in counters]
        parts += [f"{name} {{{','.join(threads)}}}" for name, threads in members.items()]
        return ", ".join([self.states[configuration.state].name, *parts])

    def asks_history_for(self, name: str) -> bool:
        """Whether `stepped`, or `live` before a step, has to be remembered."""
        asked = [x for state in self.states for line in state.lines for x in _expressions(line)]
        if name == "stepped":
            asked += [state.fair for state in self.states]
        return any(mentions(expression, name) for expression in asked)


def _expressions(line: Line) -> list[Expression]:
    compared = [condition for condition in line.conditions if isinstance(condition, SetCondition)]
    sides = [side for condition in compared for side in (condition.left, condition.right)]
    return [line.of, *sides, *(change.by for change in line.changes if not isinstance(change.by, int))]


@functools.cache
def _run(automaton: GuardedAutomaton, threads: int) -> tuple[Automaton, tuple[Configuration, ...]]:
    """The tables, and what their states are, in the order of a breadth-first search."""
    check_threads(threads)
    everyone = (1 << threads) - 1
    remembers = _remembers(automaton)
    first = _first(automaton, everyone)
    numbers = {first: 0}
    steps, ends = [], []
    order = [first]
    for here in order:  # grows while it is read
        rows: tuple[list[int], list[int]] = ([], [])
        for thread in range(threads):
            for row, event in zip(rows, ("step", "end"), strict=True):
                after = _remembered(_after(automaton, here, thread, event, everyone), here, thread, event, remembers)
                row.append(numbers.setdefault(after, len(order)))
                if row[-1] == len(order):
                    order.append(after)
        steps.append(tuple(rows[0]))
        ends.append(tuple(rows[1]))
        if len(order) > MAX_STATES:
            msg = f"model: found more than {MAX_STATES} states for {threads} threads, expected at most so many"
            raise LimitError(msg)
    # Many states of the tables differ in nothing that a fair set asks for.
    rows_of = {(c.state, c.sets, c.stepped): c for c in order}
    fair_rows = {
        key: tuple(_fair_set(automaton, c, live, everyone) for live in range(everyone + 1))
        for key, c in rows_of.items()
    }
    fair = tuple(fair_rows[c.state, c.sets, c.stepped] for c in order)
    return Automaton(threads, tuple(steps), tuple(ends), fair), tuple(order)


class GuardedOnDemand(OnDemand):
    """A guarded automaton for many threads; its states are numbered as they are met, and `met` holds them."""

    def __init__(self, automaton: GuardedAutomaton, threads: int) -> None:
        super().__init__(threads)
        self._automaton = automaton
        self._remembers = _remembers(automaton)
        self.met = [_first(automaton, self.everyone)]
        self._numbers = {self.met[0]: 0}

    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: FBT001  (the core asks by position)
        """The state after a step of a live thread."""
        event = "end" if ends else "step"
        here = self.met[state]
        found = _after(self._automaton, here, thread, event, self.everyone)
        found = _remembered(found, here, thread, event, self._remembers)
        number = self._numbers.setdefault(found, len(self.met))
        if number == len(self.met):
            self.met.append(found)
        return number

    def fair_set(self, state: int, live: int) -> int:
        """What the expression of the named state denotes, of the live threads."""
        return _fair_set(self._automaton, self.met[state], live, self.everyone)


def _first(automaton: GuardedAutomaton, everyone: int) -> Configuration:
    return Configuration(0, tuple(c.start for c in automaton.counters), (0,) * len(automaton.sets), 0, everyone)


def _remembers(automaton: GuardedAutomaton) -> dict[str, bool]:
    """Which parts of the history have to be remembered."""
    return {name: automaton.asks_history_for(name) for name in ("stepped", "live")}


def _fair_set(automaton: GuardedAutomaton, here: Configuration, live: int, everyone: int) -> int:
    return live & evaluate(automaton.states[here.state].fair, live=live, everyone=everyone, **automaton.values(here))


def _remembered(
    after: Configuration, here: Configuration, thread: int, event: str, remembers: dict[str, bool]
) -> Configuration:
    """What comes after a step of a thread, with the history."""
    return after._replace(
        stepped=here.stepped | remembers["stepped"] << thread,
        live=here.live & ~((remembers["live"] and event == "end") << thread),
    )


def _after(automaton: GuardedAutomaton, here: Configuration, thread: int, event: str, everyone: int) -> Configuration:
    """What a step of a thread changes, but for the history."""

    def value(expression: Expression) -> int:
        return evaluate(expression, live=here.live, everyone=everyone, it=1 << thread, **automaton.values(here))

    def holds(condition: Condition | SetCondition) -> bool:
        if isinstance(condition, SetCondition):
            return SET_RELATIONS[condition.relation](value(condition.left), value(condition.right))
        return RELATIONS[condition.relation](here.counters[condition.counter], condition.number)

    for line in automaton.states[here.state].lines:
        if line.event == event and value(line.of) >> thread & 1 and all(map(holds, line.conditions)):
            break
    else:
        return here
    state, counters, sets = here.state, list(here.counters), list(here.sets)
    for kind, place, how, by in line.changes:
        if not isinstance(by, int):
            sets[place] = value(by)
        elif kind == "state":
            state = by
        else:
            _, low, high, _ = automaton.counters[place]
            new = {"=": by, "+": counters[place] + by, "-": counters[place] - by}[how]
            counters[place] = min(max(new, low), high)
    return here._replace(state=state, counters=tuple(counters), sets=tuple(sets))
