"""What changed between two databases: Fisher's exact test, Holm's correction, and the power."""

import itertools
import math
import random

import pytest

from campaigns import run, settings
from synth_analysis.cell_comparison import LEVEL, comparison
from synth_analysis.correction import holm, least_p
from synth_analysis.device_results import devices_in
from synth_analysis.power import POWER, p_values, power_of, smallest_change
from synth_analysis.significance import fisher
from synth_campaigns.cell_result import CellResult, Rate
from synth_campaigns.cells import Cell, Setting

ONE, OTHER = "00_0-0011", "0011-00_0"


def side(hung, *, launches=20, busy=0, device="sim", mapping="chunked"):
    """Cells of which so many of so many launches hung; the test of each is its place."""
    return [
        CellResult(
            place, Cell(0, device, f"test {place}", 2, Setting(mapping, 100, 0), busy, launches),
            {"hung": hung_here, "ended": launches - hung_here}, hung_here,
        )
        for place, hung_here in enumerate(hung)
    ]  # fmt: skip


@pytest.mark.full
def test_a_database_has_not_changed_since_itself(tmp_path):
    run(tmp_path / "a", settings("sim", [ONE, OTHER], mappings=["plain", "chunked"]))
    (device,) = devices_in([tmp_path / "a"])
    found = comparison(device.cells, device.cells)
    assert (len(found.pairs), found.changed, found.unmatched, found.unknown) == (4, (), (0, 0), 0)
    assert {pair.p for pair in found.pairs} == {1.0}


def test_a_cell_that_hangs_now_and_never_did_has_changed():
    found = comparison(side([0, 20, 7, 0]), side([0, 20, 9, 20]))
    (changed,) = found.changed
    assert changed.before.cell.test == "test 3"
    assert changed.corrected == pytest.approx(2 * 2 / math.comb(40, 20))
    # Nothing hung in the first pair and everything in the second, so only two pairs can show a change.
    assert found.corrected == 2


def test_loads_and_devices_are_compared_and_other_settings_must_be_equal():
    assert len(comparison(side([0]), side([20], busy=8)).changed) == 1
    assert len(comparison(side([0]), side([20], device="vulkan")).changed) == 1
    assert comparison(side([0]), side([20], mapping="plain")).unmatched == (1, 1)
    # If a side has several loads, each is compared with itself.
    both = side([0]) + side([20], busy=8)
    assert comparison(both, both).changed == ()
    assert comparison(both, side([20], busy=8)).unmatched == (1, 0)


def test_rows_of_one_test_match_in_their_order():
    twice = side([3]) + side([4])
    assert [(pair.before.hung, pair.after.hung) for pair in comparison(twice, twice).pairs] == [(3, 3), (4, 4)]


def test_a_cell_without_launches_or_numbers_is_not_compared():
    nothing = [CellResult(1, result.cell, {"slow": 3}, 0) for result in side([0])]
    least = [CellResult(1, result.cell, {"hung": 1}, 0, is_least=True) for result in side([0])]
    for other in (nothing, least):
        found = comparison(side([0]), other)
        assert (found.pairs, found.unknown) == ((), 1)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (6, 9), (20, 20)])
def test_the_values_of_all_tables_are_those_of_the_test(n, m):
    for h, row in enumerate(p_values(n, m)):
        assert row == pytest.approx([fisher(Rate(h, n), Rate(k, m)) for k in range(m + 1)])


def test_no_table_with_as_many_hangs_has_a_lower_p_value():
    for n, m in itertools.product(range(1, 8), repeat=2):
        for total in range(n + m + 1):
            lowest = min(fisher(Rate(h, n), Rate(total - h, m)) for h in range(max(0, total - m), min(n, total) + 1))
            assert least_p(n, m, total) == lowest


def test_holm_corrects_as_the_plain_definition_does():
    """The k-th least of m values is corrected by m - k; no corrected value is below that of a lower one."""
    for seed in range(50):
        drawn = random.Random(seed)
        values = [drawn.choice([0.01, drawn.random()]) for _ in range(drawn.randrange(6))]
        plain = [min(1.0, max((sum(two >= p for two in values)) * p for p in values if p <= value)) for value in values]
        assert holm(values) == pytest.approx(plain)


def test_the_power_is_the_sum_over_all_tables():
    for n, m, rate, other in ((5, 6, 0.1, 0.9), (8, 5, 0.5, 0.02), (7, 7, 0, 1)):
        plain = sum(
            math.comb(n, h) * rate**h * (1 - rate) ** (n - h) * math.comb(m, k) * other**k * (1 - other) ** (m - k)
            for h, k in itertools.product(range(n + 1), range(m + 1))
            if fisher(Rate(h, n), Rate(k, m)) <= 0.05
        )
        assert power_of(rate, n, other, m, 0.05) == pytest.approx(plain)


def test_the_smallest_change_is_found_and_a_smaller_one_is_not():
    for rate, n, m in ((0.0, 20, 20), (0.5, 40, 30), (1.0, 20, 20), (0.1, 60, 60)):
        above, below = smallest_change(rate, n, m, 0.01)
        assert (above is None, below is None) == (rate == 1, rate <= 0.1)
        for found, towards in ((above, -0.001), (below, 0.001)):
            if found is not None:
                assert power_of(rate, n, found, m, 0.01) >= POWER > power_of(rate, n, found + towards, m, 0.01)


@pytest.mark.full
def test_planted_changes_are_found_at_the_stated_power():
    """Of 20 cells, one changes by the smallest change that the comparison names; 300 databases are simulated."""
    drawn = random.Random(24)
    rate, launches, cells, trials = 0.3, 20, 20, 300
    above = smallest_change(rate, launches, launches, LEVEL / cells).above
    found = false = 0
    for _ in range(trials):
        before, after = (
            [sum(drawn.random() < chance for _ in range(launches)) for chance in (changed, *[rate] * (cells - 1))]
            for changed in (rate, above)
        )
        changed = {pair.before.cell.test for pair in comparison(side(before), side(after)).changed}
        found += "test 0" in changed
        false += bool(changed - {"test 0"})
    # Three standard deviations of 300 trials are 7 % about 80 %, and 3.8 % about 5 %.
    assert found / trials >= POWER - 0.07
    assert false / trials <= LEVEL + 0.038


def test_a_campaign_that_goes_on_after_a_hang_finds_no_change_where_there_is_none():
    """The number of launches then depends on their outcomes, which Fisher's test does not know."""
    drawn = random.Random(5)

    def launched(rate):
        first = next((k for k in range(20) if drawn.random() < rate), None)
        return Rate(0, 20) if first is None else Rate(1 + sum(drawn.random() < rate for _ in range(4)), first + 5)

    for rate in (0.05, 0.2, 0.5, 0.9):
        values = [fisher(launched(rate), launched(rate)) for _ in range(1000)]
        assert sum(value <= LEVEL for value in values) / len(values) <= LEVEL + 0.02
