"""Test enumerations: they are complete, exact, and the same for every engine and number of processes."""

import functools
import itertools
import json
import string
from dataclasses import replace

import pytest
from pysat.solvers import SolverNames

import brute
from quick import mostly_full
from synth_checker._native import normalise
from synth_checker.errors import InputError, InternalError
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import id_of, normal_form, program_of_id
from synth_checker.programs.rules import DROPPABLE, broken_rules, rule_mask
from synth_checker.question import Question, parse_bounds
from synth_corpus.test_sets import SetOfTests, signature_letters
from synth_search.engines import sat
from synth_search.engines.choice import engine_for
from synth_search.enumeration.every_test import enumerate_tests

MUTEX = "01100002-01100002"
RULES_DROPPED = [(), *((rule,) for rule in DROPPABLE), DROPPABLE]
rules_dropped = pytest.mark.parametrize("without", RULES_DROPPED, ids=" ".join)


def question(bounds, without=(), *, locations=2, values=2):
    return Question(parse_bounds([bounds]), locations, values, tuple(without))


@functools.cache
def found(asked, jobs=1, solver=sat.DEFAULT_SOLVER):
    result = enumerate_tests(asked, jobs=jobs, solver=solver)
    assert result.complete
    return result


def records(result):
    return list(zip(result.ids, result.passes, strict=True))


# --- what is known ---


@mostly_full(
    ("bounds", "without", "tests"),
    [
        ("2x2", (), 8),
        ("2x3", (), 162),
        ("2x3", ("effective-stores",), 176),
        ("2x4", (), 6610),
        ("3x3", (), 60),
        ("3x4", (), 4146),
    ],
    quick=2,
)
def test_as_many_tests_as_are_known(bounds, without, tests):
    result = found(question(bounds, without))
    assert len(result.ids) == len(set(result.ids)) == tests
    assert sum(result.splits().values()) == sum(result.signatures().values()) == tests


def test_the_mutex_of_figure_2_is_in_2x4():
    result = found(question("2x4"))
    passes = result.passes[result.ids.index(MUTEX)]
    letters = signature_letters(passes, len(result.verdicts))
    verdicts = dict(zip(verdict_names(library()), letters, strict=True))
    assert {name for name, letter in verdicts.items() if letter == "f"} == {"unfair", "HSA.weak", "HSA.strong"}


@pytest.mark.parametrize(("bounds", "without"), [("2x2", ()), ("2x3", ("effective-stores",))])
def test_the_tests_are_the_published_ones_with_the_published_verdicts(published, bounds, without):
    records = [json.loads(line) for line in found(question(bounds, without)).lines()]
    expected = {id_of(test.program): test.verdicts | {"unfair": "fail"} for test in published(bounds)}
    assert {record["id"]: record["verdicts"] for record in records} == expected


# --- completeness ---


@mostly_full(
    ("bound", "without"),
    [
        pytest.param(bound, without, marks=pytest.mark.full if (bound, without) == ((3, 3), DROPPABLE) else ())
        for bound, without in itertools.product([(2, 2), (2, 3), (3, 3)], RULES_DROPPED)
    ],
    ids=str,
    quick=4,
)
def test_brute_force_gives_the_same_records(bound, without):
    result = found(question("{}x{}".format(*bound), without))
    assert records(result) == brute.records(*bound, without=without)


@pytest.mark.full
@rules_dropped
@mostly_full(("locations", "values"), [(1, 2), (3, 2), (2, 3), (1, 4), (3, 1)], quick=2)
def test_brute_force_gives_the_same_records_for_other_locations_and_values(locations, values, without):
    result = found(question("2x2", without, locations=locations, values=values))
    assert records(result) == brute.records(2, 2, locations=locations, values=values, without=without)


