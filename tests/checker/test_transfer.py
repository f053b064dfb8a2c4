"""Test whether verdicts of one instance hold of launches: the condition against the core and the twin, for many models.

The brute force is a program of all instances, which the core judges, or the twin, from the definitions alone.
"""

import functools
import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from own_models import OWN, TEXT
from quick import examples, mostly_full
from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_checker.models import library, read_model, verdict_names
from synth_checker.models.expression import parse
from synth_checker.models.model import Model
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.relations import transfer
from synth_checker.relations.transfer import (
    all_instances,
    orders_of,
    part_of,
    parts_of,
    proven_transfer,
    servings,
    tried_transfer,
)
from synth_checker.twin import models as twin
from synth_checker.verdicts import judge
from synth_corpus.store import Corpus

MAPPINGS = ("plain", "round-robin", "chunked", "hybrid", "stride", "stride:1", "random", "random:1")
NAMES = verdict_names(library())


@functools.cache
def minimal(threads):
    """The ids of the minimal tests of two or three threads, up to four instructions: 220 and 157."""
    bounds = {2: ("2x2", "2x3", "2x4"), 3: ("3x3", "3x4")}[threads]
    return [record.id for bound in bounds for record in Corpus(f"@minimal/{bound}")]


def arranged(mapping, threads, instances):
    launch = LitmusLaunch(read_mapping(mapping), threads, 1 if mapping == "plain" else instances)
    return tuple(map(launch.place, range(launch.workgroups)))


