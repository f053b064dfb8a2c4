"""Read the text of a guarded automaton. The module `guarded` says what such a text means.

    set NAME
    counter NAME LOW..HIGH = START
    state NAME
    fair SET
    step of SET [if CONDITION [and ...]]: CHANGE [; CHANGE ...]
    end of SET [if ...]: CHANGE [; ...]

A condition compares a counter with a number (`free > 0`) or a set with a set (`seen == all`). Between sets, `<=` says
that the left one is part of the right one. A change is `NAME = SET`, `COUNTER = NUMBER`, `COUNTER + NUMBER`, `COUNTER -
NUMBER` or `go STATE`. Sets and counters come before the first state. The lines `fair`, `step` and `end` belong to the
state above them, and each state has exactly one `fair` line. In `step` and `end` lines, `it` is the thread that took
the step. The text uses no comma, because options of the command line use commas to separate values.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import InputError
from synth_checker.models.expression import FUNCTIONS, NAMES, Expression, read_expression
from synth_checker.models.guarded import (
    RELATIONS,
    SET_RELATIONS,
    Change,
    Condition,
    Counter,
    GuardedAutomaton,
    GuardedState,
    Line,
    SetCondition,
)
from synth_checker.models.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: The words with which lines begin.
KEYWORDS = ("set", "counter", "state", "fair", "step", "end")
#: The largest number in the text: more than any useful count of threads or steps, and few enough for tables.
MAX_NUMBER = 1000
#: The most digits of a number, which may begin with zeros.
_MOST_DIGITS = 100
_RESERVED = {*NAMES, *FUNCTIONS, *KEYWORDS, "it", "if", "and", "of", "go", "everyone"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_guarded(lines: Sequence[tuple[str, str]], source: str) -> GuardedAutomaton:
    """Read a guarded automaton from the lines of its text. Each line comes with its place, such as `file:3`.

    Messages name the place of a line. `source` is the name of the whole text in messages.

    Raises:
        InputError: the lines are not a guarded automaton; the message names the place and the wrong word.
    """
    return _GuardedReader((Words(text, place) for text, place in lines), _states_named(lines), source).automaton()


def _states_named(lines: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of all states before the lines are read, because `go` may name a later state."""
    parts = (text.split() for text, _ in lines)
    return [words[1] for words in parts if len(words) > 1 and words[0] == "state" and _NAME.fullmatch(words[1])]


def _is_number(word: str) -> bool:
    """Return whether a word is a number short enough for Python, which refuses thousands of digits."""
    return word.isdecimal() and len(word) <= _MOST_DIGITS


def _relation(words: Words, known: Iterable[str]) -> str:
    if words.word not in known:
        words.fail(f"one of {' '.join(known)}")
    return words.take()


