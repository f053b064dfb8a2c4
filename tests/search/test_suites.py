"""Test conformance suites: the twins confirm each claim about a test, and no smaller suite exists."""

import functools
import itertools
import json

import pytest

from bounds import ids_of
from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.idioms import annotated, idiom_of
from synth_checker.models import Model, library, model_of, models_named, verdict_names
from synth_checker.models.expression import parse
from synth_checker.models.mutants import mutants
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.reductions.shrink import size_of
from synth_checker.relations.fairness_order import THREADS, is_included
from synth_checker.twin import models as twin
from synth_checker.verdicts import judge
from synth_corpus.record import read_record
from synth_corpus.shipped import NAMES
from synth_litmus.inputs.named_tests import ids_in, named_test
from synth_litmus.inputs.programs import given_programs
from synth_search.suites import choice as suites
from synth_search.suites.answer import DEFAULT, KINDS, Goal
from synth_search.suites.choice import smallest_suite, smallest_suites

VERDICTS = verdict_names(library())
SMALL = [*ids_of("2x2"), *ids_of("2x3")[::4], *ids_of("3x3")[::2]]
#: All but that of the model which nothing passes.
asked = mostly_full("verdict", VERDICTS[1:], quick=3)


def passes(id_, verdict, changed=None):
    """By the twin, which knows no automata; under another expression in the same form, if one is given."""
    fair = models_named([model_of(verdict)])[0].fair if changed is None else parse(changed)
    return both(id_, fair)[verdict.endswith(".strong")]


@functools.cache
def both(id_, fair):
    return twin.passes(program_of_id(id_), fair)


def does(id_, goal, verdict):
    """What a goal asks of a test, from scratch."""
    match goal.kind:
        case "mutants":
            return not passes(id_, verdict, goal.name)
        case "idioms":
            return goal.name in {idiom_of(id_), *annotated([id_])[0].get("contains", [])}
        case "signatures":
            return goal.name == "".join("p" if passes(id_, name) else "f" for name in VERDICTS)
    return not passes(id_, goal.name)


@pytest.mark.full
@asked
def test_what_is_said_of_a_test_is_so(verdict):
    suite = smallest_suite(verdict, SMALL, KINDS)
    for test in suite.tests:
        assert passes(test.id, verdict)
        assert all(does(test.id, goal, verdict) for goal in test.reaches)
        others = {goal for other in suite.tests if other != test for goal in other.reaches}
        assert set(test.alone) == set(test.reaches) - others
        assert test.alone
    assert suite.left_out == ()
    assert sorted(suite.tests, key=lambda test: size_of(test.id)) == list(suite.tests)


@pytest.mark.full
@asked
def test_the_goals_are_all_verdicts_that_are_not_as_fair_and_all_mutants(verdict):
    suite = smallest_suite(verdict, SMALL)
    goals = {goal for test in suite.tests for goal in test.reaches} | set(suite.unreached)
    (model,) = models_named([model_of(verdict)])
    named = {goal.name for goal in goals if goal.kind == "mutants"}
    assert named | set(suite.no_less_fair) == {mutant.name for mutant in mutants(model, THREADS)}
    refuted = {name for name in VERDICTS if any(passes(id_, verdict) and not passes(id_, name) for id_ in SMALL)}
    assert refuted == {goal.name for goal in goals - set(suite.unreached) if goal.kind in {"verdicts", "incomparable"}}
    less = {goal.name for goal in goals if goal.kind == "verdicts"}
    assert not any(passes(id_, name) and not passes(id_, verdict) for name in less for id_ in SMALL)


def test_which_verdicts_are_strictly_less_fair_and_which_not_comparable():
    suite = smallest_suite("OBE.strong", SMALL)
    goals = {goal for test in suite.tests for goal in test.reaches} | set(suite.unreached)
    assert {goal.name for goal in goals if goal.kind == "verdicts"} == {"unfair", "OBE.weak"}
    assert {goal.name for goal in goals if goal.kind == "incomparable"} == {
        "HSA.weak", "HSA.strong", "LOBE.weak", "HSA+OBE.weak", "fair.weak"
    }  # fmt: skip


@pytest.mark.full
@asked
def test_what_no_candidate_reaches_none_does(verdict):
    suite = smallest_suite(verdict, SMALL, KINDS)
    passing = [id_ for id_ in SMALL if passes(id_, verdict)]
    assert suite.candidates == len(passing)
    for goal in suite.unreached:
        assert not any(does(id_, goal, verdict) for id_ in passing)
    for name in suite.no_less_fair:
        assert is_included(models_named([model_of(verdict)])[0], Model("m", name, parse(name)))
        assert all(passes(id_, verdict, name) for id_ in passing)


