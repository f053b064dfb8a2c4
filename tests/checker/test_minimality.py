"""Test the filter of minimal tests: the core keeps the same tests as the twin, under any rules and models."""

import functools
from array import array

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import brute
import strategies
from bounds import ids_of
from quick import examples, mostly_full
from synth_checker.errors import InputError, LimitError
from synth_checker.examination import Examiner
from synth_checker.models import library, models_named, verdict_names
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.rules import DROPPABLE, broken_rules, rule_mask
from synth_checker.question import Question, parse_bounds
from synth_checker.reductions.minimality import MinimalityFilter, minimal
from synth_checker.reductions.subprograms import subprograms
from synth_checker.twin import subprograms as twin
from synth_checker.verdicts import judge
from synth_search.engines.explicit import ExplicitEngine


@functools.cache
def kept_of(bound, names):
    """Whether each test of a bound is minimal."""
    ids = ids_of(bound)
    return dict(zip(ids, minimal(ids, models_named(names)), strict=True))


def verdicts_of(names):
    """The bits of some models among the eleven verdicts."""
    chosen = set(verdict_names(models_named(names)))
    return sum(1 << k for k, name in enumerate(verdict_names(library())) if name in chosen)


def minimal_by_twin(ids, names, without):
    bits = verdicts_of(names)
    return [
        twin.is_minimal(
            program_of_id(id_),
            lambda program: not brute.broken_rules(program) - set(without),
            lambda program: brute.verdict_bits(program) & bits,
            keep_store_checks="meaningful-comparisons" in without,
        )
        for id_ in ids
    ]


def signatures_below(id_, models, without):
    """The signatures of the tests among the sub-programs, each met by relaxing one by one."""
    _, *others = (form for form, _ in subprograms(id_, keep_store_checks="meaningful-comparisons" in without))
    allowed = rule_mask(without)
    allowed_forms = [form for form, broken in zip(others, broken_rules(others), strict=True) if not broken & ~allowed]
    return set(judge(allowed_forms, models))


def assert_signatures_are_found(program, without, models):
    form = id_of(program, keep_store_checks="meaningful-comparisons" in without)
    assume(form)
    below = signatures_below(form, models, without)
    core = MinimalityFilter(3, models, without)
    signatures = [*sorted(below), *range(4), judge([form], models)[0]]
    assert core.minimal([form] * len(signatures), signatures) == [signature not in below for signature in signatures]


ALL = tuple(model.name for model in library())


@mostly_full("bound", [(2, 2), (2, 3)])
@mostly_full(
    ("names", "without"),
    [(ALL, ()), (("OBE",), ()), (("unfair",), ()), (("HSA", "fair"), ("effective-stores",))],
    quick=2,
)
def test_the_minimal_tests_of_the_smallest_bounds_are_those_of_brute_force(bound, names, without):
    ids = brute.ids(*bound, without=without)
    if (names, without) != (ALL, ()):
        ids = ids[::4]
    assert minimal(ids, models_named(names), without) == minimal_by_twin(ids, names, without)


@pytest.mark.full
@settings(max_examples=examples(200), deadline=None)
@given(
    strategies.programs(threads=(1, 3), instructions=(1, 5), locations=5, values=5)
    | strategies.waiting_programs(threads=(2, 3), instructions=(3, 6), locations=2, values=3),
    st.sets(st.sampled_from(DROPPABLE)),
)
def test_the_core_finds_the_signatures_of_all_sub_programs_of_many_programs(program, without):
    assert_signatures_are_found(program, without, library())


