"""Intervals for rates of hangs, compared with SciPy's."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_campaigns.intervals import simultaneous_end, upper_end, wilson

PAIRS = [(hung, launches) for launches in range(1, 401) for hung in range(launches + 1)]


def check(pairs):
    from scipy.stats import binomtest

    for hung, launches in pairs:
        theirs = binomtest(hung, launches).proportion_ci(method="wilson")
        low, high = wilson(hung, launches)
        assert abs(low - theirs.low) < 1e-9, (hung, launches)
        assert abs(high - theirs.high) < 1e-9, (hung, launches)


@pytest.mark.full
def test_wilsons_interval_is_scipys():
    check([(0, 1), (1, 1), (0, 400), (400, 400), *random.Random(1).sample(PAIRS, 300)])


@pytest.mark.exhaustive
def test_wilsons_interval_is_scipys_for_all_numbers_of_launches_up_to_400():
    check(PAIRS)


@given(st.integers(1, 100_000))
def test_without_a_hang_the_upper_end_is_short(launches):
    assert upper_end(launches) == pytest.approx(wilson(0, launches)[1], abs=1e-12)


def test_the_numbers_that_documents_name():
    assert [round(wilson(0, launches)[1], 3) for launches in (20, 73, 381)] == [0.161, 0.05, 0.01]


@pytest.mark.full
@pytest.mark.parametrize("cells", [1, 7, 300])
@pytest.mark.parametrize("launches", [1, 20, 400])
def test_the_bound_for_several_cells_is_that_of_clopper_and_pearson_with_the_error_shared_out(launches, cells):
    from scipy.stats import binomtest

    theirs = binomtest(0, launches).proportion_ci(1 - 0.05 / cells, method="exact").high
    assert simultaneous_end(launches, cells) == pytest.approx(theirs, abs=1e-9)
    # If all cells hang a little more often than the bound, at most 2.5 % of campaigns see no hang in one of them.
    assert cells * (1 - simultaneous_end(launches, cells)) ** launches <= 0.025 * (1 + 1e-9)