@pytest.mark.full
@asked
@mostly_full("size", [None, 1, 2])
def test_no_suite_is_smaller_or_covers_more(verdict, size):
    """By trying all suites of two tests out of 2x2 and 2x3, or of so many as the answer has."""
    candidates = [id_ for id_ in ids_of("2x2") + ids_of("2x3")[::4] if passes(id_, verdict)]
    suite = smallest_suite(verdict, candidates, ("verdicts", "incomparable", "mutants"), size)
    goals = [*{goal for test in suite.tests for goal in test.reaches}, *suite.left_out]
    reached = {id_: frozenset(goal for goal in goals if does(id_, goal, verdict)) for id_ in candidates}
    found = [test.id for test in suite.tests]

    def cost(ids):
        covered = frozenset().union(*(reached[id_] for id_ in ids))
        return -len(covered), len(ids), sum(size_of(id_)[0] for id_ in ids)

    best = min(cost(ids) for count in range(1, len(found) + 1) for ids in itertools.combinations(candidates, count))
    assert cost(found) == best
    if size is not None:
        assert len(found) <= size


@pytest.mark.full
@asked
@mostly_full("redundancy", [2, 3])
def test_each_goal_is_reached_by_so_many_tests_or_all_that_reach_it_and_no_suite_is_smaller(verdict, redundancy):
    """By trying all suites of fewer tests, and of as many but fewer instructions, out of 12 candidates."""
    candidates = [id_ for id_ in ids_of("2x2") + ids_of("2x3")[::4] if passes(id_, verdict)][:12]
    suite = smallest_suite(verdict, candidates, redundancy=redundancy)
    goals = {goal for test in suite.tests for goal in test.reaches}
    reaching = {goal: frozenset(id_ for id_ in candidates if does(id_, goal, verdict)) for goal in goals}
    found = frozenset(test.id for test in suite.tests)

    def is_enough(ids):
        return all(len(some & ids) >= min(redundancy, len(some)) for some in reaching.values())

    def cost(ids):
        return len(ids), sum(size_of(id_)[0] for id_ in ids)

    choices = (frozenset(ids) for count in range(len(found) + 1) for ids in itertools.combinations(candidates, count))
    assert is_enough(found)
    assert cost(found) == min(cost(ids) for ids in choices if is_enough(ids))
    assert set(suite.scarce) == {goal for goal, some in reaching.items() if len(some) < redundancy}
    assert not set(suite.unreached) & goals
    assert suite.left_out == ()


def test_redundancy_is_a_number_of_its_own():
    assert smallest_suite("OBE.strong", SMALL, redundancy=1) == smallest_suite("OBE.strong", SMALL)
    for redundancy, size in ((0, None), (2, 3)):
        with pytest.raises(
            InputError, match=f"redundancy: found {redundancy}, expected at least 1, and exactly 1 if a size is given"
        ):
            smallest_suite("OBE.strong", SMALL, size=size, redundancy=redundancy)


@pytest.mark.full
def test_the_suites_of_several_verdicts_are_those_of_each():
    ids = [*ids_of("2x2"), *ids_of("3x3")]
    mine = "mine.weak = live"
    found = smallest_suites(["HSA", "OBE.weak", mine, "unfair"], ids)
    assert list(found) == ["unfair", "HSA.weak", "HSA.strong", "OBE.weak", "mine.weak"]
    assert [name for name, suite in found.items() if suite is None] == [
        name for name in found if name != "mine.weak" and not any(passes(id_, name) for id_ in ids)
    ]
    assert found["HSA.strong"] == smallest_suite("HSA.strong", ids)
    assert found["mine.weak"] == (smallest_suite(mine, ids) if found["mine.weak"] else None)
    assert list(smallest_suites([], ids)) == list(VERDICTS)
    assert smallest_suites("HSA, OBE.weak", ids) == smallest_suites(["HSA", "OBE.weak"], ids)
    with pytest.raises(InputError, match=r"^model: found 3"):
        smallest_suites(3, ids)
    with pytest.raises(InputError, match="unfair: none of the 68 tests passes this verdict"):
        smallest_suites(["unfair"], ids)


def test_the_order_and_number_of_the_candidates_do_not_matter():
    assert smallest_suite("OBE.weak", [*reversed(SMALL), *SMALL]) == smallest_suite("OBE.weak", SMALL)


