"""Read what emitted programs print, and check each line against the type and against the JSON Schema.

`changed` gives lines that no program prints, because one value is another one.
"""

import functools
import itertools
import json

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from synth.schema import FOLDER
from synth_backends.result_line import read_line

#: Values that some library, database or file cannot hold.
RUDE = ("\ud800", "a\ud800\udc00b\udfff", "\0", "\x1b[2J", 2**53, 2**63, -(2**64), 10**30, 1e308, -1.5, True, None)


@st.composite
def changed(draw, line):
    """Draw a result line in which one value, or one key of an object, is another one."""
    holder, place = draw(st.sampled_from(list(_places(line))))
    new = draw(st.sampled_from(RUDE) | st.builds(list) | st.just({"\ud800": 1}) | st.text(st.characters()))
    made = json.loads(json.dumps(line))
    inside = made
    for key in holder:
        inside = inside[key]
    if isinstance(new, str) and isinstance(inside, dict) and draw(st.booleans()):
        inside[new] = inside.pop(place)
    else:
        inside[place] = new
    return made


def _places(value, holder=()):
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield holder, key
        if isinstance(inner, dict | list):
            yield from _places(inner, (*holder, key))


@functools.cache
def validator():
    return Draft202012Validator(json.loads((FOLDER / "result-line.schema.json").read_text("utf-8")))


def lines_in(text):
    """Return the result lines in a text, canaries included."""
    lines = [read_line(line, "a program") for line in text.splitlines()]
    for line in lines:
        validator().validate(line)
    return lines


def results_in(text):
    """Return the result lines of the tests in a text. A canary follows each test that hung, and has terminated."""
    lines = lines_in(text)
    follow = [before for before, line in itertools.pairwise(lines) if line.get("canary")]
    assert follow == [line for line in lines if line["result"] in {"hung", "lost"}]
    canaries = [line for line in lines if line.get("canary")]
    assert [line["result"] for line in canaries] == ["terminated"] * len(canaries)
    return [line for line in lines if not line.get("canary")]
