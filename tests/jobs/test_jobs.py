"""Test jobs: each test is in one shard, a shard is complete or missing, and the corpus is that of an enumeration."""

import hashlib
import json
import math
import random
import shutil
import statistics
import time
import tracemalloc
from collections import Counter
from dataclasses import replace

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import jobs
import synth
from synth_checker.errors import InputError, ResourceError
from synth_checker.programs.rules import DROPPABLE
from synth_jobs import committed, shard_run
from synth_jobs import finish as finishing
from synth_jobs import job as job_module
from synth_jobs.committed import DamagedError, ShardCounts, commit, counts_of, ids_of
from synth_jobs.driver import ShardProgress, drive, shards_left
from synth_jobs.estimate import Estimate, Probe, Sampler
from synth_jobs.executors import executor_for
from synth_jobs.executors.local import LocalExecutor
from synth_jobs.finish import finish
from synth_jobs.job import Job
from synth_jobs.plan import FEWEST, plan_of, student_half_width
from synth_jobs.shard_run import run_shard
from synth_jobs.shards import shards_of, units_in
from synth_search.engines import explicit
from synth_search.engines.choice import ENGINES, engine_for
from synth_search.engines.explicit import ExplicitEngine
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save
from synth_workers.execution import Execution, Oversight
from synth_workers.stop import Reason, Stop

SMALL = synth.question("2x2,2x3,3x3")


def counted(engine, units):
    return Counter(id_ for unit in units for lines in engine.solve(unit) for id_ in lines.decode().split())


# --- parts ---


@given(
    bounds=st.sampled_from(["2x2", "2x3", "3x3", "3x4"]),
    values=st.integers(1, 3),
    without=st.sets(st.sampled_from(DROPPABLE), max_size=2),
    parts=st.tuples(st.integers(2, 9), st.integers(2, 5)),
    choose=st.randoms(use_true_random=False),
)
def test_each_test_is_in_exactly_one_part_and_in_one_of_its_parts(bounds, values, without, parts, choose):
    engine = engine_for(synth.question(bounds, values=values, without=without), "explicit")
    unit = choose.choice(engine.units(1))
    cut = engine.cut(unit, parts[0])
    assert 1 <= len(cut) <= parts[0]
    assert counted(engine, cut) == counted(engine, [unit])
    part = choose.choice(cut)
    assert counted(engine, engine.cut(part, parts[1])) == counted(engine, [part])


@pytest.mark.parametrize("name", ENGINES)
def test_whatever_the_engine_a_part_has_each_of_its_tests_once(name):
    engine = engine_for(synth.question("2x2" if name == "smt" else "2x3"), name)
    units = engine.units(1)
    cut = [engine.cut(unit, 5) for unit in units]
    assert [counted(engine, parts) for parts in cut] == [counted(engine, [unit]) for unit in units]
    assert [counted(engine, parts) for parts in cut] == [counted(engine, [unit]) for unit in units]  # as often as asked
    assert name == "smt" or any(len(parts) > 1 for parts in cut)


def test_parts_are_of_about_the_same_size():
    engine = ExplicitEngine(synth.question("2x4"))
    unit = max(engine.units(1), key=lambda unit: sum(counted(engine, [unit]).values()))
    sizes = [sum(counted(engine, [part]).values()) for part in engine.cut(unit, 8)]
    assert len(sizes) == 8
    assert max(sizes) < 3 * statistics.fmean(sizes)


#: By the order of the search, what is in the parts of a unit. A search in another order needs another number there.
PARTS = {1: "2a862bc4"}


def test_the_same_unit_has_the_same_tests_as_long_as_the_order_of_the_search_is_the_same():
    engine = ExplicitEngine(synth.question("2x4"))
    digest = hashlib.sha256()
    for unit in engine.units(1):
        for part in engine.cut(unit, 3):
            digest.update("".join(sorted(counted(engine, [part]))).encode() + b"\n")
    assert {engine.order: digest.hexdigest()[:8]} == PARTS


# --- shards ---