@pytest.mark.full
@pytest.mark.parametrize("without", [(), DROPPABLE], ids=" ".join)
@pytest.mark.parametrize(("locations", "values"), [(3, 2), (1, 3)])
def test_brute_force_gives_the_same_records_of_2x3_for_other_locations_and_values(locations, values, without):
    result = found(question("2x3", without, locations=locations, values=values))
    assert records(result) == brute.records(2, 3, locations=locations, values=values, without=without)


def every_normal_id(threads, instructions, *, keep_store_checks):
    """The ids of all programs of a size in normal form, in batches, by trying all ids of that length."""
    for sizes in brute.splits(threads, instructions):
        every = itertools.product(*(every_thread(size, keep_store_checks) for size in sizes))
        while batch := ["-".join(threads) for threads in itertools.islice(every, 100_000)]:
            normal = normalise(batch, keep_store_checks)
            yield [id_ for id_, same in zip(batch, normal, strict=True) if id_ == same]


@functools.cache
def every_thread(size, keep_store_checks):
    """Every thread as digits but those with a no-op, and those with a store that should check 0 and does not."""
    targets = string.digits[: size + 1]

    def every_instruction(pc):
        for loc, check, exch, target in itertools.product("01", "01", "_01", targets):
            if target != targets[pc + 1] or (exch != "_" and (keep_store_checks or check == "0")):
                yield loc + check + exch + target

    return ["".join(thread) for thread in itertools.product(*map(every_instruction, range(size)))]


def found_by_trying_every_id(threads, instructions, without):
    allowed = rule_mask(without)
    batches = every_normal_id(threads, instructions, keep_store_checks="meaningful-comparisons" in without)
    return sorted(
        id_
        for batch in batches
        for id_, broken in zip(batch, broken_rules(batch), strict=True)
        if not broken & ~allowed
    )


@pytest.mark.full
@pytest.mark.parametrize("bound", [(2, 3), pytest.param((2, 4), marks=pytest.mark.full), (3, 4)], ids=str)
def test_the_core_finds_the_same_tests_by_trying_every_program(bound):
    assert found(question("{}x{}".format(*bound))).ids == found_by_trying_every_id(*bound, without=())


@pytest.mark.parametrize(
    ("bound", "without"),
    [
        *(pytest.param(bound, (rule,), marks=pytest.mark.full) for bound in [(2, 4), (3, 4)] for rule in DROPPABLE),
        pytest.param((3, 4), DROPPABLE, marks=pytest.mark.full),
        pytest.param((2, 4), DROPPABLE, marks=pytest.mark.exhaustive),
    ],
)
def test_the_core_finds_the_same_tests_by_trying_every_program_whichever_rules_are_dropped(bound, without):
    assert found(question("{}x{}".format(*bound), without)).ids == found_by_trying_every_id(*bound, without)


@mostly_full("bounds", ["1x1", "1x2", "1x3", "1x4"], quick=2)
def test_one_thread_has_no_tests(bounds):
    """No other thread could influence it."""
    assert found(question(bounds)).ids == []


@pytest.mark.full
@mostly_full("bounds", ["1x2", "2x2", "2x4", "3x3"], quick=2)
@mostly_full("without", [(), *((rule,) for rule in DROPPABLE if rule != "all-branches")], ids=" ".join, quick=2)
def test_one_value_has_no_tests(bounds, without):
    """Nothing ever changes, so every branch always goes the same way."""
    assert found(question(bounds, without, values=1)).ids == []


@pytest.mark.full
def test_several_bounds_are_the_tests_of_each():
    each = [found(question(bounds)).ids for bounds in ("2x2", "2x3", "3x3", "2x4", "3x4")]
    assert found(question("2x2..3x4")).ids == sorted(itertools.chain.from_iterable(each))


@pytest.mark.full
@pytest.mark.parametrize("bounds", ["2x4", "3x4"])
def test_every_test_is_a_program_of_the_bound_in_normal_form(bounds):
    threads, instructions = map(int, bounds.split("x"))
    for id_ in found(question(bounds)).ids:
        program = program_of_id(id_)
        assert (len(program), program.size) == (threads, instructions)
        assert normal_form(program) == program