@pytest.mark.parametrize(
    "without",
    [
        *(pytest.param((rule,), marks=pytest.mark.exhaustive) for rule in DROPPABLE),
        pytest.param(DROPPABLE, marks=pytest.mark.full),
    ],
)
def test_the_minimal_tests_are_those_of_brute_force_whatever_rule_is_dropped(without):
    ids = brute.ids(2, 2, without=without) + brute.ids(2, 3, without=without)
    ids = ids[:: max(1, len(ids) // 300)]
    assert minimal(ids, None, without) == minimal_by_twin(ids, ALL, without)


@pytest.mark.full
@settings(max_examples=examples(8))
@given(st.data())
def test_no_sub_program_of_a_minimal_test_is_a_test_with_its_signature(data):
    ids = ids_of(data.draw(st.sampled_from(["2x3", "2x4", "3x3", "3x4"])))
    kept = [id_ for id_, chosen in zip(ids, minimal(ids), strict=True) if chosen]
    assert minimal_by_twin([data.draw(st.sampled_from(kept))], ALL, ()) == [True]


@settings(max_examples=examples(20), deadline=None)
@given(st.sampled_from(["2x4", "3x4"]), st.randoms(use_true_random=False), st.sampled_from([ALL, ("HSA",)]))
def test_what_is_kept_of_a_whole_bound_has_no_sub_program_with_its_signature_and_what_is_not_has(bound, random, names):
    chosen = kept_of(bound, names)
    sample = random.sample([id_ for id_, is_kept in chosen.items() if is_kept], 4) + random.sample(ids_of(bound), 4)
    signatures = judge(sample, models_named(names))
    expected = [
        s not in signatures_below(id_, models_named(names), ()) for id_, s in zip(sample, signatures, strict=True)
    ]
    assert [chosen[id_] for id_ in sample] == expected


@settings(max_examples=examples(80), deadline=None)
@given(
    strategies.programs(threads=(1, 3), instructions=(1, 4), locations=5, values=5)
    | strategies.waiting_programs(threads=(2, 3), instructions=(3, 5), locations=2, values=3),
    st.sets(st.sampled_from(DROPPABLE)),
    st.sampled_from([ALL, ("OBE", "fair")]),
)
@example(program_of_id("00010010-0002012000_0"), set(), ALL)  # sub-programs with and without `00_0` at the end
def test_the_core_finds_the_signatures_of_all_sub_programs_of_any_program(program, without, names):
    """Of any names and rules; so also of programs that the core can't pack."""
    assert_signatures_are_found(program, without, models_named(names))


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False))
def test_neither_order_nor_batches_matter(random):
    ids = [*ids_of("2x3"), *ids_of("3x4")[::20]]
    expected = dict(zip(ids, minimal(ids), strict=True))
    random.shuffle(ids)
    core = MinimalityFilter(3)
    for k in range(0, len(ids), 50):
        batch = ids[k : k + 50]
        assert core.minimal(batch, judge(batch)) == [expected[id_] for id_ in batch]


@pytest.mark.parametrize("bound", [pytest.param("2x5", marks=pytest.mark.full), "3x4", "4x4"])
def test_the_filter_by_orbits_keeps_what_the_filter_of_lone_tests_keeps(bound):
    question = Question(parse_bounds([bound]))
    engine, examiner = ExplicitEngine(question), Examiner([int(bound[0])], library())
    lone, by_orbits = MinimalityFilter(4, by_orbits=False), MinimalityFilter(4)
    for unit in engine.units(1):
        for lines in engine.solve(unit):
            signatures = examiner.examine(lines).signatures
            assert list(array("Q", signatures)) == judge(lines.decode().split())
            assert by_orbits.minimal_of(lines, signatures) == lone.minimal_of(lines, signatures)
    assert 0 < by_orbits.known < lone.known


def test_fewer_models_leave_fewer_minimal_tests_and_every_signature_has_one():
    ids = [id_ for bound in ("2x2", "2x3", "2x4") for id_ in ids_of(bound)]
    counts = []
    for names in (ALL, ("OBE", "LOBE"), ("unfair",)):
        models = models_named(names)
        chosen = minimal(ids, models)
        signatures = judge(ids, models)
        assert set(signatures) == {s for s, is_kept in zip(signatures, chosen, strict=True) if is_kept}
        counts.append(sum(chosen))
    assert counts == sorted(set(counts), reverse=True)


@pytest.mark.parametrize(
    ("id_", "kept"),
    [
        ("00_0-0011", True),  # a consumer and its producer
        ("0010-0100", True),
        ("0010-00000101", False),  # the same verdicts without the exchange of its second instruction
        ("01100002-01100002", False),  # a mutex: one who waits while the other holds it is enough
        ("01_0-00110002", True),
    ],
)
def test_minimal_tests_known_by_hand(id_, kept):
    assert broken_rules([id_]) == [0]
    assert minimal([id_]) == [kept]


def test_a_program_that_is_no_test_is_no_minimal_one_and_names_do_not_matter():
    assert minimal(["00_0", "00_0-00_0", "50_0-5021", ""]) == [False, False, True, False]
    assert minimal([]) == []


def test_what_can_not_be_decided_is_refused():
    with pytest.raises(InputError, match="'x'"):
        minimal(["x"])
    with pytest.raises(InputError, match="2 threads, expected at most 1"):
        MinimalityFilter(1).minimal(["00_0-0011"], [0])
    with pytest.raises(InputError, match="2 signatures, expected 1"):
        MinimalityFilter(2).minimal(["00_0-0011"], [0, 0])
    with pytest.raises(LimitError, match="9 threads"):
        MinimalityFilter(9)