@given(
    sizes=st.lists(st.tuples(st.floats(0, 10), st.floats(0, 1e8)), min_size=8, max_size=8),
    seconds=st.floats(0.5, 20),
)
def test_shards_have_each_unit_or_all_of_its_parts_once_and_are_bounded(sizes, seconds):
    engine = ExplicitEngine(synth.question("2x3"))
    units = engine.units(1)
    estimates = [Estimate(unit, [Probe(cpu, cpu, kept, kept)]) for unit, (cpu, kept) in zip(units, sizes, strict=False)]
    shards = shards_of(engine, estimates, seconds)
    found = [unit for shard in shards for unit in units_in(shard, engine)]
    assert counted(engine, found) == counted(engine, [estimate.unit for estimate in estimates])
    assert len({shard.name for shard in shards}) == len(shards)
    assert sum(shard.seconds for shard in shards) == pytest.approx(sum(estimate.seconds for estimate in estimates))
    for shard in shards:
        assert len(shard.units) == 1 or shard.seconds <= seconds * (1 + 1e-9)


def test_the_list_of_shards_is_read_as_it_was_written(tmp_path):
    job = jobs.made(tmp_path / "it.job", SMALL)
    again = Job(tmp_path / "it.job")
    assert again.question == SMALL
    assert again.shards == job.shards
    engine = again.engine()
    found = [unit for shard in again.shards.values() for unit in units_in(shard, engine)]
    assert counted(engine, found) == counted(engine, engine.units(1))


def test_a_list_that_was_changed_is_refused(tmp_path):
    job = jobs.made(tmp_path / "it.job", SMALL)
    path = job.folder / "shards.jsonl"
    path.write_bytes(path.read_bytes().replace(b"000001", b"000011"))
    with pytest.raises(InputError, match="the checksum differs"):
        _ = Job(job.folder).shards


def test_a_job_of_another_order_of_search_is_refused(tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", SMALL)
    monkeypatch.setattr(ExplicitEngine, "order", ExplicitEngine.order + 1)
    with pytest.raises(InputError, match="finish the job with the release that began it"):
        job.engine()


# --- committed shards ---

IDS = [b"0010-00_0\n", b"0011-00_0\n"]
COUNTS = ShardCounts(7, 2, 2, (0, 3))


@pytest.fixture
def shard(tmp_path):
    commit(tmp_path, "000001", "job", COUNTS, b"".join(IDS))
    return tmp_path / "000001.zst"


def test_a_committed_shard_is_read_as_it_was_written(shard):
    assert counts_of(shard.parent, "000001", "job") == COUNTS
    assert list(ids_of(shard.parent, "000001")) == IDS
    assert counts_of(shard.parent, "000002", "job") is None


def test_other_programs_see_the_ids_in_it(shard):
    with shard.open("rb") as file:
        assert zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read() == b"".join(IDS)


def test_a_second_commit_changes_nothing(shard):
    before = shard.read_bytes()
    commit(shard.parent, "000001", "job", COUNTS, b"".join(IDS))
    assert [path.name for path in shard.parent.iterdir()] == [shard.name]
    assert shard.read_bytes() == before


def test_a_shard_cut_off_anywhere_is_not_there(shard):
    data = shard.read_bytes()
    for length in range(len(data)):
        shard.write_bytes(data[:length])
        with pytest.raises(DamagedError, match=r"000001\.zst: found "):
            counts_of(shard.parent, "000001", "job")


def test_no_byte_of_a_shard_can_be_changed_unseen(shard):
    data = bytearray(shard.read_bytes())
    for place in range(len(data)):
        data[place] ^= 1
        shard.write_bytes(data)
        with pytest.raises(DamagedError):
            list(ids_of(shard.parent, "000001"))
        data[place] ^= 1


def test_a_line_that_no_id_is_as_long_as_is_not_read_to_its_end(tmp_path):
    commit(tmp_path, "000001", "job", COUNTS, b"0" * (1 << 26))
    tracemalloc.start()
    try:
        with pytest.raises(DamagedError, match=r"000001\.zst: found a line of more than 65536 bytes"):
            list(ids_of(tmp_path, "000001"))
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("name", "job"), [("000002", "job"), ("000001", "other")])
def test_a_shard_of_another_place_or_job_is_refused(shard, name, job):
    shard.with_name(f"{name}.zst").write_bytes(shard.read_bytes())
    with pytest.raises(DamagedError, match="of another job"):
        counts_of(shard.parent, name, job)


