"""What launches are taken for, and what is claimed of them, from outcomes made up for the purpose."""

import math
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_campaigns.cell_result import CellResult
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.claims import claims_of, passed_verdicts
from synth_campaigns.intervals import Z, clean_launches, upper_end
from synth_campaigns.outcomes import LaunchOutcome, outcome_of
from synth_campaigns.queries import StoredLaunch
from synth_checker.programs.normal import program_of_id
from synth_corpus.store import Corpus
from synth_devices.raw_ends import RAW_ENDS, LaunchEnd

PASSES = passed_verdicts([record.id for record in Corpus("@minimal/2x2")])
WAITS, STORES_LATER = "00_0-0011", "0011-00_0"


def stored(end, seconds=2.0, quiet=2.0, timeout=2.0):
    return StoredLaunch(1, 1, timeout, "", LaunchEnd(end, seconds, quiet, {}, {"00": 1}))


def outcome(launch, *, decides=False, longest=0.0, confirm_s=30):
    return outcome_of(launch, decides=decides, longest=longest, confirm_s=confirm_s)


def result(test, mapping="plain", declared=20, confirmed=0, *, is_relaxed=False, **outcomes):
    cell = Cell(0, "sim", test, 2, Setting(mapping, 1, 0), 0, declared)
    counts = Counter({name.replace("_", " "): n for name, n in outcomes.items()})
    return CellResult(1, cell, counts, confirmed, is_relaxed=is_relaxed)


def claims(*results):
    return {claim.verdict: claim for claim in claims_of(results)}


@pytest.mark.parametrize("end", [end for end in RAW_ENDS if end != "given up"])
def test_only_a_launch_that_was_given_up_can_have_hung(end):
    assert outcome(stored(end)) == LaunchOutcome(end)


def test_a_launch_hung_if_it_was_quiet_and_nothing_that_long_ended():
    assert outcome(stored("given up")) == LaunchOutcome("hung")
    assert outcome(stored("given up", quiet=0.9)) == LaunchOutcome("slow")
    assert outcome(stored("given up", quiet=None)) == LaunchOutcome("hung")
    assert outcome(stored("given up"), longest=2.0) == LaunchOutcome("slow")
    assert outcome(stored("given up", 30.0, 29.0, 30.0)) == LaunchOutcome("hung", is_confirmed=True)
    assert outcome(stored("given up", 0.001, None), decides=True) == LaunchOutcome("hung", is_confirmed=True)


def test_a_launch_lost_at_the_time_of_a_watchdog_before_a_canary_that_ends_is_a_suspected_hang_and_convicts_nobody():
    lost = StoredLaunch(1, 1, 30.0, "terminated", LaunchEnd("lost", 2.1))
    assert outcome(lost) == LaunchOutcome("suspected hang")
    assert outcome(lost._replace(canary="lost")) == LaunchOutcome("lost")
    assert outcome(lost._replace(launch=LaunchEnd("lost", 0.2))) == LaunchOutcome("lost")
    claim = claims(result(WAITS, suspected_hang=5), result(STORES_LATER, ended=20))["fair.weak"]
    assert claim.status == "inconclusive"
    assert claim.because.startswith(f"{WAITS} under plain: 5 suspected hang")


def test_a_confirmed_hang_violates_each_verdict_that_its_test_passes_and_no_other():
    found = claims(result(WAITS, hung=1, ended=4, confirmed=1), result(STORES_LATER, ended=20))
    for verdict, claim in found.items():
        assert (claim.status == "violates") == (verdict in PASSES[WAITS])
    assert found["HSA.weak"].status == "consistent with"
    assert found["HSA.weak"].bound == upper_end(20)
    assert found["unfair"].status == "not tested"


