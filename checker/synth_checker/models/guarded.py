"""Models as guarded automata with states, counters and sets of threads, for models that no set expression can state.

    resident = automaton
    set inside
    counter free 0..1 = 1
    state only
    fair inside
    step of live - inside if free > 0: inside = inside | it; free - 1
    end of inside: inside = inside - it; free + 1

A `step` line applies to a thread that takes a step and stays live. An `end` line applies to a thread that ends with its
step. In both, `it` is that thread. When a thread takes a step, the automaton looks in its current state for the first
line that applies to the thread, and makes the changes of that line. All changes of a line use the values before the
step. A counter stays within its limits. If no line applies, nothing changes. The first state is the start, and all sets
are empty there.

The text can name threads only by set expressions, and so only by their order. This is on purpose: a model must not
depend on thread ids in another way. For one number of threads a guarded automaton becomes the tables of an `Automaton`.

The lines are guarded commands (E. W. Dijkstra, Commun. ACM 18, 1975), with one difference: of several lines that apply,
the first is taken. The module `guarded_text` reads the text.
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

#: The most states of the tables. With so many states, the tables for eight threads have some ten million entries.
MAX_STATES = 4096
#: The relations between two numbers.
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


#: The relations between two sets, as in Python: `<=` says that the left set is part of the right one.
SET_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda left, right: left != right and not left & ~right,
    "<=": lambda left, right: not left & ~right,
    ">": lambda left, right: left != right and not right & ~left,
    ">=": lambda left, right: not right & ~left,
    "==": operator.eq,
    "!=": operator.ne,
}


class Counter(NamedTuple):
    """A number from `low` to `high` in a guarded automaton. It is `start` at the beginning."""

    name: str
    low: int
    high: int
    start: int


class Condition(NamedTuple):
    """A condition of the form `COUNTER RELATION NUMBER`; `counter` is the index of the counter."""

    counter: int
    relation: str
    number: int


class SetCondition(NamedTuple):
    """A condition of the form `SET RELATION SET`."""

    left: Expression
    relation: str
    right: Expression


class Change(NamedTuple):
    """A change of a set, of a counter, or of the current state of a guarded automaton.

    `place` is the index of the set or counter; `how` and `by` say what happens to it. A set becomes the value of an
    expression. A counter is set to a number, or a number is added to it or subtracted from it. For the current state,
    `by` is the index of the new state.
    """

    kind: Literal["set", "counter", "state"]
    place: int
    how: Literal["=", "+", "-"]
    by: Expression | int


class Line(NamedTuple):
    """A line of a guarded automaton.

    The line applies to a step or an end of a thread (`event`) if the thread is in the set `of` and all conditions hold.
    Then the automaton makes the changes.
    """

    event: Literal["step", "end"]
    of: Expression
    conditions: tuple[Condition | SetCondition, ...]
    changes: tuple[Change, ...]


class GuardedState(NamedTuple):
    """A named state of a guarded automaton: its fair set, and the lines that say what steps change."""

    name: str
    fair: Expression
    lines: tuple[Line, ...]


class Configuration(NamedTuple):
    """A full state of a guarded automaton, which is one state of its tables.

    It consists of the index of the named state, the values of all counters and sets, and the history. Sets are bit
    masks. If the automaton does not depend on `stepped` or `live`, that field keeps its first value.
    """

    state: int
    counters: tuple[int, ...]
    sets: tuple[int, ...]
    stepped: int
    live: int


@dataclass(frozen=True, slots=True)
class GuardedAutomaton:
    """A progress model as an automaton with counters and sets, for any number of threads."""

    sets: tuple[str, ...]
    counters: tuple[Counter, ...]
    states: tuple[GuardedState, ...]

    def automaton(self, threads: int) -> Automaton:
        """Return the tables for one number of threads.

        Raises:
            LimitError: there are more than eight threads, or the tables would have more than `MAX_STATES` states.
        """
        return _run(self, threads)[0]

    def on_demand(self, threads: int) -> GuardedOnDemand:
        """Return the model in a form that computes single entries of its tables, for any number of threads."""
        return GuardedOnDemand(self, threads)

    def configurations(self, threads: int) -> tuple[Configuration, ...]:
        """Return the configuration for which each state of the tables stands, in the order of the states.

        Raises:
            LimitError: there are more than eight threads, or the tables would have more than `MAX_STATES` states.
        """
        return _run(self, threads)[1]

    def values(self, configuration: Configuration) -> dict[str, int]:
        """Return the values of the names in the fair set's expression, except `live` and `all`. Sets are bit masks."""
        return {"stepped": configuration.stepped, **dict(zip(self.sets, configuration.sets, strict=True))}

    def told(self, configuration: Configuration) -> str:
        """Describe a configuration in words: the named state, and the values of counters and sets, such as `{0,2}`."""
        sets = dict(zip(self.sets, configuration.sets, strict=True))
        sets |= {name: getattr(configuration, name) for name in ("stepped", "live") if self.asks_history_for(name)}
        counters = zip(self.counters, configuration.counters, strict=True)
        members = {name: [str(t) for t in range(mask.bit_length()) if mask >> t & 1] for name, mask in sets.items()}
        parts = [f"{counter.name} {number}" for counter, number in counters]
        parts += [f"{name} {{{','.join(threads)}}}" for name, threads in members.items()]
        return ", ".join([self.states[configuration.state].name, *parts])

    def asks_history_for(self, name: str) -> bool:
        """Return whether the automaton must store the set `name`.

        The name is `stepped`, or `live`, which stands for the live threads before a step.
        """
        expressions = [x for state in self.states for line in state.lines for x in _expressions(line)]
        if name == "stepped":
            expressions += [state.fair for state in self.states]
        return any(mentions(expression, name) for expression in expressions)


