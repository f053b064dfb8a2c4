"""Test the rules: the core decides as the twin does, which has a function for each sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import strategies
from quick import examples, mostly_full
from synth_checker import _native
from synth_checker.errors import InputError, LimitError
from synth_checker.programs.normal import written_out
from synth_checker.programs.rules import DROPPABLE, RULES, broken_rules, rule_mask, rule_names
from synth_checker.programs.text import read_program
from synth_checker.reductions.minimality import minimal
from synth_checker.reductions.shrink import shrink
from synth_checker.twin import normal as twin_normal
from synth_checker.twin import rules as twin
from synth_checker.twin.semantics import has_terminated, lts

limits = {"threads": (1, 4), "instructions": (1, 6), "locations": 3, "values": 3}


def test_the_rules_are_the_seven_of_the_definitions_and_the_last_four_can_be_dropped():
    assert set(RULES) == set(twin.HOLDS)
    assert RULES[3:] == DROPPABLE == ("inter-thread-influence", "all-branches", "effective-stores", RULES[-1])


@given(st.sets(st.sampled_from(RULES)))
def test_a_mask_and_the_names_of_its_rules_convert_both_ways(rules):
    assert set(rule_names(rule_mask(rules))) == rules
    assert list(rule_names(rule_mask(rules))) == sorted(rules, key=RULES.index)


@pytest.mark.parametrize(
    ("broken", "text"),
    [
        ("", "THREAD 0  0: if (Mem[0] == 0) goto 0;  THREAD 1  0: Mem[0] = 1;"),
        # Once thread 1 has written 1, thread 0 waits for ever.
        (
            "possible-termination",
            "THREAD 0  0: if (Mem[0] == 1) goto 0;  THREAD 1  0: if (Exch(Mem[0],1) == 0) goto 0;",
        ),
        (
            "non-termination-cycle",
            "THREAD 0  0: if (Exch(Mem[0],1) == 0) goto 0;  THREAD 1  0: if (Exch(Mem[0],1) == 0) goto 0;",
        ),
        # Nobody looks at location 1.
        (
            "inter-thread-influence",
            "THREAD 0  0: if (Mem[0] == 0) goto 0;  THREAD 1  0: Mem[0] = 1;  1: Mem[1] = 1;",
        ),
        # Only thread 1 writes 1, and it looks before.
        (
            "all-branches",
            "THREAD 0  0: if (Exch(Mem[0],0) == 0) goto 0;  THREAD 1  0: if (Exch(Mem[0],1) == 1) goto 0;",
        ),
        ("effective-stores", "THREAD 0  0: if (Mem[0] == 0) goto 0;  THREAD 1  0: Mem[0] = 1;  1: Mem[0] = 1;"),
        (
            "meaningful-comparisons",
            "THREAD 0  0: if (Mem[0] == 0) goto 0;  THREAD 1  0: if (Exch(Mem[0],1) == 1) goto END;",
        ),
    ],
)
def test_each_rule_can_be_broken_alone(broken, text):
    program = read_program(text)
    assert twin.broken_rules(program) == ({broken} - {""})
    assert broken_rules([written_out(program)]) == [rule_mask({broken} - {""})]


@mostly_full("size", [2, 3])
def test_executed_is_implied_unless_all_branches_or_effective_stores_is_dropped(size):
    for program in brute.space(2, size, 2, 2, keep_store_checks=True):
        broken = brute.broken_rules(program)
        assert "executed" not in broken or broken & {"all-branches", "effective-stores"}


@given(st.lists(strategies.programs(**limits) | strategies.waiting_programs(**limits), max_size=4))
def test_the_core_breaks_the_rules_that_the_twin_breaks(batch):
    expected = [rule_mask(twin.broken_rules(program)) for program in batch]
    assert broken_rules([written_out(program) for program in batch]) == expected


@pytest.mark.parametrize("size", [2, 3])
def test_the_core_and_the_twin_agree_on_every_program_of_two_threads(size):
    space = brute.space(2, size, 2, 2, keep_store_checks=True)
    expected = [rule_mask(brute.broken_rules(program)) for program in space]
    assert broken_rules([written_out(program) for program in space]) == expected


@pytest.mark.full
@settings(max_examples=examples(500))
@given(strategies.programs(**limits) | strategies.waiting_programs(**limits))
def test_the_core_breaks_the_rules_that_the_twin_breaks_for_many_programs(program):
    assert broken_rules([written_out(program)]) == [rule_mask(twin.broken_rules(program))]


@given(
    strategies.programs(threads=(1, 3), instructions=(1, 5), locations=2, values=2),
    strategies.location_names(),
    strategies.value_names(),
)
def test_what_locations_and_values_are_called_does_not_matter(program, locations, values):
    renamed = twin_normal.renamed(program, locations, values)
    assert broken_rules([written_out(renamed)]) == [rule_mask(twin.broken_rules(program))]


@settings(max_examples=examples(160))
@given(strategies.programs(threads=(1, 3), instructions=(1, 5), locations=2, values=3))
def test_the_core_reaches_the_states_that_the_twin_reaches(program):
    """A state is the mixed-radix number of its memory, location 0 lowest, and above that its pcs, thread 0 lowest."""
    graph = lts(program)
    stuck = [
        state
        for state in graph
        if not any(has_terminated(program, later) for later in {state} | twin.reachable_by_steps(graph, state))
    ]
    digits = [3] * 2 + [len(thread) + 1 for thread in program]

    def number(state):
        memory = (*state.memory, 0, 0)[:2]
        total = 0
        for digit, base in reversed(list(zip((*memory, *state.pcs), digits, strict=True))):
            total = total * base + digit
        return total

    reachable, hopeless = _native.reachable_states(written_out(program), 2, 3)
    assert sorted(reachable) == sorted(map(number, graph))
    assert sorted(hopeless) == sorted(map(number, stuck))


@pytest.mark.exhaustive
def test_a_program_with_too_many_states_is_a_limit_error():
    """Eight threads of twelve stores have 13 ** 8 places to be in."""
    stores = "".join(f"00{target}{target}" for target in "123456789abc")
    with pytest.raises(LimitError, match="states"):
        broken_rules(["-".join([stores] * 8)])


def test_a_batch_with_something_that_is_no_id_is_refused():
    with pytest.raises(InputError, match="id 'x'"):
        broken_rules(["0110", "x"])
    assert broken_rules([]) == []


@pytest.mark.parametrize(
    "decide",
    [rule_mask, lambda rules: minimal(["00_0-0011"], without=rules), lambda rules: shrink("00_0-0011", without=rules)],
    ids=["mask", "minimal", "shrink"],
)
def test_what_is_no_rule_is_refused(decide):
    with pytest.raises(InputError, match="rules: found 'foo', expected some of possible-termination, "):
        decide(["all-branches", "foo"])
