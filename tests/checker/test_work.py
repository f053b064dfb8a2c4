"""Test that long work of the core stops if a signal handler raises an error, and goes on if the handler returns."""

import gc
import signal

import pytest

from long_work import LARGE, counting, ring
from synth_checker import _native
from synth_checker.models import library
from synth_checker.models.automaton import Automaton
from synth_checker.models.compiled import compile_model
from synth_checker.verdicts import judge, judge_automata, judge_for

#: Seconds between two signals: all work below takes many times as long.
ALARM_S = 0.02
#: As many signals come before a handler raises. What looks for signals only at its end would meet one at most.
RINGS = 3


SMALL = "01100002-01100002"
MANY = [LARGE] * 1_000_000


def clock(threads, states):
    """An automaton that counts the steps of all threads, round and round."""
    steps = tuple(((state + 1) % states,) * threads for state in range(states))
    return Automaton(threads, steps, steps, (tuple(range(1 << threads)),) * states)


def id_lines(count):
    return (SMALL + "\n").encode() * count


def collected():
    _native.IdCollector().add(id_lines(6_000_000))


def minimality():
    models = [[compile_model(model, t) for model in library()] for t in range(1, 5)]
    minimal = _native.Minimality(0, models, [(True, True)] * len(library()))
    minimal.minimal([counting(4, 8)], [0])


LONG = {
    "states": lambda: _native.count_states(LARGE),
    "reachable": lambda: _native.reachable_states(LARGE, 4, 3),
    "rules": lambda: _native.broken_rules([LARGE]),
    "behaviour": lambda: _native.behaviours([counting(7, 5)]),
    "verdicts": lambda: judge([LARGE]),
    "product": lambda: judge_automata([ring(5, 6)], [clock(5, 4000)]),
    "normal form": lambda: _native.normalise(MANY, keep_store_checks=False),
    "relaxations": lambda: _native.relaxations([counting(4, 8)] * 100_000, keep_store_checks=False),
    "sub-programs": lambda: _native.contained([counting(8, 8)] * 10_000, [counting(4, 2)] * 2_000),
    "examined": lambda: _native.examined(id_lines(3_000_000), [judge_for(library(), 2)], 127, with_behaviours=True),
    "collected": collected,
    "minimality": minimality,
}


class _RungError(Exception):
    pass


@pytest.fixture
def alarm():
    """Sets an alarm with a handler, which rings again and again."""
    before = signal.getsignal(signal.SIGALRM)
    gc.collect()
    gc.disable()  # what a handler raises while garbage is collected is lost

    def set_alarm(handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, ALARM_S, ALARM_S)

    yield set_alarm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    gc.enable()


@pytest.mark.full
@pytest.mark.parametrize("work", LONG)
def test_what_a_handler_raises_ends_the_work(work, alarm):
    """The work is one call of the core, and looks for signals many times before its end."""
    rung = []
    rings = 1 if work == "examined" else RINGS  # it looks for none among programs as small as these

    def ring_bell(*_):
        rung.append(True)
        if len(rung) == rings:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise _RungError

    do = LONG[work]
    alarm(ring_bell)
    with pytest.raises(_RungError):
        do()


def test_a_handler_that_returns_changes_nothing(alarm):
    """As that of `synth_workers.stop`, which takes a note for whoever looks at it between two steps."""
    program, rung = ring(6, 6), []
    undisturbed = judge([program])
    alarm(lambda *_: rung.append(True))
    while not rung:
        assert judge([program]) == undisturbed
