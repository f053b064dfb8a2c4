"""Test normal forms and ids: in Python, in C++ and by trying every renaming, equal programs have one normal form."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
import strategies
from synth_checker import _native
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import id_of, normal_form, program_of_id, with_no_ops, written_out
from synth_checker.programs.program import Instruction, InstructionKind, Program, Thread
from synth_checker.programs.text import read_program
from synth_checker.transitions.behaviour import canonical_forms
from synth_checker.twin import normal as twin

some_programs = strategies.programs(threads=(1, 4), instructions=(1, 8), locations=3, values=4)
both_ways = pytest.mark.parametrize("keep", [False, True], ids=["all-store-checks-0", "keeping-store-checks"])


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("0: if (Exch(Mem[0],1) == 1) goto 0;  1: Mem[0] = 0;", "01100002"),  # the mutex of Figure 2
        ("0: if (Exch(Mem[7],9) == 9) goto 0;  1: Mem[7] = 0;", "01100002"),
        ("0: if (Mem[3] == 5) goto 0;", "01_0"),
        ("0: if (Exch(Mem[1],2) == 1) goto 0;", "0120"),  # check is named before exch
        ("0: if (Exch(Mem[0],1) == 1) goto 1;", "0011"),  # a store's check is 0, and names nothing
        ("0: if (Mem[1] == 2) goto 1;  1: Mem[0] = 3;", "0011"),  # neither does a no-op
        ("0: if (Mem[0] == 1) goto 2;  1: if (Mem[0] == 0) goto 2;", ""),  # no-op gone, the jump over it is one
        ("0: if (Exch(Mem[0],1) == 1) goto 2;  1: if (Mem[0] == 0) goto 2;  2: Mem[0] = 2;", "00110022"),
        ("0: if (Mem[0] == 0) goto 1;  1: if (Mem[0] == 1) goto 0;", "01_0"),  # a jump to a no-op
    ],
)
def test_normal_forms_worked_out_by_hand(text, identifier):
    program = read_program(f"THREAD 0 {text}")
    assert id_of(program) == identifier
    assert written_out(twin.normal_form(program)) == identifier


def test_where_store_checks_are_kept_they_are_values_like_others():
    program = read_program("THREAD 0  0: if (Exch(Mem[0],3) == 4) goto 1;  1: if (Mem[0] == 3) goto 0;")
    assert id_of(program, keep_store_checks=True) == "012102_0"
    assert id_of(program) == "001101_0"


@both_ways
@given(some_programs)
def test_the_normal_form_is_the_one_renaming_that_is_normal(keep, program):
    form = normal_form(program, keep_store_checks=keep)
    assert form == twin.normal_form(program, keep_store_checks=keep)
    assert twin.is_normal(form, keep_store_checks=keep)


@both_ways
@given(strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36))
def test_the_normal_form_is_its_own_normal_form(keep, program):
    form = normal_form(program, keep_store_checks=keep)
    assert normal_form(form, keep_store_checks=keep) == form


@both_ways
@given(
    strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36),
    strategies.location_names(),
    strategies.value_names(),
)
def test_the_normal_form_is_the_same_under_all_renamings(keep, program, locations, values):
    renamed = twin.renamed(program, locations, values)
    assert normal_form(renamed, keep_store_checks=keep) == normal_form(program, keep_store_checks=keep)


@given(strategies.waiting_programs(threads=(1, 3), instructions=(1, 5), locations=2, values=3))
def test_a_program_and_its_normal_form_have_the_same_verdicts(program):
    assert brute.verdict_bits(normal_form(program)) == brute.verdict_bits(program)


@given(some_programs)
def test_only_no_ops_stand_between_a_program_and_its_normal_form(program):
    """What `with_no_ops` gives has the no-ops of the program, each in its place."""
    longer = with_no_ops(program)
    assert normal_form(longer) == normal_form(program)
    assert with_no_ops(longer) == longer
    kinds = [program[tid].kind(pc) for tid, pc, _ in program.instructions()]
    assert [longer[tid].kind(pc) for tid, pc, _ in longer.instructions()] == kinds
    assert (longer == normal_form(program)) == (InstructionKind.NO_OP not in kinds)


@given(strategies.programs_and_no_ops(some_programs))
def test_no_ops_put_into_a_program_leave_its_normal_form_as_it_is(both):
    program, with_more = both
    assert normal_form(with_more) == normal_form(program)


@given(strategies.programs(threads=(1, 3), instructions=(1, 5), locations=3, values=3))
def test_what_keeps_its_no_ops_has_the_behaviour_of_the_program(program):
    """So no model tells the two apart."""
    assert canonical_forms([written_out(with_no_ops(program))]) == canonical_forms([written_out(program)])


@both_ways
def test_every_small_program_has_one_normal_form_and_every_normal_form_is_some_programs(keep):
    """All 1x2 and 2x2 programs with two locations and two values: their normal forms are what is normal among them.

    With no-ops they become smaller: 1x1, 1x0 and so on are in the space of their own size.
    """
    everything = [
        Program(threads)
        for sizes in [(1,), (2,), (1, 1)]
        for threads in itertools.product(*(brute.every_thread(size, 2, 2) for size in sizes))
    ]
    normal = {p for p in everything if twin.is_normal(p, keep_store_checks=keep)}
    assert {normal_form(p, keep_store_checks=keep) for p in everything} == normal | {Program(())}
    assert len({id_of(p, keep_store_checks=keep) for p in everything}) == len(normal) + 1


@both_ways
@given(some_programs, st.data())
def test_ids_are_equal_exactly_for_equal_normal_forms(keep, program, data):
    """For a program and one that differs in at most one instruction, since unrelated ones are never equal."""
    thread, pc, _ = data.draw(st.sampled_from(list(program.instructions())))
    other = _with_instruction(program, thread, pc, data.draw(_instructions(len(program[thread]))))
    equal = normal_form(program, keep_store_checks=keep) == normal_form(other, keep_store_checks=keep)
    assert (id_of(program, keep_store_checks=keep) == id_of(other, keep_store_checks=keep)) == equal


@both_ways
@given(some_programs)
def test_an_id_can_be_read_back(keep, program):
    form = normal_form(program, keep_store_checks=keep)
    identifier = id_of(program, keep_store_checks=keep)
    if form.threads:
        assert program_of_id(identifier) == form
    assert written_out(form) == identifier == id_of(form, keep_store_checks=keep)


@given(strategies.programs(threads=(1, 4), instructions=(1, 35), locations=36, values=36))
def test_what_is_written_out_is_read_back_as_it_stands(program):
    assert program_of_id(written_out(program)) == program


@both_ways
@given(st.lists(strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36), max_size=8))
def test_the_core_normalises_as_python_does(keep, batch):
    expected = [id_of(program, keep_store_checks=keep) for program in batch]
    assert _native.normalise([written_out(program) for program in batch], keep_store_checks=keep) == expected


def _read_by_the_core(identifier):
    return _native.normalise([identifier], keep_store_checks=True)


both_readers = pytest.mark.parametrize("read", [program_of_id, _read_by_the_core], ids=["python", "core"])


@both_readers
@pytest.mark.parametrize(
    "text", ["xx", "011000", "0110-", "-0110", "0110--0110", "0110 0110", "011A", "_110", "0_10", "011_", "01²0"]
)
def test_what_is_no_id_is_refused_and_quoted(read, text):
    with pytest.raises(InputError) as raised:
        read(text)
    assert type(raised.value) is InputError
    assert str(raised.value).startswith(f"id {text!r}: ")


@pytest.mark.parametrize("text", ["0110\n", "01\0"])
@pytest.mark.parametrize(
    "read",
    [
        program_of_id,
        _read_by_the_core,
    ],
    ids=["python", "core"],
)
def test_what_is_no_id_is_refused_in_one_line_whatever_is_in_it(read, text):
    with pytest.raises(InputError) as raised:
        read(text)
    assert str(raised.value).startswith(f"id {text!r}: ")


@both_readers
@pytest.mark.parametrize("text", ["0112", "00_0-0112-00_0"])
def test_an_id_with_a_target_outside_its_thread_is_refused(read, text):
    with pytest.raises(InputError, match=re.escape("found target 2, expected 0 to 1 (the end)")):
        read(text)


@both_readers
def test_a_thread_has_at_most_35_instructions(read):
    read("0000" * 35)
    with pytest.raises(LimitError, match="36 instructions, expected at most 35"):
        read("0000" * 36)


@pytest.mark.parametrize("field", ["loc", "check", "target", "exch"])
def test_a_field_is_a_number_from_0_to_35(field):
    fields = {"loc": 0, "check": 0, "target": 0, "exch": 0}
    assert getattr(Instruction(**fields | {field: 35}), field) == 35
    with pytest.raises(LimitError, match=f"{field}: found 36, expected at most 35"):
        Instruction(**fields | {field: 36})
    for wrong in (-1, 1.0, "1", True, *([] if field == "exch" else [None])):
        with pytest.raises(InputError, match=f"{field}: found {wrong!r}, expected a non-negative integer"):
            Instruction(**fields | {field: wrong})


def test_a_thread_is_not_empty_and_jumps_inside_itself():
    with pytest.raises(InputError, match="found no instruction"):
        Thread(())
    with pytest.raises(InputError, match=re.escape("instruction 0: found target 2, expected 0 to 1 (the end)")):
        Thread((Instruction(0, 0, 2),))


def _instructions(size):
    return st.builds(
        Instruction,
        loc=st.integers(0, 2),
        check=st.integers(0, 3),
        target=st.integers(0, size),
        exch=st.none() | st.integers(0, 3),
    )


def _with_instruction(program, thread, pc, instruction):
    threads = [list(t) for t in program]
    threads[thread][pc] = instruction
    return Program(tuple(Thread(tuple(t)) for t in threads))
