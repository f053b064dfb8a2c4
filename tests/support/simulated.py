"""What tests of simulated devices share: random schedulers and launches, transition tables, and what presets imply."""

import functools
import random
import struct

from hypothesis import strategies as st

from simulation_twin import ProgramSteps, TwinSimulator
from strategies import programs
from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_checker import _native
from synth_checker.models import library
from synth_checker.relations.fairness_order import is_implied, verdicts_of
from synth_corpus.store import Corpus
from synth_devices.sim.scheduler import ORDERS, PICKS, Scheduler

MOST_WORKGROUPS = 12
BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
VERDICTS = {verdict.name: verdict for verdict in verdicts_of(library())}


@functools.cache
def minimal_tests():
    """The minimal tests of the bounds of the paper, each with the verdicts that it passes."""
    return {
        record.id: {name for name, found in record.verdicts.items() if found == "pass"}
        for bound in BOUNDS
        for record in Corpus(f"@minimal/{bound}")
    }


def closure(implied):
    """These verdicts and all that are at most as fair: whoever passes such a verdict passes one of these."""
    return {
        name
        for name, verdict in VERDICTS.items()
        if any(name == name_implied or is_implied(verdict, VERDICTS[name_implied]) for name_implied in implied)
    }


@st.composite
def schedulers(draw):
    """Schedulers with few slots, whatever their rules.

    Where the pick is random the twin searches all joint states of the residents, so there are fewer of them.
    """
    pick = draw(st.sampled_from(PICKS))
    slots = MOST_WORKGROUPS if pick in ("rotate", "lowest") else 4
    least = draw(st.integers(1, slots))
    quantum = draw(st.integers(0, 4)) if pick in ("rotate", "lowest") else 0
    return Scheduler(
        slots=(least, draw(st.integers(least, slots))),
        order=(order := draw(st.sampled_from(sorted(ORDERS)))),
        spread=draw(st.integers(1, 5)) if ORDERS[order] else 1,
        batch=1 if quantum else draw(st.integers(1, 3)),
        quantum=quantum,
        pick=pick,
        seed=draw(st.integers(0, 2**64 - 1)),
    )


def twin_of(scheduler, program, launch, rules=None):
    """The twin of a program under a launch."""
    places = [launch.place(workgroup) for workgroup in range(launch.workgroups)]
    return TwinSimulator(scheduler, ProgramSteps(program), places, rules)


class TableSteps:
    """A transition system that is given as a table: for each state the state after a step of each thread, or -1."""

    start = 0

    def __init__(self, table):
        self.table = table
        self.threads = len(table[0])

    def after(self, state, thread):
        return self.table[state][thread]

    def live(self, state):
        return [thread for thread, after in enumerate(self.table[state]) if after >= 0]


def core_of(table, scheduler, places, fault="none"):
    """The core's simulator of a transition system that is given as a table."""
    packed = b"".join(struct.pack("2i", *place) for place in places)
    return _native.Simulator(
        _native.Lts(table), 1 + max(instance for instance, _ in places), packed,
        slots=scheduler.slots, order=scheduler.order, spread=scheduler.spread, batch=scheduler.batch,
        quantum=scheduler.quantum, pick=scheduler.pick, seed=scheduler.seed, fault=fault,
    )  # fmt: skip


def long_table(chance, threads, most):
    """A table with long tails and long cycles: each thread moves a number below `most`, and ends at few numbers."""
    moves = []
    for _ in range(threads):
        ring, back = chance.randrange(most), chance.randrange(most)
        moves.append(
            chance.choice([
                [number + 1 if number + 1 < most else back for number in range(most)],
                [(number + 1) % most if chance.random() < 0.97 else ring for number in range(most)],
                [chance.randrange(most) for _ in range(most)],
            ])
        )  # fmt: skip
    ends = [{chance.randrange(most) for _ in range(chance.choice([0, 0, 1, 2]))} for _ in range(threads)]
    start = (0, (1 << threads) - 1)
    numbers, rows = {start: 0}, []
    for number, live in keys_as_they_come(numbers):
        row = []
        for thread in range(threads):
            if not live >> thread & 1:
                row.append(-1)
                continue
            after = moves[thread][number]
            state = (after, live & ~(1 << thread) if after in ends[thread] else live)
            row.append(numbers.setdefault(state, len(numbers)))
        rows.append(row)
    return rows


def keys_as_they_come(numbers):
    """The keys of a dictionary in their order, those too that are added in the meantime."""
    met = 0
    while met < len(numbers):
        for key in list(numbers)[met:]:
            met += 1
            yield key


@st.composite
def tables(draw):
    """A table of 1 to 3 threads, a deterministic scheduler, and places of workgroups in any order."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    threads = chance.choice([1, 2, 2, 3])
    table = long_table(chance, threads, chance.choice([5, 20, 80, 200, 500]))
    instances = chance.randint(1, chance.choice([1, 3, 6]))
    places = [(instance, thread) for instance in range(instances) for thread in range(threads)]
    if chance.random() < 0.6:
        chance.shuffle(places)
    slots = chance.randint(1, chance.choice([2, 5, len(places) + 2]))
    quantum = chance.choice([0, 1, 2, 3, 7, 20, 50])
    batch = 1 if quantum else chance.choice([1, 2, 3])
    scheduler = Scheduler(
        (slots, slots), batch=batch, quantum=quantum, pick=chance.choice(["rotate", "rotate", "lowest"])
    )
    return table, scheduler, places


@st.composite
def launches(draw):
    """A program, and a launch of at most so many workgroups."""
    program = draw(programs(threads=(1, 3), instructions=(1, 5)))
    mapping = read_mapping(
        draw(st.sampled_from(["plain", "round-robin", "chunked", "hybrid:2", "random:7", "stride:2"]))
    )
    instances = 1 if mapping.name == "plain" else draw(st.integers(1, MOST_WORKGROUPS // len(program)))
    return program, LitmusLaunch(mapping, len(program), instances)
