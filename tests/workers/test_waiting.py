"""Test which unit a worker gets next: each unit once, and neighbours as long as there are any."""

import random
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_workers.unit_queue import ByNeighbourhood, InOrder

ASKS = st.lists(st.tuples(st.integers(0, 3), st.booleans()))


@pytest.mark.parametrize("kind", [InOrder, ByNeighbourhood])
@given(units=st.integers(0, 30), asks=ASKS)
def test_each_unit_is_handed_out_until_it_is_done(kind, units, asks):
    """Whoever asks, and whatever is lost, which waits again."""
    waiting, last, done = kind(units), {}, []
    for worker, is_lost in chain(asks, repeat((0, False))):
        if not waiting:
            break
        unit = waiting.take(last.get(worker))
        if is_lost:
            waiting.put_back(unit)
            last.pop(worker, None)
        else:
            done.append(unit)
            last[worker] = unit
    assert sorted(done) == list(range(units))


@pytest.mark.parametrize("kind", [InOrder, ByNeighbourhood])
def test_one_worker_goes_through_the_list(kind):
    waiting, last = kind(10), None
    for unit in range(10):
        last = waiting.take(last)
        assert last == unit
    assert not waiting


@pytest.mark.parametrize("workers", [2, 3, 8])
@pytest.mark.parametrize("seed", range(5))
def test_workers_stay_among_neighbours(workers, seed):
    """At whatever pace they go, they leave their runs a few times, where in order they would with almost each unit."""
    units, rng = 1000, random.Random(seed)
    assert leaps(ByNeighbourhood(units), workers, rng) <= workers * units.bit_length()
    assert leaps(InOrder(units), workers, rng) > units / 3


def leaps(waiting, workers, rng):
    """How often a worker gets another unit than the one behind its last, the workers asking in a random order."""
    last, found = {}, 0
    while waiting:
        worker = rng.randrange(workers)
        unit = waiting.take(last.get(worker))
        found += unit - 1 != last.get(worker)
        last[worker] = unit
    return found
