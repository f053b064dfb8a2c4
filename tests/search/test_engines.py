"""Test every engine: it finds the tests of brute force, each once, for every question, and counts them.

Brute force is `native/brute.cpp`, which shares nothing with any engine. The questions have any locations and values,
and drop any rules.
"""

import functools
import itertools
import math
import random
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

import brute
from quick import mostly_full
from synth_checker._native import explicit_search_paths
from synth_checker.errors import InputError
from synth_checker.models import library
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.rules import DROPPABLE
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge
from synth_search.engines.choice import ENGINES, engine_for
from synth_search.engines.explicit import PATH_VARIABLE
from synth_search.enumeration.every_test import count_tests, enumerate_tests

SOURCE = Path(__file__).parents[1] / "native" / "brute.cpp"
RULES_DROPPED = [(), *((rule,) for rule in DROPPABLE), DROPPABLE]
FIVE = ("2x5", "3x5", "4x5")
NO_INFLUENCE = ("inter-thread-influence",)
#: (bounds, locations, values, dropped rules)
EVERY_QUESTION = list(itertools.product(["2x2", "2x3", "3x3"], range(1, 5), range(1, 4), RULES_DROPPED))
SOME_QUESTIONS = sorted(random.Random(1).sample(EVERY_QUESTION, 30))


@pytest.fixture(scope="session")
def tests_by_brute_force(tmp_path_factory):
    """A function from a question to the sorted ids of its tests."""
    program = tmp_path_factory.mktemp("brute") / "brute"
    subprocess.run(["g++", "-O2", "-std=c++20", "-o", program, SOURCE], check=True)

    @functools.cache
    def ask(bounds, locations, values, without):
        words = [*bounds.split("x"), str(locations), str(values), *without]
        return sorted(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.split())

    return ask


class Slow(NamedTuple):
    """An engine that is asked, before the exhaustive tests and at all, only questions of at most so many states."""

    soon: int
    ever: int


#: An engine that is not here is asked everything.
SLOW = {"smt": Slow(soon=16, ever=72)}

every_engine = pytest.mark.parametrize("name", ENGINES)


def states(bounds, locations, values, _without):
    """All (memory, pcs) of the largest split of the question; each instruction uses one location."""
    return max(
        values ** min(locations, bound.instructions) * math.prod(size + 1 for size in sizes)
        for bound in parse_bounds([bounds])
        for sizes in bound.splits()
    )


def is_asked(name, asked, *, soon=True):
    return name not in SLOW or states(*asked) <= (SLOW[name].soon if soon else SLOW[name].ever)


def every_engine_asked(*params):
    """Each engine with each question that it is ever asked; `exhaustive` if it is not asked that soon."""
    return pytest.mark.parametrize(
        ("name", "asked"),
        [
            pytest.param(
                name,
                asked,
                marks=param.marks if is_asked(name, asked) else pytest.mark.exhaustive,
                id=f"{name}-{asked}",
            )
            for param in params
            for asked in param.values
            for name in ENGINES
            if is_asked(name, asked, soon=False)
        ],
    )


def question(bounds, locations, values, without):
    return Question(parse_bounds([bounds]), locations, values, without)


def found_by(name, asked):
    """As the engine finds them: each once, or the comparison fails."""
    engine = engine_for(question(*asked), name)
    return sorted(b"".join(lines for unit in engine.units(1) for lines in engine.solve(unit)).decode().split())


def different(name, questions, expected):
    return [asked for asked in questions if found_by(name, asked) != expected(*asked)]


@every_engine
def test_an_engine_finds_the_tests_of_brute_force(name, tests_by_brute_force):
    questions = [asked for asked in SOME_QUESTIONS if is_asked(name, asked)]
    assert len(questions) >= 15
    assert different(name, questions, tests_by_brute_force) == []


@every_engine
@pytest.mark.exhaustive
def test_an_engine_finds_the_tests_of_brute_force_whatever_is_asked(name, tests_by_brute_force):
    assert len(EVERY_QUESTION) == 216
    questions = [asked for asked in EVERY_QUESTION if is_asked(name, asked, soon=False)]
    assert len(questions) >= 192
    assert different(name, questions, tests_by_brute_force) == []


@every_engine_asked(
    pytest.param(("2x4", 2, 2, ()), marks=pytest.mark.full), pytest.param(("3x4", 2, 2, ()), marks=pytest.mark.full)
)
def test_an_engine_finds_the_tests_of_brute_force_at_four_instructions(name, asked, tests_by_brute_force):
    found = found_by(name, asked)
    assert len(found) > 4000
    assert found == tests_by_brute_force(*asked)