def test_a_shard_that_is_gone_is_damaged_and_one_that_cannot_be_read_is_not(shard):
    """For what is damaged is removed."""
    shard.unlink()
    with pytest.raises(DamagedError, match=r"000001\.zst: found no file"):
        list(ids_of(shard.parent, "000001"))
    shard.mkdir()
    with pytest.raises(ResourceError, match=r"000001\.zst: Is a directory"):
        list(ids_of(shard.parent, "000001"))


def test_a_disk_that_is_full_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    def full(_path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(committed, "sync", full)
    with pytest.raises(ResourceError, match=r"000001\.zst: No space left on device"):
        commit(tmp_path, "000001", "job", COUNTS, b"")
    assert not list(tmp_path.iterdir())


# --- running ---


def test_a_shard_that_is_done_is_not_done_again(tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", SMALL)
    name = next(iter(job.shards))
    first = run_shard(job.folder, name)
    monkeypatch.setattr(ExplicitEngine, "solve", None)
    assert run_shard(job.folder, name) == first
    assert shards_left(job) == list(job.shards)[1:]


def test_a_committed_shard_is_read_once_and_again_where_it_was_dropped_and_done_anew(tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", SMALL)
    first, second = list(job.shards)[:2]
    commit(job.results, first, job.checksum, COUNTS, b"".join(IDS))
    read = []
    monkeypatch.setattr(job_module, "counts_of", lambda *asked: read.append(asked[1]) or counts_of(*asked))
    assert job.committed() == ({first: COUNTS}, [])
    commit(job.results, second, job.checksum, COUNTS, b"".join(IDS))
    assert job.committed() == ({first: COUNTS, second: COUNTS}, [])
    assert read == [first, second]
    (job.results / f"{first}.zst").unlink()
    assert job.committed() == ({second: COUNTS}, [])
    other = COUNTS._replace(tests=4711)
    commit(job.results, first, job.checksum, other, b"".join(IDS))
    assert job.committed() == ({first: other, second: COUNTS}, [])
    commit(job.results, second, job.checksum, other, b"".join(IDS))  # by another process, before one looks again
    assert job.committed() == ({first: other, second: other}, [])
    assert read == [first, second, first, second]
    (job.results / f"{second}.zst").write_bytes(b"cut off")
    done, damaged = job.committed()
    assert (done, [error.path.name for error in damaged]) == ({first: other}, [f"{second}.zst"])


def test_a_shard_that_is_not_there_is_an_input_error(tmp_path):
    jobs.made(tmp_path / "it.job", SMALL)
    with pytest.raises(InputError, match="this job has no shard '999999'; it has "):
        run_shard(tmp_path / "it.job", "999999")
    with pytest.raises(InputError, match=r"found no file job\.json, expected the folder of a job"):
        run_shard(tmp_path, "000000")


def test_a_shard_that_was_left_half_done_leaves_nothing_to_the_next(tmp_path):
    """A process keeps what it has learned, and no test that it found."""
    job = jobs.made(tmp_path / "it.job", synth.question("2x3", minimal=True))
    first, second = list(job.shards)[:2]
    steps = shard_run.shard_steps(job.folder, first)
    next(steps)
    steps.close()
    run_shard(job.folder, second)
    alone = jobs.made(tmp_path / "alone.job", job.question)
    run_shard(alone.folder, second)
    assert job.counts(second) == alone.counts(second)
    assert list(ids_of(job.results, second)) == list(ids_of(alone.results, second))


def test_processes_that_are_forked_from_one_that_has_done_shards_do_the_rest(tmp_path):
    job, alone = (jobs.made(tmp_path / name, synth.question("2x3", minimal=True)) for name in ("it.job", "alone.job"))
    run_shard(job.folder, next(iter(job.shards)))
    for job_ in (job, alone):
        with Stop() as stop:
            assert drive(job_, LocalExecutor(1), Oversight(stop)).complete
    assert [list(ids_of(job.results, name)) for name in job.shards] == [
        list(ids_of(alone.results, name)) for name in alone.shards
    ]


# --- the corpus ---


@pytest.mark.parametrize(
    ("asked", "engine"),
    [
        ({"bounds": "2x2,2x3,3x3"}, "auto"),
        ({"bounds": "2x4", "minimal": True}, "auto"),
        ({"bounds": "2x3,3x3", "up_to": ["behaviour"]}, "auto"),
        ({"bounds": "2x3", "minimal": True, "up_to": ["behaviour"]}, "auto"),
        ({"bounds": "2x3,3x3", "models": ["OBE"], "up_to": ["threads"]}, "auto"),
        ({"bounds": "2x3", "values": 3, "without": ["meaningful-comparisons"]}, "auto"),
        ({"bounds": "2x3,3x3"}, "sat"),
        ({"bounds": "2x2"}, "smt"),
        ({"bounds": "2x2", "values": 1}, "auto"),  # there are none
        ({"bounds": "1x2"}, "auto"),  # neither are there shards
    ],
    ids=str,
)
def test_a_job_gives_the_corpus_of_an_enumeration(tmp_path, monkeypatch, asked, engine):
    monkeypatch.setattr(finishing, "_OPEN", 2)  # so that merges are written down and merged
    monkeypatch.setattr(finishing, "_PIECE", finishing.CHUNK)
    asked = dict(asked)
    question = synth.question(asked.pop("bounds"), **asked)
    job = jobs.made(tmp_path / "it.job", question, engine)
    for name in random.Random(1).sample(list(job.shards), len(job.shards)):
        run_shard(job.folder, name)
    manifest = finish(job, job.corpus, Execution(Stop(), jobs=1))
    found = enumerate_tests(question, jobs=1, engine=engine)
    expected = save(found, tmp_path / "it.corpus")
    assert jobs.records(job.corpus) == jobs.records(tmp_path / "it.corpus")
    without = {key: count for key, count in expected.found.items() if key != "behaviours"}  # which is not counted
    assert replace(manifest, run={}) == replace(expected, run={}, found=without)
    assert len(job.shards) > 2 or engine == "smt" or not found.ids
    assert sorted(path.name for path in job.folder.iterdir() if path.name.startswith(".")) == []


def test_a_merge_that_is_stopped_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(finishing, "_OPEN", 2)
    job = jobs.made(tmp_path / "it.job", synth.question("2x3"))
    for name in job.shards:
        run_shard(job.folder, name)
    for looks in range(5):
        seen = []

        class Soon(Stop):
            def look(self, _pids=(), seen=seen, looks=looks):
                seen.append(1)
                return Reason.TIME if len(seen) > looks else None

        with Soon() as stop:
            before = sorted(job.folder.rglob("*"))
            manifest = finish(job, job.corpus, Execution(stop, jobs=1))
        if manifest is not None:
            break
        assert sorted(job.folder.rglob("*")) == before
    assert looks > 0
    assert job.corpus.exists()


@pytest.mark.parametrize("piece", [1, 2])
def test_a_test_in_two_shards_is_told_wherever_pieces_end(tmp_path, monkeypatch, piece):
    job = jobs.made(tmp_path / "it.job", synth.question("2x2"))
    monkeypatch.setattr(finishing, "_merged", lambda *_: iter([IDS[0], IDS[0]]))
    monkeypatch.setattr(finishing, "_PIECE", piece)
    with pytest.raises(synth.InternalError, match="found the same test in two shards"):
        finish(job, job.corpus, Execution(Stop(), jobs=1))
    assert not job.corpus.exists()


def test_a_merge_that_finds_no_place_is_told(tmp_path, monkeypatch):
    job = jobs.made(tmp_path / "it.job", synth.question("2x2"))
    monkeypatch.setattr(finishing, "partial_name", lambda _what: "job.json")
    with pytest.raises(ResourceError, match=r"job\.json: File exists"):
        finish(job, job.corpus, Execution(Stop(), jobs=1))


def test_a_job_that_is_finished_is_not_written_again(tmp_path):
    job = jobs.made(tmp_path / "it.job", synth.question("2x2"))
    for name in job.shards:
        run_shard(job.folder, name)
    manifest = finish(job, job.corpus, Execution(Stop(), jobs=1))
    shutil.rmtree(job.results)
    assert finish(job, job.corpus, Execution(Stop(), jobs=1)) == manifest


def test_damage_that_its_length_does_not_show_is_told_before_a_corpus_is_there(tmp_path):
    job = jobs.made(tmp_path / "it.job", synth.question("2x3"))
    for name in job.shards:
        run_shard(job.folder, name)
    path = max(job.results.iterdir(), key=lambda path: path.stat().st_size)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert job.committed() == (job.committed()[0], [])
    with pytest.raises(DamagedError) as raised:
        finish(job, job.corpus, Execution(Stop(), jobs=1))
    assert raised.value.path == path
    assert not job.corpus.exists()


# --- all of it ---


def test_an_executor_that_leaves_out_shards_is_told(tmp_path):
    class Lazy:
        name = "lazy"

        def run(self, _folder, _names, _stop):
            return iter(())

    with Stop() as stop, pytest.raises(synth.InternalError, match="executor lazy: it has neither done 3 shards nor"):
        drive(jobs.made(tmp_path / "it.job", synth.question("2x2"), parts=3), Lazy(), Oversight(stop))


def test_no_such_executor():
    assert isinstance(executor_for("local", 1), LocalExecutor)
    with pytest.raises(InputError, match="executor: found 'frob', expected one of local"):
        executor_for("frob")


def test_a_job_that_is_asked_to_stop_stops_and_goes_on(tmp_path):
    job = jobs.made(tmp_path / "it.job", SMALL)
    told = []

    def progress(done, shards, tests):
        told.append((done, shards, tests))
        if done:
            job.stop.touch()

    with Stop(asked=job.stop) as stop:
        driven = drive(job, LocalExecutor(1), Oversight(stop, progress=progress))
    assert stop.reason is Reason.ASKED
    assert 0 < driven.done < driven.shards == len(job.shards)
    job.stop.unlink()
    with Stop(asked=job.stop) as stop:
        assert drive(job, LocalExecutor(2), Oversight(stop, progress=lambda *now: told.append(now))) == ShardProgress(
            driven.shards, driven.shards, 0
        )
    assert told[-1] == (driven.shards, driven.shards, 162 + 60 + 8)
    assert told[0] == (0, len(job.shards), 0)
    assert told.count(told[driven.done]) == 2  # the second time, what is done already is told first
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)


# --- estimates ---


@pytest.fixture
def fine_clock(monkeypatch):
    """A clock of the processor that goes on between any two looks at it; that of a busy machine may tick seldom."""
    real, last = time.process_time, [0.0]

    def clock():
        last[0] = max(real(), last[0] + 1e-6)
        return last[0]

    monkeypatch.setattr(time, "process_time", clock)


@pytest.mark.usefixtures("fine_clock")
def test_samples_say_without_bias_what_a_unit_has(monkeypatch):
    """Within four standard errors, of samples that are a small part of it."""
    monkeypatch.setattr(explicit, "_STEPS", explicit._FIRST_STEPS)  # else the whole of it is done at once
    question = synth.question("2x4", minimal=True)
    engine = ExplicitEngine(question)
    unit = max(engine.units(1), key=lambda unit: sum(counted(engine, [unit]).values()))
    estimate = Estimate(unit)
    sampler = Sampler(question, engine, random.Random(3), moment=0.0)
    for _ in range(150):
        sampler.sample(estimate)
    assert not estimate.is_exact
    tests = sum(counted(engine, [unit]).values())
    kept = len(set(enumerate_tests(question, jobs=1).ids) & set(counted(engine, [unit])))
    for expected, values in (
        (tests, [probe.tests for probe in estimate.probes]),
        (kept, [probe.kept for probe in estimate.probes]),
    ):
        error = statistics.stdev(values) / len(values) ** 0.5
        assert 0 < error < expected
        assert abs(statistics.fmean(values) - expected) < 4 * error


@pytest.mark.usefixtures("fine_clock")
@pytest.mark.parametrize("minimal", [True, False])
def test_samples_of_minimal_tests_say_what_they_take_when_all_is_known_of_sub_programs(minimal):
    question = synth.question("2x4", minimal=minimal)
    sampler = Sampler(question, engine_for(question), random.Random(0))
    with Stop() as stop:
        probes = [probe for estimate in sampler.estimates(Oversight(stop), 3) for probe in estimate.probes]
    assert all(0 < probe.least <= probe.seconds <= probe.most for probe in probes)
    assert any(probe.least < probe.most for probe in probes) == minimal


def test_a_question_that_is_searched_as_a_whole_is_exact():
    question = synth.question("2x2,2x3", minimal=True)
    engine = engine_for(question)
    sampler = Sampler(question, engine, random.Random(0), moment=10.0)
    with Stop() as stop:
        estimates = sampler.estimates(Oversight(stop), FEWEST)
        sampler.refine(estimates, 10.0, stop)  # there is nothing more to learn
    plan = plan_of(question, engine, estimates, sampler.found, 1.0)
    assert plan.tests == (170, 170, 170)
    assert plan.kept == (23, 23, 23)
    assert plan.exact == plan.units == len(engine.units(1))
    assert plan.samples == 0


@pytest.mark.parametrize(("degrees", "expected"), [(3, 2.3534), (5, 2.0150), (10, 1.8125), (30, 1.6973), (1e9, 1.6449)])
def test_the_width_of_students_interval_is_that_of_the_tables(degrees, expected):
    assert student_half_width(degrees) == pytest.approx(expected, rel=0.01)


def test_a_plan_has_the_shards_that_a_job_would_have():
    """Three units, of which no two go into one shard; and none, where there are no units."""
    question = synth.question("2x3")
    engine = engine_for(question)
    estimates = 3 * [Estimate(engine.units(1)[0], [Probe(0.6, 0.6, 1.0, 1.0)], is_exact=True)]
    assert plan_of(question, engine, estimates, [], 1.0).shards == (3, 3, 3)
    assert plan_of(question, engine, [], [], 1.0).shards == (0, 0, 0)


def test_samples_that_took_no_time_by_the_clock_make_a_plan():
    """On a busy machine, a clock that ticks may not have ticked."""
    question = synth.question("2x2")
    engine = engine_for(question)
    at_once = [Estimate(engine.units(1)[0], [Probe(0.0, 0.0, 1.0, 1.0)], is_exact=True)]
    plan = plan_of(question, engine, at_once, [], 1.0)
    assert (plan.cpu_seconds, plan.shards) == ((0, 0, 0), (1, 1, 1))


def test_a_plan_has_the_intervals_of_its_samples():
    """Two strata by hand: means 20 and 5, of which the second is exact, and standard error 1."""
    question = synth.question("2x2")
    engine = engine_for(question)
    probes = [Probe(x, 2 * x, x, x) for x in (19.0, 21.0)]
    estimates = [
        Estimate(engine.units(1)[0], probes),
        Estimate(engine.units(1)[0], [Probe(5.0, 10.0, 5.0, 5.0)], is_exact=True),
    ]
    plan = plan_of(question, engine, estimates, [], 10.0)
    assert plan.tests.mean == 25
    assert plan.tests.high - 25 == pytest.approx(student_half_width(1.0))
    assert 25 - plan.tests.low == pytest.approx(student_half_width(1.0))
    assert plan.cpu_seconds.mean == (25 + 50) / 2
    assert plan.cpu_seconds.low == plan.tests.low
    assert plan.cpu_seconds.high == pytest.approx(2 * plan.tests.high)
    assert plan.shards == (4, 4, math.ceil(4 * (37.5 + 1.5 * student_half_width(1.0)) / 37.5))
    assert json.dumps(plan._asdict())