def _expressions(line: Line) -> list[Expression]:
    compared = [condition for condition in line.conditions if isinstance(condition, SetCondition)]
    sides = [side for condition in compared for side in (condition.left, condition.right)]
    return [line.of, *sides, *(change.by for change in line.changes if not isinstance(change.by, int))]


@functools.cache
def _run(automaton: GuardedAutomaton, threads: int) -> tuple[Automaton, tuple[Configuration, ...]]:
    """Return the tables, and the configuration of each of their states, in breadth-first order."""
    check_threads(threads)
    everyone = (1 << threads) - 1
    remembers = _history_needed(automaton)
    first = _first_configuration(automaton, everyone)
    numbers = {first: 0}
    steps, ends = [], []
    order = [first]
    for here in order:  # grows while it is read
        rows: tuple[list[int], list[int]] = ([], [])
        for thread in range(threads):
            for row, event in zip(rows, ("step", "end"), strict=True):
                after = _with_history(
                    _configuration_after(automaton, here, thread, event, everyone), here, thread, event, remembers
                )
                row.append(numbers.setdefault(after, len(order)))
                if row[-1] == len(order):
                    order.append(after)
        steps.append(tuple(rows[0]))
        ends.append(tuple(rows[1]))
        if len(order) > MAX_STATES:
            raise LimitError(
                f"model: the automaton has more than {MAX_STATES} states for {threads} threads; make it simpler"
            )
    # Many states of the tables have the same fair sets, because they differ only in counters.
    rows_of = {(c.state, c.sets, c.stepped): c for c in order}
    fair_rows = {
        key: tuple(_fair_set(automaton, c, live, everyone) for live in range(everyone + 1))
        for key, c in rows_of.items()
    }
    fair = tuple(fair_rows[c.state, c.sets, c.stepped] for c in order)
    return Automaton(threads, tuple(steps), tuple(ends), fair), tuple(order)


class GuardedOnDemand(OnDemand):
    """A guarded automaton for many threads, which computes its states when they are needed.

    States are numbered in the order in which they are reached, and `met` holds the configuration of each.
    """

    def __init__(self, automaton: GuardedAutomaton, threads: int) -> None:
        super().__init__(threads)
        self._automaton = automaton
        self._remembers = _history_needed(automaton)
        self.met = [_first_configuration(automaton, self.everyone)]
        self._numbers = {self.met[0]: 0}

    def after(self, state: int, thread: int, ends: bool) -> int:  # noqa: FBT001  (the core asks by position)
        """Return the number of the state after a step of a live thread.

        `ends` says whether the thread ends with that step.
        """
        event = "end" if ends else "step"
        here = self.met[state]
        member = _configuration_after(self._automaton, here, thread, event, self.everyone)
        member = _with_history(member, here, thread, event, self._remembers)
        number = self._numbers.setdefault(member, len(self.met))
        if number == len(self.met):
            self.met.append(member)
        return number

    def fair_set(self, state: int, live: int) -> int:
        """Return the fair set in a state, as a bit mask. `live` are the live threads, also as a bit mask."""
        return _fair_set(self._automaton, self.met[state], live, self.everyone)


def _first_configuration(automaton: GuardedAutomaton, everyone: int) -> Configuration:
    return Configuration(0, tuple(c.start for c in automaton.counters), (0,) * len(automaton.sets), 0, everyone)


def _history_needed(automaton: GuardedAutomaton) -> dict[str, bool]:
    """Return which parts of the history the automaton must store."""
    return {name: automaton.asks_history_for(name) for name in ("stepped", "live")}


def _fair_set(automaton: GuardedAutomaton, here: Configuration, live: int, everyone: int) -> int:
    return live & evaluate(automaton.states[here.state].fair, live=live, everyone=everyone, **automaton.values(here))


def _with_history(
    after: Configuration, here: Configuration, thread: int, event: str, remembers: dict[str, bool]
) -> Configuration:
    """Return a configuration with the history that follows from a step of a thread."""
    return after._replace(
        stepped=here.stepped | remembers["stepped"] << thread,
        live=here.live & ~((remembers["live"] and event == "end") << thread),
    )


def _configuration_after(
    automaton: GuardedAutomaton, here: Configuration, thread: int, event: str, everyone: int
) -> Configuration:
    """Return the configuration after a step of a thread, with the history before the step."""

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
