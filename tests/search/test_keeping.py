"""Test `--minimal` and `--unique-behaviour`: which tests are kept, and of how many, even if workers die."""

import itertools
import json
import os
import signal
import threading

import pytest

from bounds import ids_of
from brute import records
from synth import enumerate_tests, question
from synth_checker.errors import InputError, InternalError
from synth_checker.models import library, models_named
from synth_checker.programs.ids import lines_of
from synth_checker.programs.normal import id_of
from synth_checker.programs.rules import DROPPABLE
from synth_checker.reductions.minimality import minimal
from synth_checker.transitions.behaviour import behaviour_hashes, canonical_forms
from synth_checker.verdicts import judge
from synth_corpus.store import Corpus
from synth_search.engines.explicit import ExplicitEngine
from synth_search.enumeration.kept_tests import filter_for, pieces_of

BOUNDS = "2x2,2x3,3x3,2x4"


def enumerated(bounds, jobs=1, **asked):
    return enumerate_tests(question(bounds, **asked), jobs=jobs)


def all_ids(bounds, **asked):
    return list(enumerated(bounds, **asked).ids)


@pytest.mark.full
@pytest.mark.parametrize("without", [(), ("all-branches",), DROPPABLE], ids=" ".join)
@pytest.mark.parametrize("models", [("HSA", "OBE"), tuple(model.name for model in library())], ids=",".join)
def test_the_minimal_tests_are_kept_under_any_rules_and_models(without, models):
    """Those that the core says of tests by brute force; the twin says the same, in test_minimality.py."""
    everything = [id_ for id_, _ in records(2, 3, without=without)]
    expected = list(itertools.compress(everything, minimal(everything, models_named(models), without)))
    assert enumerated("2x3", without=without, models=models, minimal=True).ids == expected


def test_of_each_bound_in_one_run_the_minimal_tests_are_kept_and_all_are_counted():
    everything = all_ids(BOUNDS)
    found = enumerated(BOUNDS, minimal=True)
    assert found.ids == list(itertools.compress(everything, minimal(everything)))
    assert found.found == {
        "tests": len(everything),
        "behaviours": len(set(canonical_forms(everything))),
        "minimal": 4 + 19 + 3 + 197,
        "signatures": len(set(judge(everything))),
    }
    assert (found.tests, found.searched) == (223, len(everything))


@pytest.mark.parametrize(
    "asked", [{"minimal": True}, {"up_to": ["behaviour"]}, {"minimal": True, "up_to": ["behaviour"]}]
)
def test_jobs_and_the_size_of_pieces_change_nothing(asked, monkeypatch):
    once = enumerated("2x4", **asked)
    monkeypatch.setattr("synth_search.enumeration.kept_tests._PIECE", 100)
    again = enumerated("2x4", jobs=3, **asked)
    assert (again.ids, again.found) == (once.ids, once.found)
    assert list(again.lines()) == list(once.lines())


@pytest.mark.parametrize("bounds", ["2x3", "3x3", "2x4"])
def test_of_each_behaviour_the_least_test_is_kept(bounds):
    everything = all_ids(bounds)
    least = {}
    for id_, form in zip(everything, canonical_forms(everything), strict=True):
        least.setdefault(form, id_)
    found = enumerated(bounds, up_to=["behaviour"])
    assert found.ids == sorted(least.values())
    assert found.found == {"tests": len(everything)}


def test_up_to_threads_the_minimal_tests_are_one_of_each_order():
    models = ("OBE", "fair")
    everything = list(enumerated("2x4", models=models, minimal=True).ids)
    found = enumerated("2x4", models=models, minimal=True, up_to=["threads"])
    representatives = set(enumerated("2x4", models=models, up_to=["threads"]).ids)
    assert found.ids == [id_ for id_ in everything if id_ in representatives]
    assert found.found["minimal"] == len(everything)


def test_what_a_lost_worker_had_sent_is_not_counted_twice(tmp_path, monkeypatch):
    solve = ExplicitEngine.solve
    killed = tmp_path / "killed"

    def dying(engine, unit):
        for lines in solve(engine, unit):
            yield lines
            if not killed.exists():
                killed.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    whole = enumerated("3x4", minimal=True)
    with monkeypatch.context() as patch:
        patch.setattr(ExplicitEngine, "solve", dying)
        patch.setattr("synth_workers.in_process.MOMENT_S", 0)  # all work is for workers
        patch.setattr("synth_workers.pool._FLUSH_S", 0)
        found = enumerate_tests(question("3x4", minimal=True), jobs=2, engine="explicit")
    assert killed.exists()
    assert (found.ids, found.found) == (whole.ids, whole.found)


