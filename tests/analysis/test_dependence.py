"""Whether launches depend on each other: what is planted is found, and chance is hardly ever blamed."""

import itertools
import random
from collections import Counter

import pytest

from campaigns import rows, run, settings
from quick import mostly_full
from simulated_launches import cell_of
from synth_analysis.dependence import attempts_after_others, of_attempts_after_hangs, of_first_launches
from synth_campaigns.cell_result import Rate
from synth_campaigns.folder import open_store


def launched(chance_of, cells, declared=20, after_hang=4):
    """Cells whose launches hang with a chance: a new process comes after each hang, and the cell ends soon after."""
    return [cell_of(chance_of, declared, after_hang) for _ in range(cells)]


def test_hangs_that_gather_in_first_launches_are_found():
    draw = random.Random(1)
    found = of_first_launches(launched(lambda is_first: draw.random() < (0.6 if is_first else 0.02), 40))
    assert found.is_worth_a_warning
    assert found.some.hung / found.some.launches > found.others.hung / found.others.launches


@mostly_full("rate", [0.02, 0.1, 0.5])
def test_launches_that_do_not_depend_on_each_other_hardly_ever_give_a_warning(rate):
    draw = random.Random(2)
    trials = [of_first_launches(launched(lambda _: draw.random() < rate, 30)) for _ in range(200)]
    assert sum(trial.is_worth_a_warning for trial in trials) <= 6  # 1 % of 200 is 2


def test_without_two_kinds_of_launches_there_is_nothing_to_compare():
    assert of_first_launches([]) is None
    assert of_first_launches(launched(lambda _: True, 3, after_hang=0)) is None
    assert of_attempts_after_hangs([(False, True)]) is None


def test_hangs_that_follow_hangs_are_found():
    pairs = [(True, True)] * 12 + [(True, False)] * 3 + [(False, True)] * 4 + [(False, False)] * 40
    found = of_attempts_after_hangs(pairs)
    assert (found.some, found.others) == (Rate(12, 15), Rate(4, 44))
    assert found.is_worth_a_warning
    assert not of_attempts_after_hangs(pairs[:1] + pairs[-40:] + pairs[12:14]).is_worth_a_warning


@pytest.mark.full
def test_the_attempt_before_the_first_one_of_a_cell_is_that_of_another_cell(tmp_path):
    run(tmp_path / "c", settings("sim", ["0011-00_0", "00_0-0011", "0010-000001_0"], mappings=["plain", "chunked"]))
    with open_store(tmp_path / "c") as store:
        found = attempts_after_others(store, "sim")
    ends = rows(tmp_path / "c", "SELECT cell, max(end = 'given up') FROM attempt JOIN launch ON attempt = id "
                "GROUP BY attempt ORDER BY id")  # fmt: skip
    slow = [(bool(b[1]), bool(a[1])) for b, a in itertools.pairwise(ends) if a[0] != b[0]]
    assert found == slow
    assert Counter(found)[False, False]
