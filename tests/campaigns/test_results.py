"""What the launches of cells come to, from databases made up for the purpose: quickly and slowly, whole and with gaps.

No claim becomes stronger by leaving data out: what is not *consistent with* a verdict never becomes so, and
nothing becomes a violation. The faults of `faults.toml` show in the examples that are written down.
"""

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synth_backends.litmus_test import LitmusTest
from synth_campaigns.cell_launches import cells_launched
from synth_campaigns.cell_result import LaunchCourse, Rate
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.claims import claims_of
from synth_campaigns.intervals import upper_end
from synth_campaigns.outcomes import outcome_of
from synth_campaigns.results import result_of, results_of
from synth_campaigns.settings import LaunchSettings
from synth_campaigns.store import Store
from synth_checker.programs.normal import program_of_id
from synth_devices.attempt import AttemptResult
from synth_devices.catalogue import load_device
from synth_devices.device import Build
from synth_devices.raw_ends import RAW_ENDS, LaunchEnd

IDS = ["00_0-0011", "0011-00_0", "0010-000001_0"]
DECLARED = 4
LAUNCHES = LaunchSettings(count=DECLARED, timeout_s=1, confirm_s=3, after_hang=1)
BUILDS = [Build("cpp", {}, digest) for digest in ("a", "b")]

#: In one instance, no thread has finished.
UNFINISHED = {"00": 1}
#: How a launch ended, after how many seconds, and for how long it was quiet.
LAUNCHED = st.builds(
    LaunchEnd,
    st.sampled_from([*RAW_ENDS, *["ended"] * 6, *["given up"] * 3]),
    st.sampled_from([0.5, 2.0, 3.0, 4.0]),
    st.sampled_from([None, 0.1, 5.0]),
    st.just({}),
    st.sampled_from([UNFINISHED, UNFINISHED, {}, {"11": 1}]),
)
#: An attempt: its cell, how many launches end first, the last launch, the time-out, and whether its process is new.
ATTEMPTS = st.tuples(
    st.integers(1, 4), st.integers(0, 5), LAUNCHED, st.sampled_from([1, 3]), st.booleans(),
)  # fmt: skip
DATABASES = st.lists(ATTEMPTS, max_size=10)


@contextmanager
def database(attempts, declared=DECLARED):
    """An open database with four cells of a device, three tests under a mapping and one under another."""
    cells = [
        Cell(0, "cpu", id_, 2, Setting(mapping, 1, 0), 0, declared)
        for id_, mapping in [*((id_, "plain") for id_ in IDS), (IDS[0], "chunked")]
    ]
    with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite", is_new=True) as store:
        store.fill([load_device("cpu")], [LitmusTest(id_, id_, program_of_id(id_)) for id_ in IDS], cells, {})
        build = store.note_build("cpu", BUILDS[0])
        process = 0
        for cell, ended, last, timeout, is_new in attempts:
            attempt = store.begin(cell, build, timeout, 0)
            process = attempt if is_new or not process else process
            launches = (*[LaunchEnd("ended", 0.5)] * ended, last)
            store.finish(attempt, process, AttemptResult(launches), 0)
        yield store


def results(store):
    return results_of(store, LAUNCHES, "cpu")


def statuses(store):
    return {claim.verdict: claim.status for claim in claims_of(results(store))}


def slow_result(store, number):
    """A result again, launch by launch: its outcomes, confirmed hangs, what came too late, and its course."""
    longest = store.longest()
    processes = dict(store.read("SELECT id, process FROM attempt"))
    cell = store.cells()[number - 1]
    outcomes, beyond, confirmed, counted = Counter(), Counter(), 0, []
    for launch in store.launches(number):
        judged = outcome_of(
            launch, decides=False, longest=longest.get(("cpu", cell.setting.mapping), 0.0), confirm_s=LAUNCHES.confirm_s
        )
        if judged.outcome not in {"ended", "hung"}:
            outcomes[judged.outcome] += 1
        elif len(counted) == DECLARED:
            beyond[judged.outcome] += 1
        else:
            counted.append((judged.outcome == "hung", launch.attempt, launch.number))
            outcomes[judged.outcome] += 1
            confirmed += judged.is_confirmed
    hung = [place for place, (has_hung, *_) in enumerate(counted, 1) if has_hung]
    firsts = [has_hung for has_hung, attempt, place in counted if place == 1 and processes[attempt] == attempt]
    course = LaunchCourse(
        hung[0] if hung else None,
        Rate(len(hung) - 1, len(counted) - hung[0]) if hung else Rate(0, 0),
        len({processes[attempt] for _, attempt, _ in counted}),
        Rate(sum(firsts), len(firsts)),
    )
    return outcomes, confirmed, beyond, course