def test_where_no_test_passes_there_is_no_suite():
    with pytest.raises(InputError, match="unfair: none of the 8 tests passes this verdict"):
        smallest_suite("unfair", ids_of("2x2"))
    with pytest.raises(InputError, match=r"found 'OBE', expected one verdict, OBE\.weak or OBE\.strong"):
        smallest_suite("OBE", ids_of("2x2"))


@pytest.mark.full
@asked
def test_a_suite_of_the_shipped_corpora_tells_all_that_their_tests_tell(verdict):
    ids = [id_ for name in NAMES for id_ in ids_in(name)]
    suite = smallest_suite(verdict, ids)
    assert all(passes(test.id, verdict) for test in suite.tests)
    chosen, everything = (
        {
            name
            for k, name in enumerate(VERDICTS)
            if any(not mask >> k & 1 for mask in judge(some) if said(mask, verdict))
        }
        for some in ([test.id for test in suite.tests], ids)
    )
    assert chosen == everything


def said(mask, verdict):
    return bool(mask >> VERDICTS.index(verdict) & 1)


# --- the command ---


@pytest.mark.full
def test_the_command_says_what_the_library_finds(synth):
    ran = synth("suite", "--model", "LOBE.strong", "--from", "@complete/2x2,@complete/3x3", "--json")
    suite = smallest_suite("LOBE.strong", [*ids_of("2x2"), *ids_of("3x3")])
    told = json.loads(ran.out)
    assert ran.code == 0
    assert [test["id"] for test in told["tests"]] == [test.id for test in suite.tests]
    for kind in ("left_out", "unreached"):
        assert [Goal(**fields) for fields in told[kind]] == list(getattr(suite, kind))
    for shown, test in zip(told["tests"], suite.tests, strict=True):
        assert [Goal(**fields) for fields in shown["reaches"]] == list(test.reaches)
        assert [Goal(**fields) for fields in shown["alone"]] == list(test.alone)


@pytest.mark.full
def test_corpora_that_ship_are_where_tests_are_chosen_from(synth):
    told = json.loads(synth("suite", "--model", "HSA.weak", "--json").out)
    ids = {id_ for name in NAMES for id_ in ids_in(name)}
    assert told["candidates"] == sum(said(mask, "HSA.weak") for mask in judge(sorted(ids)))


@pytest.mark.full
def test_with_a_size_what_is_left_out_is_said(synth):
    words = ("suite", "--model", "LOBE.strong", "--cover", "idioms,mutants", "--from", "@complete/2x3,@complete/3x3")
    whole, part = (json.loads(synth(*words, *more, "--json").out) for more in ((), ("--size", "1")))
    assert (len(whole["tests"]) > 1, whole["left_out"]) == (True, [])
    assert len(part["tests"]) == 1
    left = {(goal["kind"], goal["name"]) for goal in part["left_out"]}
    reached = {(goal["kind"], goal["name"]) for goal in part["tests"][0]["reaches"]}
    assert left | reached == {(goal["kind"], goal["name"]) for test in whole["tests"] for goal in test["reaches"]}
    assert left
    assert not left & reached
    assert "Left out: " in synth(*words, "--size", "1").out
    proved = "No other choice of at most 1 test reaches more goals, as the solver RC2 proves (cost "
    assert proved in synth(*words, "--size", "1").out


@pytest.mark.full
def test_the_file_holds_records_that_other_commands_take(synth, tmp_path):
    words = ("suite", "--model", "HSA+OBE.strong", "--from", "@complete/2x2", "--from", "@complete/3x3")
    ran = synth(*words, "--out", "suite.jsonl")
    assert ran.code == 0
    told = json.loads(synth(*words, "--json").out)
    given = given_programs(str(tmp_path / "suite.jsonl"))
    assert [written_out(program.program) for program in given] == [test["id"] for test in told["tests"]]
    assert [program.name for program in given] == [test["called"] for test in told["tests"]]
    for line in (tmp_path / "suite.jsonl").read_text().splitlines():
        record = read_record(line, "suite.jsonl")
        assert record.verdicts["HSA+OBE.strong"] == "pass"
        assert record.more["covers"]
    assert synth("check", "suite.jsonl", "--model", "HSA+OBE.strong").code == 0
    assert synth(*words, "--out", "suite.jsonl").code == 2
    assert synth(*words, "--out", "suite.jsonl", "--force").code == 0


