"""Test `synth shrink`: its output is what `synth_checker.reductions.shrink` finds, and each step has its program."""

import json

import pytest

from synth_checker.models import models_named
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import read_programs
from synth_checker.reductions.minimality import minimal
from synth_checker.reductions.shrink import shrink
from synth_checker.twin.subprograms import relaxations
from synth_litmus.facts.check import check_programs
from synth_litmus.inputs.named_tests import names_of

MUTEX = "01100002-01100002"
#: Five that shrink in several steps, one of them to several tests.
LARGER = [MUTEX, "0010-00000101", "001101_1-00_00002", "00_00101-00111010-10_0", "0010-0000-00110101"]


@pytest.mark.parametrize("id_", LARGER)
def test_the_answer_is_that_of_the_library(synth, id_):
    found = shrink(id_)
    ran = synth("shrink", id_, "--json")
    assert ran.code == (0 if found else 1)
    answer = json.loads(ran.out)
    assert [test["id"] for test in answer["minimal"]] == [shrunk.id for shrunk in found]
    assert [test["called"] for test in answer["minimal"]] == list(names_of(shrunk.id for shrunk in found).values())
    assert all(minimal([test["id"] for test in answer["minimal"]]))


@pytest.mark.parametrize("id_", LARGER)
def test_each_step_is_one_relaxation_and_the_program_after_it_is_shown(synth, id_):
    answer = json.loads(synth("shrink", id_, "--json").out)
    expected = [program_of_id(id_)]
    for test in answer["minimal"]:
        program = program_of_id(id_)
        for step in test["steps"]:
            assert program_of_id(step["left"]) in [relaxed.program for relaxed in relaxations(program)]
            program = program_of_id(step["left"])
            expected.append(program)
        assert program == program_of_id(test["id"])
    lines = synth("shrink", id_).out.splitlines()
    shown = "\n".join(line for line in lines if line.startswith(("THREAD ", "0: ", "1: ", "2: ")))
    assert [program.program for program in read_programs(shown)] == expected


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        ((MUTEX,), 0, "1 minimal test with its signature."),
        (("0010-00000101", "--model", "unfair"), 0, "2 minimal tests with its signature."),
        (("00_0-0011",), 0, "Minimal: no sub-program is a test with its signature."),
        (
            ("00_0-0011", "--keep", "HSA.weak=pass"),
            1,
            "Neither this program nor any of its sub-programs is a test with HSA.weak=pass.",
        ),
        (("00_0",), 1, "Not a test: it breaks possible-termination, inter-thread-influence, all-branches."),
        (("00_0",), 1, "Neither this program nor any of its sub-programs is a test with its signature."),
        (("00100002-0110",), 0, "1 minimal test with its signature."),
    ],
)
def test_what_there_is_to_say_is_one_line(synth, words, code, line):
    ran = synth("shrink", *words)
    assert (ran.code, ran.err) == (code, "")
    assert line in ran.out.splitlines()


def test_what_is_kept_is_kept(synth):
    keep = {"OBE.strong": True, "HSA.strong": False}
    answer = json.loads(synth("shrink", MUTEX, "--keep", "HSA.strong=fail,OBE.strong=pass", "--json").out)
    assert answer["keep"] == {"HSA.strong": "fail", "OBE.strong": "pass"}
    assert [test["id"] for test in answer["minimal"]] == [shrunk.id for shrunk in shrink(MUTEX, keep)]


def test_a_model_that_is_kept_stands_for_both_its_verdicts(synth):
    answer = json.loads(synth("shrink", MUTEX, "--keep", "OBE=pass", "--json").out)
    assert answer["keep"] == {"OBE.weak": "pass", "OBE.strong": "pass"}


def test_models_and_rules_are_those_in_force(synth):
    words = ("0010-00000101", "--model", "unfair", "--without", "all-branches", "--json")
    answer = json.loads(synth("shrink", *words).out)
    expected = shrink("0010-00000101", None, models_named(["unfair"]), ["all-branches"])
    assert [test["id"] for test in answer["minimal"]] == [shrunk.id for shrunk in expected]


def test_what_a_store_compares_is_told_and_kept_where_it_may(synth, unusual):
    (check,) = check_programs([read_programs(unusual)[0].program])
    assert check.breaks == ("meaningful-comparisons",)
    dropped = json.loads(synth("shrink", "-", "--without", "meaningful-comparisons", "--json", stdin=unusual).out)
    assert dropped["test"]
    assert not json.loads(synth("shrink", "-", "--json", stdin=unusual).out)["test"]


def test_a_program_that_only_as_given_is_no_test_is_told_so(synth, unusual):
    """Its normal form is shrunk, of which the line about being minimal speaks."""
    ran = synth("shrink", "-", stdin=unusual)
    assert "Not a test" not in ran.out
    told = "The program as given breaks meaningful-comparisons; the program above is its normal form, which is shrunk."
    assert told in ran.out.splitlines()
    answer = json.loads(synth("shrink", "-", "--json", stdin=unusual).out)
    assert (answer["breaks"], answer["normal_form_breaks"]) == (["meaningful-comparisons"], [])
    assert told not in synth("shrink", "-", "--without", "meaningful-comparisons", stdin=unusual).out


def test_a_wrong_word_of_keep_is_told_as_such(synth):
    ran = synth("shrink", "00_0-0011", "--keep", "XX=pass")
    assert ran.code == 2
    assert ran.err.startswith("synth: keep: found 'XX', expected a model or verdict out of HSA, OBE, ")


def test_the_corpus_of_names_has_to_be_there(synth):
    ran = synth("shrink", "00_0-0011", "--corpus", "nowhere")
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere: there is no manifest.json" in ran.err
