"""Read what emitted programs print, and check each line against the type and against the JSON Schema."""

import functools
import itertools
import json

from jsonschema import Draft202012Validator

from synth.views.schema import FOLDER
from synth_backends.result_line import read_line


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
