"""Test shrinking: it ends at the minimal tests, and every step that it shows is one relaxation."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from bounds import ids_of
from quick import examples
from synth_checker.errors import InputError
from synth_checker.models import library, models_named, verdict_names
from synth_checker.programs.normal import id_of, program_of_id, written_out
from synth_checker.programs.rules import broken_rules
from synth_checker.reductions import shrink as module
from synth_checker.reductions.minimality import minimal
from synth_checker.reductions.shrink import shrink
from synth_checker.reductions.subprograms import relaxations, subprograms
from synth_checker.twin import subprograms as twin
from synth_checker.verdicts import judge

NAMES = verdict_names(library())
some_tests = st.sampled_from(["2x3", "2x4", "3x4"]).flatmap(lambda bound: st.sampled_from(ids_of(bound)))


def assert_steps_are_relaxations(form, shrunk):
    for step in shrunk.steps:
        relaxations = {(at, written_out(smaller)) for _, at, smaller in twin.relaxations(program_of_id(form))}
        assert (step.at, step.left) in relaxations
        form = step.left
    assert form == shrunk.id


@settings(max_examples=examples(20))
@given(some_tests)
def test_shrinking_a_test_ends_in_minimal_tests_of_its_signature(id_):
    all_shrunk = shrink(id_)
    ids = [shrunk.id for shrunk in all_shrunk]
    assert all_shrunk
    assert all(minimal(ids))
    assert set(judge(ids)) == set(judge([id_]))
    assert ids == sorted(ids, key=lambda form: (program_of_id(form).size, len(program_of_id(form)), form))
    for shrunk in all_shrunk:
        assert_steps_are_relaxations(id_, shrunk)


@settings(max_examples=examples(20))
@given(some_tests)
def test_all_minimal_sub_programs_are_found_and_no_way_is_shorter(id_):
    near = [{id_}]
    while near[-1]:
        near.append({smaller for form in near[-1] for smaller in next(subprograms(form))[1]})
    below = [form for form, _ in subprograms(id_)]
    (signature,) = judge([id_])
    expected = {
        form
        for form, is_kept, other in zip(below, minimal(below), judge(below), strict=True)
        if is_kept and other == signature
    }
    all_shrunk = shrink(id_)
    assert {shrunk.id for shrunk in all_shrunk} == expected
    for shrunk in all_shrunk:
        assert len(shrunk.steps) == next(k for k, forms in enumerate(near) if shrunk.id in forms)


@settings(max_examples=examples(20))
@given(some_tests, st.sets(st.sampled_from(NAMES), max_size=3))
def test_kept_verdicts_are_kept_and_nothing_below_has_them(id_, names):
    (mask,) = judge([id_])
    keep = {name: bool(mask >> NAMES.index(name) & 1) for name in names}

    def keeps(bits):
        return all(bool(bits >> NAMES.index(name) & 1) == passes for name, passes in keep.items())

    for shrunk in shrink(id_, keep):
        assert keeps(judge([shrunk.id])[0])
        _, *below = (form for form, _ in subprograms(shrunk.id))
        checked = zip(broken_rules(below), judge(below), strict=True)
        assert not any(not broken and keeps(bits) for broken, bits in checked)


@settings(max_examples=examples(20))
@given(strategies.waiting_programs(threads=(2, 3), instructions=(2, 5), locations=2, values=3))
def test_any_program_can_be_shrunk_and_only_to_tests(program):
    for shrunk in shrink(written_out(program)):
        assert broken_rules([shrunk.id]) == [0]
        assert judge([shrunk.id]) == judge([id_of(program)])
        assert_steps_are_relaxations(id_of(program), shrunk)


def test_a_minimal_test_is_shrunk_to_itself_in_no_step():
    (shrunk,) = shrink("70_0-7081")
    assert (shrunk.id, shrunk.steps) == ("00_0-0011", ())


def test_the_programs_between_need_not_be_tests():
    """Down from the mutex: one thread locks and unlocks, the other waits."""
    (shrunk,) = shrink("01100002-01100002")
    assert shrunk.id == "01_0-00110002"
    assert [str(step) for step in shrunk.steps] == [
        "delete instruction 1 of thread 0",
        "drop the exchange of instruction 0 of thread 0",
        "make a store of instruction 0 of thread 1",
    ]
    assert [mask != 0 for mask in broken_rules([step.left for step in shrunk.steps])] == [True, True, False]


def test_the_models_say_what_a_signature_is():
    unfair = models_named(["unfair"])
    assert [shrunk.id for shrunk in shrink("0010-00000101")] == ["0010-00_00101"]
    assert [shrunk.id for shrunk in shrink("0010-00000101", None, unfair)] == ["0010-0100", "0011-00_0"]


def test_a_verdict_that_the_models_do_not_have_is_refused():
    with pytest.raises(InputError, match=r"keep: found .OBE. .did you mean OBE.weak.., expected one of unfair, HSA"):
        shrink("00_0-0011", {"OBE": True})
    with pytest.raises(InputError, match=r"keep: found 'OBE\.weak', expected one of fair\.weak, fair\.strong"):
        shrink("00_0-0011", {"OBE.weak": True}, models_named(["fair"]))


def test_relaxations_are_spelt_out_only_on_the_way_that_is_shown(monkeypatch):
    """A program may have a million sub-programs, and dozens of relaxations lead from each."""
    judged = []

    def counted(forms, *, keep_store_checks):
        judged.extend(forms)
        return relaxations(forms, keep_store_checks=keep_store_checks)

    monkeypatch.setattr(module, "relaxations", counted)
    (shrunk,) = shrink("01100002-01100002")
    assert judged == ["01100002-01100002", *(step.left for step in shrunk.steps[:-1])]