@given(DATABASES)
def test_results_are_those_of_each_launch(attempts):
    with database(attempts) as store:
        for result in results(store):
            assert (result.outcomes, result.confirmed, result.beyond, result.course) == slow_result(
                store, result.number
            )
            assert result.gaps == ()


ENDED = LaunchEnd("ended", 0.5)
#: Attempts at the first cell: a confirmed hang, and a crash.
HANG, CRASH = (1, 0, LaunchEnd("given up", 3.0, 3.0, {}, UNFINISHED), 3, True), (1, 0, LaunchEnd("crashed"), 1, True)


def clean(cells=range(1, 5)):
    return [(cell, DECLARED - 1, ENDED, 1, True) for cell in cells]


#: Launches by attempt and number, attempts, and cells that are left out of a database. Some of them may not be there.
LEFT_OUT = st.tuples(
    st.sets(st.tuples(st.integers(1, 10), st.integers(1, 6)), max_size=5),
    st.sets(st.integers(1, 10), max_size=3),
    st.sets(st.integers(1, 4), max_size=2),
)


@given(DATABASES, LEFT_OUT)
@example([*clean(), CRASH], ({(5, 1)}, set(), set()))
@example([*clean(), CRASH], (set(), {5}, set()))
@example([*clean(), HANG], ({(5, 1)}, set(), set()))
@example([*clean(), HANG], ({(2, 1)}, set(), set()))
@example(clean(), (set(), set(), {3}))
@example([HANG, (1, 0, LaunchEnd("ended", 4.0), 6, True)], ({(2, 1)}, set(), set()))
@example([HANG, (4, 0, LaunchEnd("left early"), 6, True)], (set(), {2}, set()))
@example([*clean(), HANG], ({(1, 2)}, set(), set()))
def test_no_claim_becomes_stronger_by_leaving_out_launches_attempts_or_cells(attempts, left_out):
    gone, without, cells = left_out
    without = without | {number for number, (cell, *_) in enumerate(attempts, 1) if cell in cells}
    with database(attempts) as store:
        before = statuses(store)
        with store.transaction() as db:
            db.executemany("DELETE FROM launch WHERE attempt = ? AND number = ?", sorted(gone))
            db.executemany("DELETE FROM launch WHERE attempt = ?", [(number,) for number in without])
            db.executemany("DELETE FROM attempt WHERE id = ?", [(number,) for number in without])
        for verdict, status in statuses(store).items():
            assert status not in {"consistent with", "violates"} or before[verdict] == status, verdict


@pytest.mark.full
@given(DATABASES)
@example([HANG, *clean()])
@example([*clean(), (1, 0, LaunchEnd("ended", 4.0), 3, True)])
def test_no_claim_becomes_stronger_by_waiting_less(attempts):
    """The same launches, given up after a second: what took longer did not end, and no hang is confirmed."""
    less = []
    for cell, ended, last, _, is_new in attempts:
        waits = last.end in {"ended", "given up"} and last.seconds > 1
        quiet_s = None if last.quiet_s is None else min(last.quiet_s, 1.0)
        given_up = LaunchEnd("given up", 1.0, quiet_s, {}, last.finished)
        less.append((cell, ended, given_up if waits else last, 1, is_new))
    with database(attempts) as store, database(less) as other:
        before, after = statuses(store), statuses(other)
    assert "violates" not in after.values()
    assert all(before[name] == "consistent with" for name, status in after.items() if status == "consistent with")


@pytest.mark.parametrize(("timeout", "status"), [(1, "inconclusive"), (3, "violates")])
def test_a_hang_convicts_only_if_it_was_waited_for_as_long_as_the_campaign_asks(timeout, status):
    """All flags were quiet for the whole time-out, which may be shorter than `confirm_s`."""
    hang = LaunchEnd("given up", float(timeout), float(timeout), {}, UNFINISHED)
    with database([(1, 0, hang, timeout, True), *clean()]) as store:
        assert statuses(store)["fair.strong"] == status


@pytest.mark.full
@given(DATABASES, st.randoms())
def test_the_order_of_attempts_of_different_cells_changes_no_claim(attempts, random):
    attempts = [(*of_cell, True) for *of_cell, _ in attempts]
    order = random.sample([cell for cell, *_ in attempts], len(attempts))
    queues = {cell: iter([attempt for attempt in attempts if attempt[0] == cell]) for cell in order}
    with database(attempts) as store, database([next(queues[cell]) for cell in order]) as other:
        assert [without_order(result) for result in results(store)] == [
            without_order(result) for result in results(other)
        ]
        assert statuses(store) == statuses(other)


def without_order(result):
    """A result without what ran before the launches, which is the order itself."""
    return replace(result, circumstances=None, alone=0, seen_alone=0, doubt="")