# --- the same for all ---


def bytes_of(result):
    return "".join(result.lines()).encode("utf-8")


@pytest.mark.parametrize(("bounds", "jobs"), [("2x2", 5), ("2x4", 2), ("3x4", 5)])
def test_records_are_byte_identical_for_any_number_of_jobs(bounds, jobs):
    assert bytes_of(enumerate_tests(question(bounds), jobs=jobs)) == bytes_of(found(question(bounds)))


@mostly_full("bounds", ["2x3", "3x4", pytest.param("2x4", marks=pytest.mark.full)])
def test_records_are_byte_identical_for_two_solvers(bounds):
    assert bytes_of(found(question(bounds), solver="glucose4")) == bytes_of(
        found(question(bounds), solver="cadical195")
    )


@pytest.mark.full
@pytest.mark.parametrize("solver", sorted(name for name in vars(SolverNames) if not name.startswith("_")))
def test_records_are_byte_identical_for_every_solver_that_is_not_refused(solver):
    try:
        sat.check_solver(solver)
    except InputError:
        assert solver in {"cryptosat", "kissat404", "minisatgh"}
        return
    assert bytes_of(found(question("2x3"), 2, solver)) == bytes_of(found(question("2x3")))


def test_most_solvers_are_not_refused():
    names = ["cadical153", "cadical195", "glucose3", "glucose4", "lingeling", "maplechrono", "minicard", "minisat22"]
    for name in names:
        sat.check_solver(name)


@pytest.mark.parametrize("solver", ["frob", "", "kissat404"])
def test_a_solver_that_is_unknown_or_not_incremental_is_refused(solver):
    found = f"'{solver}'" if solver else "an empty word .*"
    with pytest.raises(InputError, match=f"solver: found {found}, expected an incremental solver"):
        enumerate_tests(question("2x2"), solver=solver)


def test_fewer_than_one_job_is_refused():
    with pytest.raises(InputError, match="jobs: found 0, expected at least 1"):
        enumerate_tests(question("2x2"), jobs=0)


# --- without a run ---


@pytest.mark.full
@pytest.mark.parametrize("minimal", [False, True])
def test_a_set_of_tests_says_the_same_of_them_as_the_run_that_found_them(minimal):
    asked = replace(question("2x3"), minimal=minimal)
    run = enumerate_tests(asked, jobs=1)
    alone = SetOfTests(question=asked, ids=run.ids, jobs=2)
    assert b"".join(alone.records()) == b"".join(run.records())
    assert (list(alone), list(alone.passes), alone.verdicts) == (list(run), list(run.passes), run.verdicts)
    assert (len(alone), alone.splits(), alone.signatures()) == (len(run), run.splits(), run.signatures())
    assert alone.to_pandas().equals(run.to_pandas())
    assert not hasattr(alone, "seconds")


# --- on the way ---


@pytest.mark.full
def test_progress_ends_with_all_units_and_all_tests():
    told = []
    result = enumerate_tests(question("2x4"), jobs=2, engine="sat", progress=lambda *numbers: told.append(numbers))
    done, units, tests = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert list(tests) == sorted(tests)
    assert told[-1] == (units[0], units[0], len(result.ids))
    assert set(units) == {len(engine_for(question("2x4"), "sat").units(2))}


def test_a_program_that_is_no_test_does_not_pass_for_a_result(monkeypatch):
    """The core decides the rules once more, by other means than the clauses."""
    solve = sat.SatEngine.solve

    def deluded(engine, unit):
        yield from solve(engine, unit)
        yield b"00_0-00_0\n"

    monkeypatch.setattr(sat.SatEngine, "solve", deluded)
    with pytest.raises(
        InternalError,
        match="the engine found 00_0-00_0, but the core says that this program breaks possible-termination",
    ):
        enumerate_tests(question("2x2"), jobs=1, engine="sat")