def test_the_same_tests_are_kept_where_behaviours_are_not_counted():
    kept = []
    for count_behaviours in (True, False):
        with filter_for(question("2x4", minimal=True), 2, count_behaviours=count_behaviours) as filter_:
            filter_.take(lines_of(ids_of("2x4")))
            kept.append(filter_.kept())
    counting, other = kept
    assert counting.found == {"behaviours": 5571, "minimal": 197, "signatures": 10}
    assert other.found == {"minimal": 197, "signatures": 10}
    assert (other.ids, other.signatures) == (counting.ids, counting.signatures)


def test_one_job_has_no_thread_but_the_callers():
    """Processes side by side would take each other's cores; and who has loaded a job may fork."""
    for jobs in (1, 2):
        before = set(threading.enumerate())
        with filter_for(question("2x4", minimal=True), jobs) as filter_:
            for line in lines_of(ids_of("2x4")).splitlines(keepends=True)[:100]:
                filter_.take(line)
            filter_.kept()
            assert len(set(threading.enumerate()) - before) == (0 if jobs == 1 else jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_that_is_no_test_is_a_defect_and_not_kept(jobs):
    told = pytest.raises(InternalError, match="the engine found 0010-0010, but the core says that this program breaks")
    with told, filter_for(question("2x2", minimal=True), jobs) as filter_:
        filter_.take(b"0010-0010\n")
        filter_.kept()


def test_records_say_that_they_are_minimal_and_how_they_behave():
    found = [json.loads(line) for line in enumerated("2x3", minimal=True).lines()]
    assert all(record["minimal"] for record in found)
    assert [record["behaviour"] for record in found] == behaviour_hashes([record["id"] for record in found])


@pytest.mark.full
def test_a_corpus_of_minimal_tests_says_of_how_many_and_a_stopped_run_is_taken_up(synth, tmp_path):
    words = ("enumerate", "--bounds", "2x4", "--minimal")
    assert synth(*words).code == 0
    complete = Corpus(tmp_path / "2x4-minimal.corpus")
    assert complete.manifest.found == {"tests": 6610, "behaviours": 5571, "minimal": 197, "signatures": 10}
    stopped = synth(*words, "--out", "part.corpus", "--time-limit", "0.001s")
    assert stopped.code == 75
    assert synth(*words, "--out", "part.corpus").code == 0
    again = Corpus(tmp_path / "part.corpus")
    assert again.manifest.sha256 == complete.manifest.sha256
    assert again.manifest.found == complete.manifest.found


def test_pieces_are_the_lines(monkeypatch):
    monkeypatch.setattr("synth_search.enumeration.kept_tests._PIECE", 4)
    lines = b"0010-0100\n" * 3 + b"00_0\n"
    assert b"".join(pieces_of(lines)) == lines
    assert list(pieces_of(b"")) == []
    assert [piece[-1:] for piece in pieces_of(lines)] == [b"\n"] * 4


def test_what_tests_are_the_same_up_to_is_checked():
    with pytest.raises(InputError, match="up to: found 'names', expected one of threads, behaviour"):
        question("2x2", up_to=["names"])


@pytest.mark.full
@pytest.mark.parametrize(
    ("bound", "tests", "kept", "new", "first"),
    [
        ("2x3", 334, 19, 0, None),
        ("3x3", 150, 9, 6, "0010-0021-0100"),
        ("2x4", 28_918, 298, 101, "00010011-02200020"),
        ("3x4", 20_853, 241, 87, "0000-0120-02100010"),
    ],
)
def test_a_third_value_makes_as_many_minimal_tests_as_the_results_say(bound, tests, kept, new, first):
    two, three = (enumerated(bound, values=values, minimal=True) for values in (2, 3))
    more = [id_ for id_ in three.ids if id_ not in two.ids]
    assert (three.found["tests"], len(three.ids), len(more), next(iter(more), None)) == (tests, kept, new, first)
    assert all("2" in "".join(thread[1::4] + thread[2::4] for thread in id_.split("-")) for id_ in more)


@pytest.mark.parametrize(
    ("bounds", "numbers"),
    [
        ("2x2", {0, 1, 4, 5}),
        ("2x3", {4, 11, 15, 21, 22, 24, 40, 62, 66, 73, 78, 80, 94, 97, 115, 120, 130, 140, 159}),
    ],
)
def test_the_published_tests_that_are_minimal(published, bounds, numbers):
    given = published(bounds)
    ids = [id_of(program.program) for program in given]
    chosen = {
        int(program.alias.split("/")[1]) for program, is_minimal in zip(given, minimal(ids), strict=True) if is_minimal
    }
    assert chosen == numbers
    assert minimal(ids, without=("effective-stores",)) == minimal(ids)