def test_a_whole_database_without_hangs_is_consistent_and_one_that_lacks_anything_is_not():
    with database(clean()) as store:
        assert statuses(store)["fair.strong"] == "consistent with"
        with store.transaction() as db:
            db.execute("DELETE FROM launch WHERE attempt = 2 AND number = 3")
        (found,) = [result for result in results(store) if result.number == 2]
        assert found.trouble == [f"1 of {DECLARED} launches missing", "1 launches deleted"]
        assert statuses(store)["fair.strong"] == "inconclusive"
    for place in (0, 4):  # the last attempt leaves a trace, too
        with database([*clean()[:place], CRASH, *clean()[place:]]) as store:
            with store.transaction() as db:
                db.execute("DELETE FROM launch WHERE attempt = ?", (place + 1,))
                db.execute("DELETE FROM attempt WHERE id = ?", (place + 1,))
            assert {result.trouble[0] for result in results(store)} == {"1 attempts of the campaign deleted"}
            assert statuses(store)["fair.strong"] == "inconclusive"


def test_launches_beyond_the_declared_number_make_no_claim_stronger():
    hang = (1, 1, LaunchEnd("given up", 3.0, 3.0, {}, UNFINISHED), 3, True)
    with database([*clean(), (1, 90, ENDED, 1, True)]) as store:
        assert claims_of(results(store))[-1].bound == pytest.approx(upper_end(DECLARED))
        assert results(store)[0].counted == DECLARED
    with database([*clean(), hang]) as store:
        assert statuses(store)["fair.strong"] == "inconclusive"
        assert results(store)[0].trouble == [f"1 hung after the {DECLARED} launches that the cell declares"]
    with database([hang, *clean()]) as store:
        assert statuses(store)["fair.strong"] == "violates"


def test_launches_of_two_builds_are_not_put_together():
    with database(clean()) as store:
        number = store.note_build("cpu", BUILDS[1])
        store.finish(store.begin(1, number, 1, 0), 5, AttemptResult((LaunchEnd("failed"),)), 0)
        assert "made with 2 builds, which cannot be put together" in results(store)[0].trouble


def test_the_rate_is_only_that_of_launches_whose_number_no_hang_decided():
    hang = LaunchEnd("given up", 3.0, 3.0, {}, UNFINISHED)
    with database([(1, 1, hang, 3, True), (1, 0, ENDED, 3, True)]) as store:
        result = results(store)[0]
        assert (result.hung, result.counted, result.sample) == (1, 3, Rate(0, 1))
        assert result.course.first_hang == 2
        stopped = results_of(store, LaunchSettings(until=0.5, confirm_s=3), "cpu")[0]
        assert stopped.after_hang == 0
    with database([(1, 1, hang, 3, True)]) as store:
        assert (results(store)[0].sample, results(store)[0].interval) == (None, None)
    everything = LaunchSettings(count=DECLARED, confirm_s=3, after_hang=DECLARED)
    with database([(1, 1, hang, 3, True), (1, 1, ENDED, 3, True)]) as store:
        assert results_of(store, everything, "cpu")[0].sample == Rate(1, DECLARED)


@pytest.mark.parametrize("longest", [None, {"plain": 3.5}])
def test_a_launch_that_took_longer_and_ended_makes_earlier_hangs_slow(longest):
    with database([(1, 0, LaunchEnd("given up", 3.0, 3.0, {}, UNFINISHED), 3, True)]) as store:
        launched = cells_launched(store, LAUNCHES, "cpu")
        result = result_of(launched[0], longest or {})
        assert dict(result.outcomes) == ({"slow": 1} if longest else {"hung": 1})


@given(DATABASES, DATABASES, st.randoms())
@example(clean(), clean(), Random(1))
@example(clean(), [], Random(0))
@example([HANG, *clean([2, 3, 4])], [CRASH], Random(0))
def test_merging_makes_nothing_consistent_that_was_not_and_forgets_no_violation(events, other, random):
    with database(events) as first, database(other, DECLARED - 2) as second:
        parts = [results(first), results(second)]
    early = any(each.outcomes.get("left early") for part in parts for each in part)
    alone = [{claim.verdict: claim for claim in claims_of(part)} for part in parts]
    together = [*parts[0], *parts[1]]
    shuffled = random.sample(together, len(together))
    merged = {claim.verdict: claim for claim in claims_of(together)}
    for verdict, claim in merged.items():
        before = {each[verdict].status for each in alone}
        if claim.status == "consistent with":
            assert before == {"consistent with"}
        if "violates" in before:
            assert claim.status == ("inconclusive" if early else "violates")
    again = {claim.verdict: claim for claim in claims_of(shuffled)}
    for verdict, claim in merged.items():
        assert (again[verdict].status, again[verdict].bound) == (claim.status, claim.bound)
        assert Counter(id(each) for each in again[verdict].cells) == Counter(id(each) for each in claim.cells)