@pytest.mark.full
def test_with_redundancy_the_command_says_which_goals_too_few_candidates_reach(synth):
    words = ("suite", "--model", "LOBE.strong", "--from", "@complete/2x2,@complete/3x3", "--cover", "signatures")
    told = json.loads(synth(*words, "--redundancy", "3", "--json").out)
    suite = smallest_suite("LOBE.strong", [*ids_of("2x2"), *ids_of("3x3")], ("signatures",), redundancy=3)
    assert told["redundancy"] == 3
    assert [Goal(**fields) for fields in told["scarce"]] == list(suite.scarce)
    assert suite.scarce
    lines = synth(*words, "--redundancy", "3").out.splitlines()
    assert (
        lines[1] == "No fewer tests reach each goal 3 times, nor do as few with fewer instructions, as the solver RC2 "
        f"proves (cost {suite.cost})."
    )
    assert [line.partition(":")[0] for line in lines if line.startswith("Fewer")] == [
        "Fewer than 3 tests reach each of these goals, and the suite has all of those tests"
    ]
    assert "Fewer" not in synth(*words).out
    refused = synth(*words, "--redundancy", "2", "--size", "3")
    assert (refused.code, refused.err) == (
        2,
        "synth: redundancy: found 2, expected at least 1, and exactly 1 if a size is given\n",
    )


@pytest.mark.full
def test_one_call_makes_the_suites_of_several_models_in_a_folder(synth, tmp_path):
    words = ("suite", "--model", "HSA,LOBE.strong", "--model", "unfair", "--from", "@complete/2x2,@complete/3x3")
    ran = synth(*words, "--out", "suites")
    assert ran.code == 0
    verdicts = ["HSA.weak", "HSA.strong", "LOBE.strong"]
    assert "unfair: no test passes this verdict, so no suite can be chosen for it\n" in ran.out
    assert {path.name for path in (tmp_path / "suites").iterdir()} == {
        "README.md",
        *(f"{verdict}.jsonl" for verdict in verdicts),
    }
    for verdict in verdicts:
        alone = synth("suite", "--model", verdict, *words[-2:], "--out", f"{verdict}.jsonl")
        assert alone.out in ran.out
        texts = [(tmp_path / place / f"{verdict}.jsonl").read_text() for place in (".", "suites")]
        assert texts[0] == texts[1]
    told = synth(*words, "--json")
    assert [json.loads(line)["verdict"] for line in told.out.splitlines()] == verdicts
    assert told.err == "unfair: no test passes this verdict, so no suite can be chosen for it\n"
    refused = [synth(*words, "--out", place) for place in ("suites", "-")]
    assert [answer.code for answer in refused] == [2, 2]
    assert (
        "found an earlier output of synth suite, expected a new or empty folder; give --force to replace it"
        in refused[0].err
    )
    assert refused[1].err == "synth: --out - takes one suite, not those of 4 verdicts; use a folder, or one verdict\n"
    assert synth(*words, "--out", "suites", "--force").code == 0


def test_what_is_covered_unless_the_caller_says_otherwise():
    assert DEFAULT == ("verdicts", "incomparable", "mutants")


@pytest.mark.full
def test_a_suite_is_streamed_as_it_would_be_written(synth, tmp_path):
    words = ("suite", "--model", "LOBE.strong", "--from", "@complete/2x2,@complete/3x3")
    told = synth(*words, "--out", "suite.jsonl")
    for more in ((), ("--json",)):
        streamed = synth(*words, "--out", "-", *more)
        assert (streamed.code, streamed.out) == (0, (tmp_path / "suite.jsonl").read_text())
        assert streamed.err == synth(*words, *more).out
    assert told.out == synth(*words).out
    assert not (tmp_path / "-").exists()


@pytest.mark.full
def test_tests_of_a_suite_are_called_as_they_are_found(synth):
    told = json.loads(synth("suite", "--model", "HSA.weak", "--from", "@complete/2x4", "--json").out)
    for test in told["tests"]:
        assert named_test(test["called"]).id == test["id"]


def test_an_empty_word_is_no_corpus(synth):
    ran = synth("suite", "--model", "HSA.weak", "--from", "")
    assert (ran.code, ran.err) == (
        2,
        "synth: '': the name of the corpus is empty; give a path, or the name of a corpus that ships\n",
    )


def test_progress_is_told_step_by_step(monkeypatch):
    monkeypatch.setattr(suites, "_PIECE", 10)
    told = []
    suite = smallest_suite("fair.strong", SMALL, KINDS, progress=lambda *numbers: told.append(numbers))
    assert suite == smallest_suite("fair.strong", SMALL, KINDS)
    steps = told[-1][1]
    assert steps > suite.candidates // 10
    assert told == [(done, steps, suite.candidates) for done in range(steps + 1)]
