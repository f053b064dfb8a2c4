"""Test relaxations and sub-programs: those of the core are those of the twin, one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from quick import examples
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import id_of, program_of_id, written_out
from synth_checker.reductions import subprograms as module
from synth_checker.reductions.subprograms import RelaxationKind, relaxations, subprograms
from synth_checker.twin import subprograms as twin

KIND_OF_TWIN = {
    "delete": RelaxationKind.DELETE,
    "drop exchange": RelaxationKind.DROP_EXCHANGE,
    "make store": RelaxationKind.MAKE_STORE,
    "merge locations": RelaxationKind.MERGE_LOCATIONS,
    "merge values": RelaxationKind.MERGE_VALUES,
}
small = strategies.programs(threads=(1, 3), instructions=(1, 4), locations=3, values=3)


def by_twin(form, *, keep_store_checks=False):
    return [
        (KIND_OF_TWIN[kind], at, written_out(smaller))
        for kind, at, smaller in twin.relaxations(program_of_id(form), keep_store_checks=keep_store_checks)
    ]


def measure(form):
    """What each relaxation lowers, by the definitions."""
    program = program_of_id(form)
    exchanges = sum(i.exch is not None for _, _, i in program.instructions())
    branches = sum(program[t].kind(pc).is_branch for t, pc, _ in program.instructions())
    return program.size, exchanges + branches, program.locations() + program.values()


@given(small, st.booleans())
def test_the_core_relaxes_as_the_twin_does(program, keep):
    form = id_of(program, keep_store_checks=keep)
    (row,) = relaxations([written_out(program)], keep_store_checks=keep)
    assert [(r.kind, r.at, r.left) for r in row] == by_twin(form, keep_store_checks=keep)


@given(small, st.booleans())
def test_a_relaxation_makes_a_program_smaller(program, keep):
    form = id_of(program, keep_store_checks=keep)
    (row,) = relaxations([form], keep_store_checks=keep)
    assert all(measure(relaxation.left) < measure(form) for relaxation in row)


@pytest.mark.full
@settings(max_examples=examples(20))
@given(small, st.booleans())
def test_the_sub_programs_are_those_of_the_twin(program, keep):
    form = id_of(program, keep_store_checks=keep)
    first, *others = subprograms(form, keep_store_checks=keep)
    expected = twin.subprograms(program_of_id(form), keep_store_checks=keep)
    assert first[0] == form
    assert sorted(id_ for id_, _ in others) == sorted(map(written_out, expected))
    for id_, row in (first, *others):
        assert len(set(row)) == len(row)
        assert set(row) == {smaller for _, _, smaller in by_twin(id_, keep_store_checks=keep)} - {""}


@pytest.mark.parametrize(
    ("id_", "kind", "at", "left"),
    [
        ("00100002-0110", RelaxationKind.DELETE, (0, 0), "0001-0110"),
        ("00_0-0011", RelaxationKind.DELETE, (1, 0), "00_0"),
        ("00_0-0011", RelaxationKind.DELETE, (0, 0), "0011"),
        # A jump over what is deleted becomes a store, which compares with 0, or a no-op, which goes too.
        ("01020011-0100", RelaxationKind.DELETE, (0, 1), "0001-0100"),
        ("01_20011-0100", RelaxationKind.DELETE, (0, 1), "0100"),
        ("0110-00_0", RelaxationKind.DROP_EXCHANGE, (0, 0), "01_0-00_0"),
        ("0110-00_0", RelaxationKind.MAKE_STORE, (0, 0), "0011-00_0"),
        ("00_010_0-00111011", RelaxationKind.MERGE_LOCATIONS, (0, 1), "00_000_0-00110011"),
        ("0110-02_0", RelaxationKind.MERGE_VALUES, (1, 2), "0110-01_0"),
        ("0110-02_0", RelaxationKind.MERGE_VALUES, (0, 1), "0000-01_0"),
    ],
)
def test_relaxations_worked_out_by_hand(id_, kind, at, left):
    (row,) = relaxations([id_])
    assert [r.left for r in row if (r.kind, r.at) == (kind, at)] == [left]


def test_a_store_made_of_a_branch_keeps_its_check_where_stores_have_one():
    for keep, smaller in ((False, "0011"), (True, "0111")):
        (row,) = relaxations(["0110"], keep_store_checks=keep)
        assert [r.left for r in row if r.kind is RelaxationKind.MAKE_STORE] == [smaller]


def test_0_is_a_value_whether_it_is_named_or_not():
    (row,) = relaxations(["0111"], keep_store_checks=True)
    assert [(r.at, r.left) for r in row if r.kind is RelaxationKind.MERGE_VALUES] == [((0, 1), "0001")]


def test_a_program_without_threads_is_no_sub_program():
    (row,) = relaxations(["00_0"])
    assert [r.left for r in row] == [""]
    assert list(subprograms("00_0")) == [("00_0", ())]


def test_a_relaxation_says_what_it_does_and_where():
    (row,) = relaxations(["0110-1000"])
    assert [str(r) for r in row] == [
        "delete instruction 0 of thread 0",
        "delete instruction 0 of thread 1",
        "drop the exchange of instruction 0 of thread 0",
        "drop the exchange of instruction 0 of thread 1",
        "make a store of instruction 0 of thread 0",
        "make a store of instruction 0 of thread 1",
        "merge locations 0 and 1",
        "merge values 0 and 1",
    ]


def test_what_is_no_id_is_refused():
    with pytest.raises(InputError, match="'x'"):
        relaxations(["x"])
    with pytest.raises(InputError, match="'x'"):
        list(subprograms("x"))


def test_too_many_sub_programs_are_a_limit_error(monkeypatch):
    monkeypatch.setattr(module, "MAX_SUBPROGRAMS", 10)
    with pytest.raises(LimitError, match="sub-programs"):
        list(subprograms("01100002-01100002"))
