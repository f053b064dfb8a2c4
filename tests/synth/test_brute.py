"""The engine against brute force in C++ (`native/brute.cpp`): any locations and values, whichever rules are dropped."""

import itertools
import random
import subprocess
from pathlib import Path

import pytest

import brute
from synth.engines.sat import SatEngine, plan
from synth_checker.models import library
from synth_checker.normal import program_of_id, written_out
from synth_checker.question import Question, parse_bounds
from synth_checker.rules import DROPPABLE
from synth_checker.verdicts import judge

SOURCE = Path(__file__).parents[1] / "native" / "brute.cpp"
RULES_DROPPED = [(), *((rule,) for rule in DROPPABLE), DROPPABLE]
NO_INFLUENCE = ("inter-thread-influence",)
#: (bounds, locations, values, dropped rules)
EVERY_QUESTION = list(itertools.product(["2x2", "2x3", "3x3"], range(1, 5), range(1, 4), RULES_DROPPED))
SOME_QUESTIONS = sorted(random.Random(1).sample(EVERY_QUESTION, 30))


@pytest.fixture(scope="session")
def tests_by_brute_force(tmp_path_factory):
    """A function from a question to the sorted ids of its tests."""
    program = tmp_path_factory.mktemp("brute") / "brute"
    subprocess.run(["g++", "-O2", "-std=c++20", "-o", program, SOURCE], check=True)

    def ask(bounds, locations, values, without):
        words = [*bounds.split("x"), str(locations), str(values), *without]
        return sorted(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.split())

    return ask


def found_by_the_engine(bounds, locations, values, without):
    """As it finds them: each once, or the comparison fails."""
    question = Question(parse_bounds([bounds]), locations, values, without)
    engine = SatEngine(question)
    return sorted(id_ for unit in plan(question, 1) for id_ in engine.solve(unit))


def different(questions, expected):
    return [asked for asked in questions if found_by_the_engine(*asked) != expected(*asked)]


def test_the_engine_finds_the_tests_of_brute_force(tests_by_brute_force):
    assert different(SOME_QUESTIONS, tests_by_brute_force) == []


@pytest.mark.exhaustive
def test_the_engine_finds_the_tests_of_brute_force_whatever_is_asked(tests_by_brute_force):
    assert len(EVERY_QUESTION) == 216
    assert different(EVERY_QUESTION, tests_by_brute_force) == []


@pytest.mark.parametrize("bounds", ["2x4", "3x4"])
def test_the_engine_finds_the_tests_of_brute_force_at_four_instructions(bounds, tests_by_brute_force):
    found = found_by_the_engine(bounds, 2, 2, ())
    assert len(found) > 4000
    assert found == tests_by_brute_force(bounds, 2, 2, ())


@pytest.mark.parametrize(
    "asked",
    [
        ("4x4", 3, 2, NO_INFLUENCE),  # no smaller question has tests of three locations
        pytest.param(("3x4", 3, 2, NO_INFLUENCE), marks=pytest.mark.full),
        pytest.param(("2x4", 3, 2, ()), marks=pytest.mark.full),
        pytest.param(("2x4", 2, 3, ()), marks=pytest.mark.exhaustive),
        pytest.param(("3x4", 3, 3, ()), marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_the_engine_finds_the_tests_of_brute_force_with_more_names(asked, tests_by_brute_force):
    assert found_by_the_engine(*asked) == tests_by_brute_force(*asked)


@pytest.mark.full
def test_the_verdicts_of_these_tests_are_the_twins():
    """For a sample of those that no smaller question has: with a third location or value."""
    chosen = random.Random(2)
    for asked in [("2x3", 2, 3, ()), ("3x3", 2, 3, DROPPABLE), ("2x3", 4, 3, DROPPABLE), ("4x4", 3, 2, NO_INFLUENCE)]:
        programs = [program_of_id(id_) for id_ in found_by_the_engine(*asked)]
        larger = [program for program in programs if max(program.locations(), program.values()) > 2]
        sample = chosen.sample(larger, min(100, len(larger)))
        assert sample
        assert judge(list(map(written_out, sample)), library()) == list(map(brute.verdict_bits, sample))


def test_each_rule_that_is_dropped_adds_tests(tests_by_brute_force):
    """Or it would not matter whether it is dropped."""
    allowed = {without: set(tests_by_brute_force("2x3", 2, 2, without)) for without in RULES_DROPPED}
    assert all(allowed[without] > allowed[()] for without in RULES_DROPPED[1:])
