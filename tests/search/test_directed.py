"""Test directed search: it finds what a filtered enumeration finds, and calls nothing proven that is not."""

import itertools
import json
import random

import pytest

from bounds import ids_of
from quick import mostly_full
from synth_checker.errors import InputError, InternalError, LimitError, ResourceError
from synth_checker.models import Model, library, verdict_names
from synth_checker.models.expression import parse
from synth_checker.reductions.shrink import size_of
from synth_checker.wanted import Wanted
from synth_litmus.inputs.questions import question
from synth_search import directed
from synth_search.directed import Query, SearchState, bound_search, find_all, find_first
from synth_workers.stop import Reason, Stop

NAMES = verdict_names(library())
PAIRS = list(itertools.permutations(NAMES, 2))
ENGINES = ("explicit", "directed")
#: Some of one's own: HSA that forgets who is the lowest once all run, its reverse, and one that waits for all.
OWN = {
    "late": "lowest(live - stepped) | (live & stepped - lowest(stepped))",
    "last": "live - upto(live - stepped)",
    "polite": "upto(stepped) - lowest(live)",
}


def model(name):
    return Model(name, OWN[name], parse(OWN[name], name))


def same_as_the_filter(bound, passes, fails, engine, models=None):
    """The search itself, in this process: one with workers is no other."""
    wanted = Wanted(passes, fails, **({} if models is None else {"models": models}))
    search = bound_search.search_for(question(bound), wanted, engine)
    found = [id_ for unit in search.units(1) for lines in search.solve(unit) for id_ in lines.decode().split()]
    assert sorted(found) == wanted.among(ids_of(bound))
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bound", ["2x3", "3x3"])
@pytest.mark.full
def test_every_ordered_pair_of_verdicts_is_found_as_by_the_filter(bound, engine):
    found = [same_as_the_filter(bound, (verdict,), (other,), engine) for verdict, other in PAIRS]
    assert any(found)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bound", ["2x4", "3x4"])
