"""Test that one examination of a program gives the same facts as a separate question for each fact."""

import itertools
from array import array
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from bounds import ids_of
from quick import examples
from synth_checker._native import BehaviourSet, Judge, Lts, behaviour_hashes, examined
from synth_checker.errors import InputError
from synth_checker.examination import Examiner
from synth_checker.models import library, models_named
from synth_checker.models.compiled import compile_automaton
from synth_checker.programs.ids import Ids, lines_of
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.rules import DROPPABLE, RULES, broken_rules, rule_mask, rule_names
from synth_checker.transitions.behaviour import canonical_forms, first_of_classes
from synth_checker.verdicts import judge, judge_automata

small = strategies.programs(threads=(1, 3), instructions=(1, 4), locations=2, values=3)
#: Most of these have at most 256 states, so the core looks at them by sets of states.
packed = {"threads": (1, 4), "instructions": (1, 6), "locations": 2, "values": 2}
some_packed = strategies.programs(**packed) | strategies.waiting_programs(**packed)


@given(st.lists(small, min_size=1, max_size=5), st.sampled_from([library(), models_named(("OBE", "fair"))]))
def test_one_examination_gives_what_judging_hashing_and_checking_rules_give(programs, models):
    ids = [id_ for id_ in map(id_of, programs) if id_]  # of nothing but no-ops nothing is left
    examiner = Examiner([1, 2, 3], models, DROPPABLE)
    examined = examiner.examine(lines_of(ids))
    wrong = [rule_names(mask & ~sum(1 << RULES.index(rule) for rule in DROPPABLE)) for mask in broken_rules(ids)]
    first = next((place for place, rules in enumerate(wrong) if rules), None)
    judged = ids if first is None else ids[: first + 1]
    assert examined.broken == (None if first is None else (ids[first], wrong[first]))
    assert list(array("Q", examined.signatures)) == judge(judged, models)
    assert examined.behaviours == behaviour_hashes(lines_of(judged))
    assert examiner.examine(lines_of(ids), with_behaviours=False) == replace(examined, behaviours=b"")


@given(some_packed)
def test_sets_of_states_tell_the_rules_that_a_program_breaks(program):
    id_ = id_of(program)
    if id_:
        mask = broken_rules([id_])[0]
        broken = Examiner([1, 2, 3, 4], library()).examine(lines_of([id_]), with_behaviours=False).broken
        assert broken == ((id_, rule_names(mask)) if mask else None)


@pytest.mark.full
@given(some_packed, st.data())
def test_sets_of_states_give_the_verdicts_of_automata_that_only_remember_history(program, data):
    """Among them what no model of the library does; in all orders of the threads one after the other."""
    ids = all_orders(program)
    threads = {id_.count("-") + 1 for id_ in ids}
    if len(threads) != 1:  # of nothing but no-ops nothing is left
        return
    automata = strategies.automata(*threads, states=4, returning=False)
    drawn = data.draw(st.lists(automata, min_size=1, max_size=4))
    check_verdicts(*threads, ids * 2, drawn)


@settings(max_examples=examples(30))
@given(st.sampled_from(["2x5", "3x4", "3x5", "4x5"]), st.randoms(use_true_random=False), st.data())
def test_sets_of_states_give_the_verdicts_of_many_tests(bound, draw, data):
    """More verdicts of tests hang on each step than those of random programs do."""
    threads = int(bound[0])
    ids = [id_ for form in draw.sample(ids_of(bound), 100) for id_ in all_orders(program_of_id(form))]
    automata = strategies.automata(threads, states=3, returning=False)
    check_verdicts(threads, ids, data.draw(st.lists(automata, min_size=1, max_size=2)))


def all_orders(program):
    """The ids of a program with its threads in each order; what is left of nothing but no-ops has none."""
    return sorted({id_ for order in itertools.permutations(program) if (id_ := id_of(order))})


def check_verdicts(threads, ids, automata):
    """Programs have the verdicts of their graphs under automata: looked at by orbits, and alone."""
    judge_of_all = Judge(
        threads, [compile_automaton(automaton) for automaton in automata], [(True, True)] * len(automata)
    )
    graphs = [judge_of_all.passes(Lts.of_program(id_)) for id_ in ids]
    signatures, *_ = examined(lines_of(ids), [judge_of_all], rule_mask(RULES), with_behaviours=False)
    assert list(array("Q", signatures)) == graphs
    assert judge_automata(ids, automata) == graphs


@pytest.mark.parametrize("bound", ["2x3", "3x3", "2x4"])
def test_hashes_are_equal_where_behaviours_are(bound):
    ids, hashes_of_forms = ids_of(bound), {}
    hashes = behaviour_hashes(lines_of(ids))
    for place, form in enumerate(canonical_forms(ids)):
        hashes_of_forms.setdefault(form, set()).add(hashes[16 * place : 16 * place + 16])
    assert all(len(hashes_of_form) == 1 for hashes_of_form in hashes_of_forms.values())
    assert len(set().union(*hashes_of_forms.values())) == len(hashes_of_forms)


def test_a_set_of_behaviours_tells_which_were_missing():
    ids = ids_of("2x4")
    hashes = behaviour_hashes(lines_of(ids))
    behaviours, seen = BehaviourSet(), set()
    for first in range(0, len(hashes), 160):
        chunk = hashes[first : first + 160]
        parts = [chunk[k : k + 16] for k in range(0, len(chunk), 16)]
        expected = [part not in seen and parts.index(part) == k for k, part in enumerate(parts)]
        assert list(map(bool, behaviours.insert(chunk))) == expected
        seen.update(parts)
    assert len(behaviours) == len(seen)


def test_of_each_class_the_first_is_kept_whatever_the_jobs():
    ids = Ids(itertools.chain(ids_of("2x3"), ids_of("2x4")))
    least = {}
    for id_, form in zip(ids, canonical_forms(list(ids)), strict=True):
        least.setdefault(form, id_)
    assert first_of_classes(ids) == first_of_classes(ids, jobs=2) == sorted(least.values())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (b"0010-0100", "expected a line end"),
        (b"00\n", "expected four digits for each instruction"),
        (b"\n", "an empty line"),
        (b"0010-0100-00_0\n", "3 threads"),
    ],
)
def test_what_can_t_be_examined_is_refused(lines, message):
    with pytest.raises(InputError, match=message):
        Examiner([2], library()).examine(lines)


def test_lines_behind_a_program_that_breaks_a_rule_are_not_read():
    """Nothing is found of what comes after the first test that breaks a rule, whether it is an id or not."""
    examiner = Examiner([2], library())
    for rest in (b"xyz\n", b"0010-0000-0000\n", b"0010-0000\n" * 5000 + b"xyz\n"):
        examined = examiner.examine(b"0011-00_0\n0000-0000\n" + rest, with_behaviours=False)
        assert examined.broken == ("0000-0000", rule_names(broken_rules(["0000-0000"])[0]))
        assert len(examined.signatures) == 2 * 8
    with pytest.raises(InputError):
        examiner.examine(b"0011-00_0\nxyz\n", with_behaviours=False)


def test_parts_of_hashes_are_refused():
    with pytest.raises(InputError, match=r"found \d+ bytes, expected 16 bytes for each number"):
        BehaviourSet().insert(b"\0" * 17)