def test_a_hang_that_is_not_confirmed_or_may_be_the_memorys_is_inconclusive():
    assert claims(result(WAITS, hung=1, ended=4))["fair.weak"].status == "inconclusive"
    two_locations = next(
        record.id
        for record in Corpus("@minimal/3x4")
        if program_of_id(record.id).locations() == 2 and record.verdicts["fair.strong"] == "pass"
    )
    verdict = "fair.strong"
    hung = result(two_locations, hung=5, confirmed=5)
    assert claims(hung)[verdict].status == "violates"
    of_memory = claims(result(two_locations, hung=5, confirmed=5, is_relaxed=True))[verdict]
    assert (of_memory.status, of_memory.witnesses, len(of_memory.relaxed_witnesses)) == ("inconclusive", (), 1)
    why = "perhaps because of the memory, which is relaxed or of unknown order"
    assert of_memory.because == f"{two_locations} under plain: 5 hung, but {why}"
    assert claims(result(WAITS, hung=5, confirmed=5, is_relaxed=True))["fair.weak"].status == "violates"


@pytest.mark.parametrize("trouble", ["left_early", "slow", "lost", "crashed", "failed"])
def test_whatever_goes_wrong_keeps_a_device_from_a_claim_of_consistency_and_is_named(trouble):
    claim = claims(result(WAITS, ended=20), result(WAITS, "chunked", ended=20, **{trouble: 1}))["fair.weak"]
    assert claim.status == "inconclusive"
    assert claim.because.endswith(f"{WAITS} under chunked: 1 {trouble.replace('_', ' ')}")


def test_if_a_launch_leaves_early_the_driver_is_wrong_and_no_other_test_makes_a_claim():
    found = claims(
        result(WAITS, ended=20, left_early=1), result(STORES_LATER, hung=1, confirmed=1), result("00_0-0011", ended=20)
    )
    assert {claim.status for claim in found.values()} == {"inconclusive", "not tested"}
    assert found["HSA.weak"].because == f"the driver is wrong: {WAITS} under plain: 1 left early"


def test_a_cell_that_lacks_launches_is_named_and_a_verdict_without_launches_is_not_tested():
    claim = claims(result(WAITS, ended=19))["fair.weak"]
    assert (claim.status, claim.because) == ("inconclusive", f"{WAITS} under plain: 1 of 20 launches missing")
    assert claims(result(WAITS, failed=3))["fair.weak"].status == "not tested"


def test_a_hang_of_threads_that_share_a_workgroup_says_nothing_about_verdicts():
    hung = result(WAITS, "chunked", hung=5, confirmed=5)
    inside = replace(hung, cell=replace(hung.cell, across="invocations"))
    assert claims(hung)["fair.weak"].status == "violates"
    assert claims(inside)["fair.weak"].status == "not tested"


def test_witnesses_are_listed_with_plain_first_then_the_smallest_test_then_the_highest_rate():
    results = [
        result("0010-000001_0", "plain", hung=1, ended=4, confirmed=1),
        result(WAITS, "chunked", hung=5, confirmed=5),
        result(WAITS, "plain", hung=1, ended=4, confirmed=1),
        result(STORES_LATER, "plain", hung=5, confirmed=5),
    ]
    found = claims(*results)["fair.strong"].witnesses
    assert [(cell_result.cell.test, cell_result.cell.setting.mapping) for cell_result in found] == [
        (STORES_LATER, "plain"), (WAITS, "plain"), ("0010-000001_0", "plain"), (WAITS, "chunked"),
    ]  # fmt: skip


@given(st.integers(1, 100_000))
def test_the_bound_is_the_upper_end_of_wilsons_interval(launches):
    rate, z2 = 0.0, Z * Z
    half = Z * math.sqrt(rate * (1 - rate) / launches + z2 / (4 * launches * launches))
    assert upper_end(launches) == pytest.approx((rate + z2 / (2 * launches) + half) / (1 + z2 / launches))


@given(st.floats(0.0001, 0.9))
def test_so_many_clean_launches_are_the_fewest_that_bring_the_bound_below(until):
    fewest = clean_launches(until)
    assert upper_end(fewest) < until
    assert fewest == 1 or upper_end(fewest - 1) >= until


def test_the_numbers_of_clean_launches_that_the_documents_name():
    assert [clean_launches(rate) for rate in (0.05, 0.01)] == [73, 381]
    assert round(upper_end(20), 3) == 0.161
