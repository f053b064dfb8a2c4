"""Test the models that ship beside the six: what they say, their names, and that corpora record their text."""

import json

import pytest
from hypothesis import given, settings

import own_models
import strategies
from quick import examples
from synth_checker.errors import InputError
from synth_checker.models import FURTHER, LIBRARY, further_model, models_named, named_beside_library, read_model
from synth_checker.models.further import further_abouts
from synth_checker.programs.normal import normal_form, written_out
from synth_checker.twin import semantics
from synth_checker.verdicts import judge
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus


@pytest.mark.parametrize("name", ["highest-first", "resident-1", "resident-99", "round-robin"])
def test_a_model_is_known_by_its_name_and_is_what_its_text_says(name):
    (model,) = models_named([name])
    assert model == further_model(name)
    again = read_model(model.text, "corpus")
    assert (again.name, again.definition, again.fair) == (name, model.definition, model.fair)
    assert name not in LIBRARY


@pytest.mark.parametrize("k", [1, 2, 3])
def test_resident_k_is_the_model_with_k_places(k):
    assert further_model(f"resident-{k}").automaton(4) == read_model(own_models.resident(k), "own").automaton(4)


def test_the_list_names_all_and_says_what_they_mean():
    assert tuple(further_abouts()) == FURTHER
    assert further_abouts()["resident-K"].startswith("At most K threads are resident.")
    assert further_model("resident-7").about.startswith("At most 7 threads are resident.")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("resident-0", "resident-K"), ("resident-100", "resident-K"), ("resident", "resident-K"), ("resident-K", None),
     ("roundrobin", "round-robin"), ("Highest-First", "highest-first")],
)  # fmt: skip
def test_a_word_that_names_none_is_refused_with_the_name_that_was_meant(word, meant):
    with pytest.raises(InputError) as raised:
        named_beside_library(word)
    assert f"found {word!r}" in str(raised.value)
    assert "round-robin" in str(raised.value)
    if meant:
        assert f"(did you mean {meant}?)" in str(raised.value)


def test_round_robin_promises_in_the_weak_form_just_what_fair_does():
    """As docs/understand/models.md proves; the strong forms differ."""
    ids = [
        json.loads(line)["id"]
        for bound in ("2x4", "3x4")
        for line in Corpus(locate_corpus(f"@complete/{bound}")).lines()
    ]
    robin, fair = judge(ids, models_named(["round-robin"])), judge(ids, models_named(["fair"]))
    assert [mask & 1 for mask in robin] == [mask & 1 for mask in fair]
    assert {mask & 1 for mask in fair} == {0, 1}
    assert any(mask & 2 for mask in (changes ^ other for changes, other in zip(robin, fair, strict=True)))


def after_a_step(program, state, waiting, thread):
    """The state after a step, and who has then not stepped in the round; when nobody is left, a new one begins."""
    state = semantics.step(program, state, thread)
    live = semantics.live(program, state)
    return state, (waiting - {thread}) & live or live


def ends_in_turns(program, state, waiting):
    seen = set()
    while waiting:
        if (state, waiting) in seen:
            return False
        seen.add((state, waiting))
        state, waiting = after_a_step(program, state, waiting, min(waiting))
    return True


@settings(max_examples=examples(60))
@given(strategies.waiting_programs(threads=(1, 3), instructions=(1, 5)).map(normal_form))
def test_round_robin_passes_in_the_strong_form_what_ends_in_turns_from_every_state(program):
    """As docs/understand/models.md says: whatever other schedules have done before."""
    todo = [(semantics.start(program), frozenset(range(len(program))))]
    seen = set(todo)
    for state, waiting in todo:  # grows while it is read
        for thread in semantics.live(program, state):
            after = after_a_step(program, state, waiting, thread)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    expected = all(ends_in_turns(program, *place) for place in seen)
    (mask,) = judge([written_out(program)], models_named(["round-robin"]))
    assert bool(mask & 2) == expected
