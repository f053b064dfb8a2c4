"""Test the JSON of answers, and that their JSON Schemas say the same of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal, NamedTuple

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth_corpus.schema import schema_of
from synth_storage.answer_json import HIDDEN, OPTIONAL, answer_from, json_of

if TYPE_CHECKING:
    from pathlib import Path


class Colour(Enum):
    RED = "red"


class Part(NamedTuple):
    """A part."""

    name: str
    ends: Literal["yes", "no"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole."""

    parts: Sequence[Part]
    by_name: Mapping[str, float]
    colour: Colour
    pair: tuple[int, int]
    some: tuple[str, ...]
    place: "Path | None" = field(default=None, metadata=HIDDEN)
    steps: list[int] | None = field(default=None, metadata=OPTIONAL)


wholes = st.builds(
    Whole,
    parts=st.lists(st.builds(Part, st.text(), st.sampled_from(["yes", "no", None])), max_size=2),
    by_name=st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False), max_size=2),
    colour=st.sampled_from(Colour),
    pair=st.tuples(st.integers(), st.integers()),
    some=st.lists(st.text(), max_size=2).map(tuple),
    place=st.none(),
    steps=st.none() | st.lists(st.integers(), max_size=2),
)


@given(wholes)
def test_an_answer_becomes_an_object_with_a_key_for_each_field(whole):
    expected = {
        "parts": [{"name": part.name, "ends": part.ends} for part in whole.parts],
        "by_name": whole.by_name,
        "colour": "red",
        "pair": list(whole.pair),
        "some": list(whole.some),
    }
    if whole.steps is not None:
        expected["steps"] = whole.steps
    assert json_of(whole) == expected
    assert list(json_of(whole)) == list(expected)


@pytest.mark.full
@given(wholes)
def test_the_schema_of_a_class_holds_for_its_json_and_for_no_other_object(whole):
    schema = schema_of(Whole)
    fields = json_of(whole)
    jsonschema.validate(fields, schema)
    for wrong in (
        fields | {"place": "here"},
        fields | {"steps": None},
        {key: value for key, value in fields.items() if key != "pair"},
        fields | {"colour": "blue"},
        fields | {"parts": [{"name": 1, "ends": None}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_what_has_no_json_is_refused():
    with pytest.raises(TypeError, match="object has no JSON"):
        json_of({"it": object()})


def test_an_answer_takes_the_attributes_of_its_sources_the_first_first():
    ends, both = Part("first", "no"), Part("second", "yes")
    assert answer_from(Part, SimpleNamespace(ends="no"), both) == Part("second", "no")
    assert answer_from(Part, ends, both, name="third") == Part("third", "no")
    with pytest.raises(AttributeError, match="ends"):
        answer_from(Part, SimpleNamespace(name="no ends"))
