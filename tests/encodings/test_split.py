"""Test splits: the parts into which they are cut, and how many locations and values they have."""

import functools
import itertools

import pytest
from pysat.solvers import Solver

import brute
from quick import mostly_full
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.rules import DROPPABLE
from synth_checker.question import Question, parse_bounds
from synth_encodings import orbits
from synth_encodings.full import FullEncoding
from synth_encodings.lazy import LazyEncoding
from synth_encodings.split import useful_locations, useful_values
from synth_search.engines.sat import FullSatEngine, SatEngine

every_encoding = pytest.mark.parametrize("kind", [FullEncoding, LazyEncoding])
SPLITS = [(1,), (2,), (1, 1), (2, 1), (1, 1, 1), (3, 1), (2, 2), (2, 1, 1)]


def found_under(encoding, cut=()):
    """The ids of the tests of a split that satisfy some literals, in the order in which they are found."""
    tests_found = []
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        while solver.solve(assumptions=cut):
            tests, clauses = encoding.answer(solver.get_model())
            tests_found += tests
            for clause in clauses:
                solver.add_clause(clause)
    return tests_found


@functools.cache
def all_found(kind, sizes, without):
    return found_under(kind(sizes, 2, 2, without))


@every_encoding
@pytest.mark.parametrize("sizes", SPLITS)
def test_leading_fields_are_as_many_and_as_large_as_their_sizes_say(kind, sizes):
    fields = kind(sizes, 2, 2).leading_fields()
    assert [len(literals) for literals in fields] == kind.leading_field_sizes(sizes)


@every_encoding
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    ("sizes", "without"),
    [((2, 1), ()), ((2, 1), DROPPABLE), ((1, 1, 1), ()), pytest.param((2, 2), (), marks=pytest.mark.full)],
)
def test_cuts_by_leading_fields_part_the_tests(kind, sizes, without, depth):
    """Each test is in the one cut that says where the instructions jump to by which it is cut."""
    encoding = kind(sizes, 2, 2, without)
    fields = encoding.leading_fields()[:depth]
    tests = all_found(kind, sizes, without)
    assert len(set(tests)) == len(tests) > 0
    parted = []
    for values in itertools.product(*map(range, kind.leading_field_sizes(sizes)[:depth])):
        cut = found_under(encoding, [fields[k][value] for k, value in enumerate(values)])
        assert {targets(id_, kind.leading_places(sizes)[:depth]) for id_ in cut} <= {values}
        parted += cut
    assert sorted(parted) == sorted(tests)


def targets(id_, places):
    instructions = [instruction for _, _, instruction in program_of_id(id_).instructions()]
    return tuple(instructions[place].target for place in places)


def test_blocking_a_program_blocks_no_other():
    """And decodes it: no field of the split is left out of the clause."""
    encoding = FullEncoding((1, 1), 2, 2)
    seen = set()
    with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as solver:
        while solver.solve():
            id_, blocking = encoding.decode(solver.get_model())
            assert id_ not in seen
            seen.add(id_)
            fields = [-literal for literal in blocking]
            with Solver("cadical195", bootstrap_with=encoding.cnf.clauses) as other:
                assert other.solve(assumptions=fields)
                assert encoding.decode(other.get_model())[0] == id_
            solver.add_clause(blocking)
    assert len(seen) == 8


def test_no_normal_program_names_more_values_than_are_useful():
    """And some program names all of them."""
    most = {sizes: 1 + 2 * sum(sizes) for sizes in [(1,), (1, 1)]}
    for sizes, values in most.items():
        assert [useful_values(sizes, number) for number in (1, values, values + 2)] == [1, values, values]
        space = brute.space(len(sizes), sum(sizes), 1, values + 1, keep_store_checks=True)
        assert max(program.values() for program in space) == values


@pytest.mark.parametrize(
    ("threads", "instructions"), [(2, 2), *(pytest.param(*b, marks=pytest.mark.full) for b in [(2, 3), (3, 3)])]
)
@pytest.mark.parametrize("without", [(), ("inter-thread-influence",), DROPPABLE], ids=" ".join)
def test_no_test_names_more_locations_than_are_useful(threads, instructions, without):
    programs = map(program_of_id, brute.ids(threads, instructions, locations=3, without=without))
    for program in programs:
        sizes = tuple(len(thread) for thread in program)
        assert program.locations() <= useful_locations(sizes, 3, without)


@pytest.mark.parametrize("sizes", SPLITS)
def test_useful_locations_are_no_more_than_are_asked_for_and_no_fewer_than_one(sizes):
    for number, without in itertools.product(range(1, 5), [(), ("inter-thread-influence",)]):
        assert 1 <= useful_locations(sizes, number, without) <= number
    assert useful_locations((2, 2), 9, ()) == 2
    assert useful_locations((2, 2), 9, ("inter-thread-influence",)) == 4


# --- the engine's units ---


@pytest.mark.full
@pytest.mark.parametrize("engine", [SatEngine, FullSatEngine])
@mostly_full("jobs", [1, 2, 5, 16, 100], quick=2)
@pytest.mark.parametrize("bounds", ["1x1", "2x2", "2x3,3x3", "2x4", "2x2..3x5"])
def test_the_units_of_a_question_part_it(bounds, jobs, engine):
    """Per split with falling sizes, the cuts' values are exactly all tuples of some length, or of some lengths."""
    question = Question(parse_bounds([bounds]))
    units = engine(question).units(jobs)
    assert len(set(units)) == len(units)
    sizes = {unit.sizes for unit in units}
    assert sizes == {s for bound in question.bounds for s in orbits.falling_splits(bound.splits())}
    for split in sizes:
        cuts = {unit.leading for unit in units if unit.sizes == split}
        (depth,) = {len(cut) for cut in cuts}
        assert cuts == set(itertools.product(*map(range, engine.encoding.leading_field_sizes(split)[:depth])))
