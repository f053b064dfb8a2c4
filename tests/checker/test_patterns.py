"""Test which verdicts explain which patterns of unfinished threads: the core against the twin, and cases by hand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

import strategies
from bounds import ids_of
from quick import examples
from synth_checker.errors import InputError
from synth_checker.models import library, models_named, verdict_names
from synth_checker.models.expression import parse
from synth_checker.models.model import Model
from synth_checker.patterns import all_explained, explained, refuted_verdicts, with_flags
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.transitions.components import strongly_connected_sets
from synth_checker.twin import patterns as twin
from synth_checker.twin.semantics import lts
from synth_checker.verdicts import judge
from synth_corpus.store import Corpus

NAMES = verdict_names(library())
MUTEX, WAITS = "01100002-01100002", "00_0-0011"


def by_twin(program, models):
    """What the twin says, in the form of `explained`."""
    by_pattern = {}
    for model in models:
        for live, forms in twin.explained(program, model.fair).items():
            names = {name for name, is_explained in zip(model.verdicts, forms, strict=False) if is_explained}
            pattern = sum(1 << thread for thread in live)
            by_pattern[pattern] = by_pattern.get(pattern, frozenset()) | names
    return by_pattern


def sample(step):
    return [id_ for bound in ("2x2", "2x3", "3x3") for id_ in ids_of(bound)][::step]


def test_a_spinner_beside_a_thread_that_never_starts_is_explained_by_all_but_fair():
    patterns = explained(WAITS)
    assert patterns[0b11] == set(NAMES) - {"fair.weak", "fair.strong"}
    # Thread 1 has stored and ended. Only OBE owes nothing to thread 0 if that never started.
    assert patterns[0b01] == {"unfair", "OBE.weak", "OBE.strong"}


def test_a_mutex_that_is_free_again_keeps_nobody_waiting():
    patterns = explained(MUTEX)
    assert patterns[0b01] == {"unfair", "OBE.weak", "OBE.strong"}
    assert patterns[0b10] == {"unfair", "OBE.weak", "OBE.strong", "LOBE.weak", "LOBE.strong"}
    assert {"HSA.weak", "HSA.strong"} < patterns[0b11]  # thread 1 holds the mutex, and need not run
    assert refuted_verdicts(MUTEX, [0b01]) == set(NAMES) - {"unfair", "OBE.weak", "OBE.strong"}


def test_a_flag_that_is_not_yet_set_is_no_evidence_against_hsa():
    """Thread 2 ends only after thread 1 does. HSA may leave both flags unset while thread 0 spins."""
    assert with_flags("00_0-0011") == "00_000_2-001100_2"
    assert written_out(twin.with_flags(program_of_id("00_0-0011"))) == "00_000_2-001100_2"
    late = [
        (id_, live)
        for id_ in sample(3)
        for live, names in explained(id_).items()
        if "HSA.weak" in names and "HSA.weak" not in without_flags(id_).get(live, names)
    ]
    assert late


def without_flags(id_):
    from synth_checker import _native
    from synth_checker.models.compiled import compile_model

    masks = _native.explained([id_], [compile_model(library()[1], id_.count("-") + 1)])[0]
    names = ((1, "HSA.weak"), (2, "HSA.strong"))
    return {live: {name for bit, name in names if mask & bit} for live, mask in masks.items()}


@pytest.mark.parametrize("id_", sample(60))
def test_the_core_explains_what_the_twin_explains(id_):
    assert explained(id_) == by_twin(program_of_id(id_), library())


@settings(max_examples=examples(15))
@given(strategies.waiting_programs(threads=(1, 3), instructions=(2, 4)), strategies.model_expressions())
def test_core_and_twin_agree_under_models_of_ones_own(program, text):
    models = (Model("own", text, parse(text)),)
    assert explained(written_out(program), models) == by_twin(program, models)


def going_round(program):
    """The patterns of which some threads can step for ever."""
    graph = lts(program)

    def staying(state):
        return [after for after in graph[state].values() if graph[after].keys() == graph[state].keys()]

    sets = strongly_connected_sets(list(graph), staying)
    cycles = (component for component in map(list, sets) if len(component) > 1 or component[0] in staying(component[0]))
    return {sum(1 << thread for thread in graph[component[0]]) for component in cycles}


def refuting(ids):
    """How many tests have a pattern that refutes a verdict which the test fails: in which threads go round, and any."""
    counts = [0, 0]
    for id_, mask, names_by_pattern in zip(ids, judge(ids), all_explained(ids), strict=True):
        fails = {name for place, name in enumerate(NAMES) if not mask >> place & 1}
        # A pattern whose threads have all taken their last steps is none of the program without flags.
        reached = {sum(1 << thread for thread in row) for row in lts(program_of_id(id_)).values()}
        patterns = {live for live, names in names_by_pattern.items() if live in reached and fails - names}
        counts[0] += bool(patterns & going_round(program_of_id(id_)))
        counts[1] += bool(patterns)
    return counts


def test_how_many_minimal_tests_have_a_pattern_that_refutes_a_verdict_which_they_fail():
    minimal = [[record.id for record in Corpus(f"@minimal/{bound}")] for bound in ("2x2", "2x3", "2x4", "3x3", "3x4")]
    assert sum(map(len, minimal)) == 377
    counts = [refuting(ids) for ids in minimal]
    assert [sum(column) for column in zip(*counts, strict=True)] == [123, 346]


@pytest.mark.full
def test_how_many_tests_have_a_pattern_that_refutes_a_verdict_which_they_fail():
    complete = [[record.id for record in Corpus(f"@complete/{bound}")] for bound in ("2x2", "2x3", "2x4", "3x3", "3x4")]
    assert sum(map(len, complete)) == 10_986
    counts = [refuting(ids) for ids in complete]
    assert [sum(column) for column in zip(*counts, strict=True)] == [2300, 10_177]


@pytest.mark.exhaustive
@pytest.mark.parametrize("bound", ["2x2", "2x3", "2x4", "3x3", "3x4"])
def test_the_core_explains_what_the_twin_explains_on_all_tests_of_the_complete_corpora(bound):
    ids = [record.id for record in Corpus(f"@complete/{bound}")]
    for id_, names_by_pattern in zip(ids, all_explained(ids), strict=True):
        assert names_by_pattern == by_twin(program_of_id(id_), library()), id_


def test_a_passed_verdict_of_hsa_or_fair_explains_no_pattern():
    """What a test passes it never fails, so only threads that are owed nothing can stay live."""
    ids = [id_ for id_ in sample(5) if id_.count("-") == 1]
    for mask, names_by_pattern in zip(judge(ids), all_explained(ids), strict=True):
        for place, name in enumerate(NAMES):
            if name.startswith(("HSA", "fair")) and mask >> place & 1:
                assert not any(name in names for names in names_by_pattern.values())


def test_a_hang_refutes_hsa_only_if_no_instance_is_explained():
    only_thread_0, both = 0b01, 0b11
    assert "HSA.weak" in refuted_verdicts(MUTEX, [only_thread_0])
    assert "HSA.weak" not in refuted_verdicts(MUTEX, [only_thread_0, both])
    assert {"LOBE.weak", "fair.weak"} <= refuted_verdicts(MUTEX, [only_thread_0, both])
    assert refuted_verdicts(MUTEX, []) == frozenset()


def test_what_speaks_against_a_verdict_speaks_against_each_that_is_at_least_as_fair():
    id_, only_thread_0, both = "0010-000001_0", 0b01, 0b11
    assert explained(id_)[only_thread_0] == {"unfair"}
    assert explained(id_)[both] >= {"HSA.weak", "HSA+OBE.weak"}
    names = refuted_verdicts(id_, [only_thread_0, both])
    assert "HSA.weak" not in names
    assert {"OBE.weak", "HSA+OBE.weak"} <= names


def test_a_pattern_that_no_execution_has_says_nothing_of_the_scheduler():
    assert 0b10 in explained(WAITS)  # thread 0 has seen the store, and the flag of thread 1 is not yet set
    assert 0b10 not in explained("00_0-00_00011")
    assert refuted_verdicts("00_0-00_00011", [0b10]) == frozenset()


def test_models_that_serve_no_instance_of_a_launch_are_never_refuted():
    models = models_named(["mine = lowest(stepped)", "resident-1"])
    assert refuted_verdicts(WAITS, [0b01], models) == frozenset()
    assert refuted_verdicts(WAITS, [0b01], models_named(["mine = live"])) == {"mine.weak", "mine.strong"}


def test_there_are_at_most_32_models_at_once():
    models = tuple(replace(library()[1], name=f"m{number}") for number in range(33))
    assert len(explained(WAITS, models[:32])[0b11]) == 64
    with pytest.raises(InputError, match="more than 32 automata"):
        explained(WAITS, models)
