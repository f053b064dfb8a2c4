"""Whether some launches hang more often than others, compared with SciPy and with all ways to choose launches."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_analysis.significance import fisher, more_often, more_often_exactly
from synth_campaigns.cell_result import Rate

RATES = st.integers(0, 30).flatmap(lambda n: st.builds(Rate, st.integers(0, n), st.just(n)))


def table(first, other):
    return [[first.hung, first.launches - first.hung], [other.hung, other.launches - other.hung]]


@pytest.mark.full
@given(RATES, RATES)
def test_the_test_is_scipys(first, other):
    from scipy.stats import fisher_exact  # takes a second to import

    assert fisher(first, other) == pytest.approx(fisher_exact(table(first, other)).pvalue, abs=1e-9)
    greater = fisher_exact(table(first, other), alternative="greater").pvalue
    assert more_often([(first, other)]) == pytest.approx(greater, abs=1e-9)


def ways(first, other):
    """How many of `first` hung, for each way in which as many launches of both may hang."""
    everyone = range(first.launches + other.launches)
    return [sum(k < first.launches for k in hung) for hung in itertools.combinations(everyone, first.hung + other.hung)]


SMALL = st.integers(0, 4).flatmap(lambda n: st.builds(Rate, st.integers(0, n), st.just(n)))


@given(st.lists(st.tuples(SMALL, SMALL), max_size=3))
def test_cells_with_rates_of_their_own_are_compared_within_each(pairs):
    seen = sum(rate.hung for rate, _ in pairs)
    counts = [sum(each) for each in itertools.product(*(ways(*pair) for pair in pairs))]
    assert more_often(pairs) == pytest.approx(sum(count >= seen for count in counts) / len(counts))


def test_cells_that_always_hang_do_not_make_first_launches_look_worse():
    always, never = (Rate(1, 1), Rate(0, 0)), (Rate(0, 1), Rate(0, 19))
    assert more_often([always] * 20 + [never] * 20) == 1
    assert more_often([(Rate(1, 1), Rate(0, 19))] * 3) == pytest.approx(1 / 20**3)


@pytest.mark.parametrize("extra", [-20, -5, 0, 5, 10, 15, 20])
def test_for_many_launches_the_normal_distribution_is_good_enough(extra):
    """Its variance is a little more than the least for which it is taken."""
    moved = [(Rate(5 + (k < extra) - (k < -extra), 10), Rate(15 - (k < extra) + (k < -extra), 30)) for k in range(28)]
    assert more_often(moved) == pytest.approx(more_often_exactly(moved), abs=0.002)
    assert more_often(moved) != more_often_exactly(moved)