class _GuardedReader:
    def __init__(self, lines: Iterable[Words], states: list[str], source: str) -> None:
        self._lines = lines
        self._go_to = states
        self._source = source
        self._sets: list[str] = []
        self._counters: list[Counter] = []
        self._states: list[GuardedState] = []
        # The parts of the state that is being read; `_begins` is its first line.
        self._begins: Words | None = None
        self._name = ""
        self._fair: Expression | None = None
        self._rules: list[Line] = []

    def automaton(self) -> GuardedAutomaton:
        for words in self._lines:
            if self._begins is None:
                self._declaration(words)
            else:
                self._line_of_state(words)
            if words.word:
                words.fail("the end of the line")
        self._close_state()
        if not self._states:
            raise InputError(f"{self._source}: the automaton has no state; add a line 'state NAME' below")
        return GuardedAutomaton(tuple(self._sets), tuple(self._counters), tuple(self._states))

    def _declaration(self, words: Words) -> None:
        if words.takes("set"):
            self._sets.append(self._new_name(words, self._taken))
        elif words.takes("counter"):
            self._counter(words)
        else:
            self._begin_state(words)

    def _line_of_state(self, words: Words) -> None:
        if words.word in {"set", "counter"}:
            words.fail("state, fair, step or end, because sets and counters stand before the first state")
        if words.word == "fair":
            self._fair_set(words)
        elif words.takes("step"):
            self._line(words, "step")
        elif words.takes("end"):
            self._line(words, "end")
        else:
            self._begin_state(words)

    def _begin_state(self, words: Words) -> None:
        if not words.takes("state"):
            words.fail("set, counter or state" if self._begins is None else "state, fair, step or end")
        self._close_state()
        self._begins = words
        self._name = self._new_name(words, [state.name for state in self._states])

    @property
    def _taken(self) -> list[str]:
        return [*self._sets, *(counter.name for counter in self._counters)]

    def _new_name(self, words: Words, taken: Sequence[str]) -> str:
        if not _NAME.fullmatch(words.word) or words.word in _RESERVED:
            words.fail("a name of letters, digits and _ that is no keyword")
        if words.word in taken:
            words.fail("a name that no line above defines")
        return words.take()

    def _number(self, words: Words) -> int:
        if not _is_number(words.word) or int(words.word) > MAX_NUMBER:
            words.fail(f"a number up to {MAX_NUMBER}")
        return int(words.take())

    def _counter(self, words: Words) -> None:
        name = self._new_name(words, self._taken)
        low = self._number(words)
        words.expect("..")
        if _is_number(words.word) and int(words.word) < low:
            words.fail(f"a number of at least {low}")
        high = self._number(words)
        words.expect("=")
        if _is_number(words.word) and not low <= int(words.word) <= high:
            words.fail(f"a number from {low} to {high}")
        self._counters.append(Counter(name, low, high, self._number(words)))

    def _close_state(self) -> None:
        if self._begins is None:
            return
        if self._fair is None:
            self._begins.refuse(f"the state {self._name} has no fair set; add a line 'fair SET' to it")
        self._states.append(GuardedState(self._name, self._fair, tuple(self._rules)))
        self._fair, self._rules = None, []

    def _fair_set(self, words: Words) -> None:
        if self._fair is not None:
            words.fail("a line other than fair, because the state has a fair line")
        words.take()
        self._fair = read_expression(words, (*NAMES, *self._sets))

    def _line(self, words: Words, event: Literal["step", "end"]) -> None:
        words.expect("of")
        of = read_expression(words, self._names_of_steps)
        conditions = []
        if words.takes("if"):
            conditions.append(self._condition(words))
            while words.takes("and"):
                conditions.append(self._condition(words))
        if words.word != ":":
            words.fail("an operator (-, &, |), if, or ':'" if not conditions else "and, or ':'")
        words.take()
        changes = [self._change(words, ())]
        while words.takes(";"):
            changes.append(self._change(words, changes))
        self._rules.append(Line(event, of, tuple(conditions), tuple(changes)))

    @property
    def _names_of_steps(self) -> tuple[str, ...]:
        return (*NAMES, "it", *self._sets)

    def _condition(self, words: Words) -> Condition | SetCondition:
        counters = [counter.name for counter in self._counters]
        if words.word in counters:
            place = counters.index(words.take())
            return Condition(place, _relation(words, RELATIONS), self._number(words))
        if words.word not in {*self._names_of_steps, *FUNCTIONS, "("}:
            sets = ", ".join(self._names_of_steps)
            words.fail(f"a counter ({', '.join(counters) or 'the automaton has none'}) or a set ({sets})")
        left = read_expression(words, self._names_of_steps)
        relation = _relation(words, SET_RELATIONS)
        return SetCondition(left, relation, read_expression(words, self._names_of_steps))

    def _change(self, words: Words, before: Sequence[Change]) -> Change:
        names = [counter.name for counter in self._counters]
        if words.word in self._sets:
            kind: Literal["set", "counter", "state"] = "set"
            place = self._sets.index(words.word)
        elif words.word in names:
            kind, place = "counter", names.index(words.word)
        elif words.word == "go":
            kind, place = "state", 0
        else:
            words.fail(
                f"a set or a counter ({', '.join((*self._sets, *names)) or 'the automaton has none'}), or go STATE"
            )
        if any(change[:2] == (kind, place) for change in before):
            words.fail("another change, because each line changes a set, a counter or the state only once")
        words.take()
        if kind == "set":
            words.expect("=")
            return Change(kind, place, "=", read_expression(words, self._names_of_steps))
        if kind == "state":
            if words.word not in self._go_to:
                words.fail(f"a state ({', '.join(self._go_to)})")
            return Change(kind, place, "=", self._go_to.index(words.take()))
        for how in ("=", "+", "-"):
            if words.takes(how):
                return Change(kind, place, how, self._number(words))
        return words.fail("=, + or -")