@pytest.mark.full
@every_engine_asked(
    pytest.param(("4x4", 3, 2, NO_INFLUENCE)),  # no smaller question has tests of three locations
    pytest.param(("3x4", 3, 2, NO_INFLUENCE), marks=pytest.mark.exhaustive),
    pytest.param(("2x4", 3, 2, ()), marks=pytest.mark.full),
    pytest.param(("2x4", 2, 3, ()), marks=pytest.mark.exhaustive),
    pytest.param(("3x4", 3, 3, ()), marks=pytest.mark.exhaustive),
)
def test_an_engine_finds_the_tests_of_brute_force_with_more_names(name, asked, tests_by_brute_force):
    assert found_by(name, asked) == tests_by_brute_force(*asked)


@mostly_full(
    "asked",
    [
        ("2x4", 2, 2, ()),
        ("3x4", 2, 2, ()),
        ("4x4", 2, 2, ()),
        *(pytest.param(("2x4", 2, 2, (rule,)), marks=pytest.mark.exhaustive) for rule in DROPPABLE),
        *(pytest.param((bounds, 2, 2, ()), marks=pytest.mark.exhaustive) for bounds in FIVE),
        pytest.param(("2x4", 3, 3, ()), marks=pytest.mark.exhaustive),
        pytest.param(("2x4", 2, 2, DROPPABLE), marks=pytest.mark.exhaustive),
    ],
    ids=str,
    quick=0,
)
def test_all_engines_find_the_same_tests(asked):
    found = {
        name: enumerate_tests(question(*asked), engine=name, jobs=1).ids for name in ENGINES if is_asked(name, asked)
    }
    assert len(found) > 1
    assert all(ids == found["sat"] for ids in found.values())


#: Those that this processor has; the first lines of a run name the others.
PATHS = [name for name, has in explicit_search_paths() if has]


@pytest.mark.parametrize(
    "bounds", ["2x4", "3x4", "4x5", *(pytest.param(b, marks=pytest.mark.exhaustive) for b in FIVE[:2])]
)
@pytest.mark.parametrize("path", PATHS)
def test_each_path_of_the_explicit_search_finds_the_same_tests(path, bounds, monkeypatch):
    monkeypatch.setenv(PATH_VARIABLE, PATHS[-1])
    expected = found_by("explicit", (bounds, 2, 2, ()))
    monkeypatch.setenv(PATH_VARIABLE, path)
    assert found_by("explicit", (bounds, 2, 2, ())) == expected
    engine = engine_for(question(bounds, 2, 2, ()), "explicit")
    assert sum(list(engine.count(unit))[-1] for unit in engine.units(1)) == len(expected)


def test_a_path_that_the_processor_does_not_have_is_refused(monkeypatch):
    monkeypatch.setenv(PATH_VARIABLE, "abacus")
    with pytest.raises(InputError, match=r"found abacus, expected one that this processor has: .*portable, one-by-one"):
        engine_for(question("2x2", 2, 2, ()), "explicit")


@pytest.mark.full
@every_engine_asked(
    pytest.param(("2x2,2x3", 2, 2, ())), pytest.param(("3x4", 2, 2, ())), pytest.param(("2x2", 2, 3, DROPPABLE))
)
def test_an_engine_counts_what_it_finds_in_each_split(name, asked):
    asked = Question(parse_bounds([asked[0]]), *asked[1:])
    found = enumerate_tests(asked, engine=name, jobs=1)
    counted = count_tests(asked, engine=name, jobs=2)
    assert counted.complete
    assert (counted.tests, counted.splits()) == (found.tests, found.splits())
    assert counted.tests > 0


@pytest.mark.full
def test_the_verdicts_of_these_tests_are_the_twins():
    """For a sample of those that no smaller question has: with a third location or value."""
    chosen = random.Random(2)
    for asked in [("2x3", 2, 3, ()), ("3x3", 2, 3, DROPPABLE), ("2x3", 4, 3, DROPPABLE), ("4x4", 3, 2, NO_INFLUENCE)]:
        programs = [program_of_id(id_) for id_ in found_by("sat", asked)]
        larger = [program for program in programs if max(program.locations(), program.values()) > 2]
        sample = chosen.sample(larger, min(100, len(larger)))
        assert sample
        assert judge(list(map(written_out, sample)), library()) == list(map(brute.verdict_bits, sample))


def test_each_rule_that_is_dropped_adds_tests(tests_by_brute_force):
    """Or it would not matter whether it is dropped."""
    allowed = {without: set(tests_by_brute_force("2x3", 2, 2, without)) for without in RULES_DROPPED}
    assert all(allowed[without] > allowed[()] for without in RULES_DROPPED[1:])
