"""Test the conditions that a search asks of tests, against the program, the twins, or a walk through sub-programs."""

import itertools

import pytest

import brute
from bounds import ids_of
from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.idioms import idioms
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import id_of, normal_form, program_of_id, written_out
from synth_checker.programs.program import InstructionKind, Program
from synth_checker.reductions.subprograms import subprograms
from synth_checker.wanted import Wanted

NAMES = verdict_names(library())


@pytest.fixture(scope="module")
def tests():
    """The tests of two bounds, by brute force: id -> verdicts."""
    return dict(brute.records(2, 2) + brute.records(2, 3))


@pytest.fixture(scope="module")
def ids(tests):
    return list(tests)


@pytest.mark.full
@mostly_full("passes", NAMES, quick=3)
def test_verdicts_are_those_of_the_twin(tests, ids, passes):
    for fails in NAMES:
        if passes != fails:
            expected = [
                i for i, bits in tests.items() if bits >> NAMES.index(passes) & 1 and not bits >> NAMES.index(fails) & 1
            ]
            assert Wanted((passes,), (fails,)).among(ids) == expected


def test_all_verdicts_that_are_named_matter_at_once(tests, ids):
    passes, fails = ("OBE.strong", "HSA.strong"), ("HSA.weak", "unfair", "OBE.weak")
    expected = [
        id_
        for id_, bits in tests.items()
        if all(bits >> NAMES.index(name) & 1 for name in passes)
        and not any(bits >> NAMES.index(name) & 1 for name in fails)
    ]
    assert expected
    assert Wanted(passes, fails).among(ids) == expected


def kinds(id_):
    return [[thread.kind(pc) for pc in range(len(thread))] for thread in program_of_id(id_)]


def writes(thread):
    return any(instruction.exch is not None for instruction in thread)


def is_symmetric(id_):
    orders = itertools.permutations(program_of_id(id_).threads)
    return {written_out(normal_form(Program(threads))) for threads in orders} == {id_}


CONDITIONS = {
    "locations": (Wanted(locations=2), lambda id_: program_of_id(id_).locations() == 2),
    "one location": (Wanted(locations=1), lambda id_: program_of_id(id_).locations() == 1),
    "no exchange branches": (
        Wanted(no_exchange_branches=True),
        lambda id_: InstructionKind.EXCHANGE_BRANCH not in itertools.chain(*kinds(id_)),
    ),
    "silent thread": (Wanted(silent_thread=True), lambda id_: not all(map(writes, program_of_id(id_)))),
    "thread-symmetric": (Wanted(thread_symmetric=True), is_symmetric),
}


@pytest.mark.full
@mostly_full("name", CONDITIONS, quick=3)
def test_how_a_test_is_built_is_seen_in_its_program(ids, name):
    wanted, holds = CONDITIONS[name]
    more = [*ids, *ids_of("3x3"), *ids_of("2x4")]
    expected = [id_ for id_ in more if holds(id_)]
    assert 0 < len(expected) < len(more)
    assert wanted.among(more) == expected


@pytest.mark.parametrize("word", ["simplified-mutex", "dining-philosophers", "00_0-0011"])
def test_containing_is_having_among_the_sub_programs_or_being(ids, word):
    """An idiom in any order of its threads, a program given by its id in its own."""
    if word in idioms():
        parts = {id_of(Program(order)) for order in itertools.permutations(idioms()[word].threads)}
    else:
        parts = {word}
    expected = [id_ for id_ in ids if parts & {form for form, _ in subprograms(id_)}]
    assert 0 < len(expected) < len(ids)
    assert Wanted(contains=(word,)).among(ids) == expected


def test_what_inclusion_excludes_no_test_shows(ids):
    excluded = 0
    for passes, fails in itertools.permutations(NAMES, 2):
        wanted = Wanted((passes,), (fails,))
        if wanted.impossible(3):
            excluded += 1
            assert wanted.among([*ids, *ids_of("3x3")]) == []
    assert excluded
    assert Wanted(("HSA.weak",), ("OBE.weak",)).impossible(2) is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"passes": ("OBE",)}, "pass: found 'OBE' .did you mean OBE.weak.., expected one of unfair"),
        ({"fails": ("frob",)}, "fail: found 'frob'"),
        ({"passes": ("OBE.weak",), "fails": ("OBE.weak",)}, "fail: 'OBE.weak' is also among the verdicts to pass"),
        ({"contains": ("frob!",)}, "contains: found 'frob!', expected an id or one of the idioms "),
        (
            {"contains": ("mutx",)},
            "contains: found 'mutx' .did you mean mutex.., expected an id or one of the idioms barrier",
        ),
        ({"contains": ("00_1-00_1",)}, "contains: the program '00_1-00_1' consists of no-ops; name"),
    ],
)
def test_what_can_not_be_wanted_is_refused(words, message):
    with pytest.raises(InputError, match=message):
        Wanted(**words)