@pytest.mark.full
def test_ten_seeded_pairs_are_found_as_by_the_filter(bound, engine):
    for verdict, other in random.Random(bound).sample(PAIRS, 10):
        same_as_the_filter(bound, (verdict,), (other,), engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bound", ["2x4", "3x4"])
@pytest.mark.exhaustive
def test_all_pairs_are_found_as_by_the_filter(bound, engine):
    for verdict, other in PAIRS:
        same_as_the_filter(bound, (verdict,), (other,), engine)


@pytest.mark.full
@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("engine", ENGINES)
def test_models_of_ones_own_are_found_as_by_the_filter(name, engine):
    models = (*library(), model(name))
    found = [
        same_as_the_filter(bound, passes, fails, engine, models)
        for bound in ("2x2", "3x3")
        for passes, fails in [((f"{name}.strong",), ("HSA.weak",)), (("fair.weak",), (f"{name}.weak",))]
    ]
    assert any(found)


THREE_THREADS = "00_0-00_0-0011"


def query(bounds, passes=(), fails=(), **more):
    return Query(question(bounds), Wanted(passes, fails, **more))


def test_all_tests_of_several_bounds_come_the_smallest_first():
    asked = query("2x2..3x3", ("HSA.weak",), ("OBE.weak",))
    found = find_all(asked)
    expected = [id_ for bound in ("2x2", "2x3", "3x3") for id_ in asked.wanted.among(ids_of(bound))]
    assert found.tests == expected == sorted(expected, key=size_of)
    assert found.complete
    assert {each.state for each in found.bounds} == {SearchState.SEARCHED}


@pytest.mark.parametrize(("passes", "fails"), [("OBE.weak", "HSA.weak"), ("LOBE.weak", "HSA+OBE.weak")])
def test_the_first_is_the_smallest_of_all(passes, fails):
    asked = query("2x2..3x3", (passes,), (fails,))
    expected = min(find_all(asked).tests, key=size_of)
    found = find_first(asked)
    assert found.tests == [expected]
    assert found.is_smallest
    assert found.bounds[-1].tests  # it stops there


@mostly_full("engine", ENGINES)
def test_in_a_large_bound_the_first_is_one_that_need_not_be_the_smallest(monkeypatch, engine):
    monkeypatch.setattr(directed, "LEAST_UP_TO", 3)
    asked = query("2x4", ("OBE.strong",), ("HSA.strong", "fair.weak"))
    found = find_first(asked, engine=engine)
    assert asked.wanted.among(found.tests) == found.tests
    assert (len(found.tests), found.bounds[0].state, found.is_smallest) == (1, SearchState.FOUND, False)
    least = find_first(asked, least=True, engine=engine)
    assert least.tests == asked.wanted.among(ids_of("2x4"))[:1]
    assert least.is_smallest


@pytest.mark.parametrize("engine", ENGINES)
def test_a_large_bound_without_a_test_is_searched_to_its_end(monkeypatch, engine):
    """No pair of these is ruled out by the order of the models: the question is one for the search."""
    monkeypatch.setattr(directed, "LEAST_UP_TO", 2)
    found = find_first(query("2x3", ("OBE.strong",), ("HSA.strong", "fair.weak")), engine=engine)
    assert [(each.state, list(each.tests)) for each in found.bounds] == [(SearchState.SEARCHED, [])]
    assert found.complete


def test_what_inclusion_excludes_is_not_searched():
    found = find_first(query("2x2..4x8", ("OBE.strong",), ("fair.strong",)))
    assert {each.state for each in found.bounds} == {SearchState.EXCLUDED}
    assert found.complete
    assert not found.tests


def test_a_stopped_search_says_what_is_not_proven():
    with Stop(memory=1) as stop:
        found = find_all(query("2x2,2x3", ("HSA.weak",)), stop=stop)
    assert [each.state for each in found.bounds] == [SearchState.UNTOUCHED, SearchState.UNTOUCHED]
    assert (found.complete, found.stopped) == (False, Reason.MEMORY)


@pytest.mark.full
@pytest.mark.parametrize("engine", ENGINES)
def test_a_bound_in_which_the_time_runs_out_is_not_finished(engine):
    """No program of two threads contains one of three, but the search does not know."""
    with Stop(time_limit=0.5) as stop:
        found = find_first(query("2x2,2x8", contains=(THREE_THREADS,)), engine=engine, stop=stop)
    assert [each.state for each in found.bounds] == [SearchState.SEARCHED, SearchState.UNFINISHED]
    assert (found.complete, found.stopped, found.is_smallest) == (False, Reason.TIME, False)


class Liar:
    """Finds what it is told to."""

    name, batches_are_quick = "liar", False

    def __init__(self, *ids):
        self._ids = ids

    def units(self, _jobs):
        return ["all"]

    def solve(self, _unit):
        yield "".join(f"{id_}\n" for id_ in self._ids).encode()


@pytest.mark.parametrize(
    ("id_", "message"),
    [
        ("0000-0000", "the engine liar found 0000-0000, but the core says that it breaks "),
        ("0011-00_0", "some of them do not have the wanted verdicts"),
    ],
)
def test_an_answer_that_the_core_refuses_is_none(monkeypatch, id_, message):
    monkeypatch.setattr(directed, "search_for", lambda *_: Liar(id_))
    with pytest.raises(InternalError, match=message):
        find_first(query("2x2", ("OBE.weak",)))


def test_a_worker_lost_again_and_again_stops_the_search(monkeypatch):
    class Mortal(Liar):
        def solve(self, _unit):
            raise ResourceError("workers: no more of it")
            yield b""

    monkeypatch.setattr(directed, "search_for", lambda *_: Mortal())
    monkeypatch.setattr(directed, "LEAST_UP_TO", 1)
    found = find_first(query("2x2", ("OBE.weak",)))
    assert (found.stopped, found.bounds[0].state) == (Reason.FAULT, SearchState.UNFINISHED)
    assert "no more of it" in str(found.fault)


def test_engines_are_named_and_have_limits():
    with pytest.raises(InputError, match=r"engine: found 'frob', expected one of auto, explicit, .*, directed"):
        find_first(query("2x2"), engine="frob")
    with pytest.raises(LimitError, match="engine explicit: bound 5x12 has"):
        find_first(query("5x12"), engine="explicit")
    assert bound_search.search_for(question("5x12"), Wanted()).name == "directed"
    assert bound_search.search_for(question("4x8"), Wanted()).name == "explicit"


@pytest.mark.full
def test_the_command_leaves_with_what_is_proven(synth):
    words = ("find", "--contains", THREE_THREADS, "--json", "--bounds")
    assert synth(*words, "3x3").code == 0
    none = synth(*words, "2x2,2x3")
    assert (none.code, json.loads(none.out)["complete"]) == (1, True)
    stopped = synth(*words, "2x2,2x8", "--time-limit", "0.5s")
    assert (stopped.code, json.loads(stopped.out)["complete"]) == (75, False)
    assert (json.loads(none.out)["stopped"], json.loads(stopped.out)["stopped"]) == (None, "time limit reached")
    assert json.loads(none.out)["contains"] == [THREE_THREADS]
    assert synth(*words[:-2], "--all", "--bounds", "2x2", "--memory", "1K").err.endswith(": memory limit reached\n")
    assert [each["state"] for each in json.loads(stopped.out)["bounds"]] == ["searched to the end", "not finished"]
    assert synth(*words, "2x2,3x3", "--memory", "1K").code == 75


def test_what_is_written_is_read_as_records(synth, tmp_path):
    words = (
        "find",
        "--pass",
        "HSA.weak",
        "--fail",
        "OBE.weak",
        "--bounds",
        "2x2..2x3",
        "--all",
        "--out",
        "found.jsonl",
    )
    ran = synth(*words)
    assert ran.code == 0
    assert synth(*words).code == 2  # it is there
    assert synth(*words, "--force").code == 0
    lines = (tmp_path / "found.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ran.out.split()
    assert all(json.loads(line)["verdicts"]["OBE.weak"] == "fail" for line in lines)
    assert synth("check", "found.jsonl", "--model", "HSA.weak").code == 0
