"""Test the mutants of a model: each has one change, differs from the model, and differs from each other mutant."""

import itertools

import pytest
from hypothesis import given, settings

import strategies
from quick import examples
from synth_checker.models import Model, library, models_named
from synth_checker.models.expression import Function, Name, Operation, parse, written
from synth_checker.models.mutants import mutants
from synth_checker.relations.fairness_order import is_included

models = pytest.mark.parametrize("model", library(), ids=lambda model: model.name)


def words_of(expression):
    """An expression as nested tuples."""
    match expression:
        case Name(name):
            return (name,)
        case Function(function, of):
            return (function, words_of(of))
        case Operation(operator, left, right):
            return (operator, words_of(left), words_of(right))


def changes(first, other):
    """The least number of changes that make one tree of words the other, where they differ in one place at most."""
    if first == other:
        return 0
    below, above = (
        [part for part in first if isinstance(part, tuple)],
        [part for part in other if isinstance(part, tuple)],
    )
    if other in below or (len(first) == 1 and above == [first] and len(other) == 2):
        return 1
    if len(first) != len(other):
        return 2
    return (first[0] != other[0]) + sum(itertools.starmap(changes, zip(below, above, strict=True)))


@models
def test_a_mutant_has_one_change(model):
    for mutant in mutants(model, 3):
        assert changes(words_of(model.fair), words_of(mutant.fair)) == 1
        assert parse(mutant.name) == parse(mutant.definition) == mutant.fair


def same(first, other, threads):
    return is_included(first, other, threads) and is_included(other, first, threads)


@models
def test_mutants_differ_from_the_model_and_from_each_other(model):
    for first, other in itertools.combinations((model, *mutants(model, 3)), 2):
        assert not same(first, other, 3)


@settings(max_examples=examples(25))
@given(strategies.model_expressions())
def test_equivalent_mutants_are_kept_once(text):
    model = Model("m", text, parse(text))
    kept = mutants(model, 2)
    everything = mutants(model, 3)
    for mutant in everything:
        assert any(same(mutant, other, 2) for other in (model, *kept))


def test_the_mutants_of_two_models_worked_out_by_hand():
    fair, obe = models_named(["fair"])[0], models_named(["OBE"])[0]
    assert [mutant.name for mutant in mutants(fair, 3)] == ["none", "stepped", "lowest(live)", "highest(live)"]
    assert {mutant.name for mutant in mutants(obe, 3)} == {
        "live",
        "live & none",
        "live - stepped",
        "live & lowest(stepped)",
        "live & upto(stepped)",
        "lowest(live) & stepped",
        "live & highest(stepped)",
        "highest(live) & stepped",
    }


@given(strategies.model_expressions())
def test_what_is_written_is_read_back(text):
    expression = parse(text)
    assert parse(written(expression)) == expression


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("((live))", "live"),
        ("(live&stepped)|(all-none)", "live & stepped | all - none"),
        ("live-(all-none)", "live - (all - none)"),
        ("(live-all)-none", "live - all - none"),
        ("live&(all|none)", "live & (all | none)"),
        ("lowest((live))", "lowest(live)"),
    ],
)
def test_no_more_parentheses_are_written_than_are_needed(text, short):
    assert written(parse(text)) == short