def turned_round(threads, instances):
    """An arrangement with the threads of each instance from the last to the first."""
    return tuple((w // threads, threads - 1 - w % threads) for w in range(threads * instances))


@functools.cache
def in_order(threads, instances):
    """All arrangements of instances with their threads in order, up to the numbers of instances."""
    arrangements_found = set()
    for owners in set(itertools.permutations([instance for instance in range(instances) for _ in range(threads)])):
        counts = {instance: itertools.count() for instance in range(instances)}
        arrangements_found.add(part_of(tuple((owner, next(counts[owner])) for owner in owners), range(instances)))
    return sorted(arrangements_found)


def lost(ids, launch, models=None):
    """The verdicts that some program passes, and so many instances of it fail, in their order."""
    names = verdict_names(library() if models is None else models)
    alone = judge(ids, models)
    many = judge([written_out(all_instances(program_of_id(id_), launch)) for id_ in ids], models)
    masks = functools.reduce(int.__or__, (mask & ~other for mask, other in zip(alone, many, strict=True)), 0)
    return [name for place, name in enumerate(names) if masks >> place & 1]


def own(text, name="own"):
    return Model(name, text, parse(text))


def test_instances_become_one_program_with_locations_apart_and_threads_by_workgroup():
    program = all_instances(program_of_id("0010-000011_0"), ((0, 0), (1, 0), (1, 1), (0, 1)))
    assert written_out(program) == "0010-2010-200031_0-000011_0"
    assert orders_of(((0, 1), (1, 0), (0, 0), (1, 1))) == {(1, 0), (0, 1)}
    assert parts_of(((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)), 2) == [
        ((0, 0), (1, 0), (0, 1), (1, 1)),
        ((0, 0), (0, 1), (1, 0), (1, 1)),
    ]


@pytest.mark.full
@pytest.mark.parametrize("mapping", MAPPINGS)
@pytest.mark.parametrize("threads", [2, 3])
def test_under_every_mapping_two_instances_keep_all_verdicts_of_the_minimal_tests(mapping, threads):
    ids = minimal(threads)
    assert len(ids) == {2: 220, 3: 157}[threads]
    launch = arranged(mapping, threads, 2)
    assert lost(ids, launch) == []
    for model in library():
        assert proven_transfer(model, orders_of(launch)) is not None


@pytest.mark.full
@mostly_full("mapping", MAPPINGS[1:], quick=2)
def test_under_every_mapping_three_instances_keep_all_verdicts_of_the_minimal_tests_of_two_threads(mapping):
    assert lost(minimal(2), arranged(mapping, 2, 3)) == []


@mostly_full("threads", [2, 3])
def test_with_ids_reversed_hsa_and_lobe_lose_passes_and_obe_and_fair_none(threads):
    launch = turned_round(threads, 2)
    verdicts = lost(minimal(threads), launch)
    models = {name.partition(".")[0] for name in verdicts}
    assert models == {"HSA", "LOBE", "HSA+OBE"}
    assert {model.name for model in library() if proven_transfer(model, orders_of(launch)) is None} == models
    for model in library():
        for form, verdict in zip(model.forms, model.verdicts, strict=True):
            known = proven_transfer(model, orders_of(launch))
            answers = [known or tried_transfer(id_, model, form, [launch]) for id_ in minimal(threads)]
            assert all(answer.holds for answer in answers) == (verdict not in verdicts)


def test_which_instances_the_six_models_serve():
    def kinds(order):
        return {model.name: servings(model.fair, order)[:1] for model in library()}

    kept = {"unfair": ("every",), "OBE": ("every",), "fair": ("every",)}
    for threads in range(2, 6):
        assert kinds(tuple(range(threads))) == kept | {"HSA": ("lowest",), "LOBE": ("every",), "HSA+OBE": ("lowest",)}
    assert kinds((1, 0)) == kept | {"HSA": (), "LOBE": (), "HSA+OBE": ()}


def test_highest_first_serves_the_instance_of_the_highest_and_loses_nothing():
    model = read_model(OWN["highest first"][0], "highest first")
    assert servings(model.fair, (0, 1)) == ("lowest", "highest")
    assert servings(parse("live & (stepped | highest(live))"), (0, 1)) == ("highest",)
    assert all(lost(minimal(2)[:100], launch, (model,)) == [] for launch in in_order(2, 2))


@pytest.mark.parametrize("text", ["lowest(stepped)", "highest(stepped)", "lowest(all)"])
def test_a_model_that_loses_passes_in_launches_does_not_meet_the_condition(text):
    model = own(text)
    assert proven_transfer(model, [(0, 1)]) is None
    assert any(lost(minimal(2), launch, (model,)) for launch in in_order(2, 2))


def decided(model, id_, launch):
    """Whether each form of a model transfers, by the condition or by trying."""
    return [
        (proven_transfer(model, orders_of(launch)) or tried_transfer(id_, model, form, [launch])).holds
        for form in model.forms
    ]


def brute_force(model, id_, launch):
    """The same from the definitions alone: the twin judges one instance, and all of them as one program."""
    program = program_of_id(id_)
    alone = twin.passes(program, model.fair)
    many = twin.passes(all_instances(program, launch), model.fair)
    return [after or not before for before, after in zip(alone, many, strict=True)][: len(model.forms)]


@settings(max_examples=examples(10))
@given(strategies.model_expressions(), st.randoms(use_true_random=False))
def test_models_of_ones_own_are_decided_as_brute_force_decides_them(text, random):
    model = own(text)
    ids = random.sample(minimal(2), 20)
    for launch in in_order(2, 2):
        answers = [decided(model, id_, launch) for id_ in ids]
        losing = [name for place, name in enumerate(model.verdicts) if not all(answer[place] for answer in answers)]
        assert losing == lost(ids, launch, (model,))
    id_, launch = random.choice(minimal(2)[:60]), random.choice(in_order(2, 2))
    assert decided(model, id_, launch) == brute_force(model, id_, launch)


@pytest.mark.full
@settings(max_examples=examples(10))
@given(strategies.model_expressions())
def test_ten_models_of_ones_own_are_decided_as_brute_force_decides_them_on_all_tests_of_two_threads(text):
    """The core judges all tests, and the twin some that are small."""
    model = own(text)
    for launch in in_order(2, 2):
        losing = {id_ for id_ in minimal(2) if not all(decided(model, id_, launch))}
        assert losing == {id_ for id_ in minimal(2) if lost([id_], launch, (model,))}
        for id_ in minimal(2)[:20:4]:
            assert decided(model, id_, launch) == brute_force(model, id_, launch)


@settings(max_examples=examples(15))
@given(strategies.model_expressions(), st.permutations(range(2)))
def test_what_meets_the_condition_loses_nothing_on_two_instances(text, order):
    model, order = own(text), tuple(order)
    assume(proven_transfer(model, [order]))
    for launch in in_order(2, 2):
        renamed = tuple((instance, order[thread]) for instance, thread in launch)
        assert lost(minimal(2), renamed, (model,)) == []


@pytest.mark.full
@settings(max_examples=examples(50))
@given(strategies.model_expressions(), st.data())
def test_what_meets_the_condition_loses_nothing_on_three_instances_or_of_three_threads(text, data):
    model = own(text)
    assume(proven_transfer(model, [(0, 1)]) and proven_transfer(model, [(0, 1, 2)]))
    assert lost(minimal(2)[:60], data.draw(st.sampled_from(in_order(2, 3))), (model,)) == []
    assert lost(minimal(3), data.draw(st.sampled_from(in_order(3, 2))), (model,)) == []


def test_models_without_a_set_expression_are_tried_and_the_answer_names_the_launch():
    resident = read_model(TEXT.split("\n\n", maxsplit=1)[0], "resident")
    assert proven_transfer(resident, [(0, 1)]) is None
    launches = in_order(2, 2)
    answers = [tried_transfer(id_, resident, "strong", launches) for id_ in minimal(2)]
    losing = next(answer for answer in answers if not answer.holds)
    assert losing.is_proven
    assert losing.reason.endswith("2 instances of it fail it as the workgroups 0.0 0.1 1.0 1.1")
    keeping = next(answer for answer in answers if answer.holds)
    assert not keeping.is_proven
    assert keeping.reason.startswith("2 instances of ")


def test_what_cannot_be_judged_does_not_transfer(monkeypatch):
    monkeypatch.setattr(transfer, "_MOST_STATES", 3)
    servings.cache_clear()
    assert proven_transfer(library()[1], [(0, 1)]) is None
    servings.cache_clear()
    many = tuple((instance, thread) for instance in range(20) for thread in range(2))
    answer = tried_transfer("0011-00_0", library()[1], "weak", [many])
    assert not answer.holds
    assert "cannot be judged under HSA.weak" in answer.reason
    assert tried_transfer("00_0-0011", library()[1], "weak", [many]).reason == "00_0-0011 itself fails HSA.weak"
