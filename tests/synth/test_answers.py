"""Test the JSON of commands: it fits the schemas, which are made from the types, and broken JSON does not."""

import copy
import functools
import json

import pytest
from jsonschema import Draft202012Validator, ValidationError

from answer_calls import CALLS
from quick import mostly_full
from synth.schema import FOLDER, LINES, schemas
from synth_jobs.presence import SAMPLING, Presence
from synth_workers.stop import Stop


@functools.cache
def validator(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_the_schemas_are_what_the_types_say():
    """If not: make schemas."""
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == schemas()


def test_each_schema_is_tried():
    """`tests/backends` tries those of lines that emitted programs print."""
    tried = {name for name, _ in CALLS} | LINES.keys()
    assert {f"{name}.schema.json" for name in tried} == schemas().keys()


def test_what_is_said_of_a_question_that_is_sampled_fits(called, tmp_path):
    (tmp_path / "it.job").mkdir()
    with Stop() as stop, Presence(tmp_path / "it.job", stop, "2x2", SAMPLING, 1):
        (answer,) = called(["job", "status", str(tmp_path / "it.job"), "--json"])
    check = validator("job-status")
    check.validate(answer)
    assert answer["state"] == "sampling"
    for wrong in broken(answer, check.schema):
        with pytest.raises(ValidationError):
            check.validate(wrong)


@pytest.mark.full
@mostly_full(("name", "words"), CALLS, ids=[" ".join(words) for _, words in CALLS], quick=CALLS[::8])
def test_what_is_said_fits_and_does_not_when_one_thing_in_it_is_changed(called, name, words):
    check = validator(name)
    answers = called(words)
    assert answers
    for answer in answers:
        check.validate(answer)
        for wrong in broken(answer, check.schema):
            with pytest.raises(ValidationError):
                check.validate(wrong)


def broken(answer, schema):
    """Copies of an answer, each with one thing in it that no schema allows."""
    yield [answer, answer]
    if isinstance(answer, dict):
        yield answer | {"further": 1}
        options = [each for each in schema.get("anyOf", [schema]) if Draft202012Validator(each).is_valid(answer)]
        for key in options[0]["required"]:
            yield {other: value for other, value in answer.items() if other != key}
    for *above, last in leaves(answer):
        changed = copy.deepcopy(answer)
        inside = functools.reduce(lambda found, key: found[key], above, changed)
        inside[last] = {"wrong": inside[last]}
        yield changed


def leaves(value, path=()):
    """The ways to what is in a JSON value and holds nothing."""
    if isinstance(value, dict | list) and value:
        for key, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inside, (*path, key))
    else:
        yield path


def test_check_tells_what_may_be_too_large_before_it_is_explored(synth, monkeypatch):
    from synth_litmus.facts import check as checking

    monkeypatch.setattr(checking, "MAX_STATES", 5)
    monkeypatch.setattr(checking, "check_states", lambda _program, _most: None)
    ran = synth("check", "01100002-01100002")
    assert ran.err.startswith("synth: 01100002-01100002 may reach more than 5 states, which would be too many to check")
    assert "A test." in ran.out


def test_what_surely_has_too_many_states_to_be_certified_is_refused_before_anything_is_printed(synth, monkeypatch):
    from synth_checker.certificates import product

    monkeypatch.setattr(product, "MAX_STATES", 5)
    assert synth("check", "01100002-01100002").code == 0
    ran = synth("check", "01100002-01100002", "--certify")
    assert (ran.code, ran.out) == (2, "")
    assert "this program has more than 5 states" in ran.err
