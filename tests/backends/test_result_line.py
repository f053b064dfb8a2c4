"""Test how result lines are read: what programs of this release and of earlier ones print, and what is no such line."""

import json

import pytest
from jsonschema import ValidationError

from result_lines import lines_in, validator
from synth_backends.result_line import ResultFields, read_line
from synth_checker.errors import InputError

#: A line with every key that a line may have, though none has all of them.
LINE: ResultFields = {
    "format": 2, "id": "00_0-1011", "name": "one", "target": "opencl", "mapping": "chunked", "threads": 2,
    "instances": 43, "stress": 1, "workgroups": 87, "iterations": 20, "timeout_s": 2, "synth": "0.1.0",
    "order": "seq_cst device", "expected": {"HSA.weak": "fail", "OBE.weak": "pass"}, "driver": "PoCL",
    "device": {"name": "a processor", "vendor_id": "0x10de"}, "process": 2, "result": "hung", "iteration": 7,
    "seconds": [0.5, 2], "quiet_s": 1.25, "started": {"11": 43}, "finished": {"01": 3, "11": 40},
}  # fmt: skip
LOST = {key: value for key, value in LINE.items() if key != "quiet_s"}
LOST |= {"result": "lost", "code": "CL_OUT_OF_RESOURCES", "reason": "end of the launch"}
NOT_RUN = {key: value for key, value in LOST.items() if key != "code"}
NOT_RUN |= {"result": "not run", "seconds": [], "started": {}, "finished": {}}
GOOD = [LINE, LINE | {"quiet_s": None, "started": {}, "finished": {}}, LINE | {"canary": True}, LOST, NOT_RUN]


def read(line):
    return read_line(json.dumps(line), "results.jsonl, line 3")


@pytest.mark.parametrize("line", GOOD)
def test_a_line_is_read_as_it_was_written(line):
    assert read(line) == line
    assert lines_in(json.dumps(line)) == [line]


#: What is wrong with a line, and what is said of it.
WRONG = [
    (LINE | {"result": "dead"}, "result: found 'dead', expected 'terminated' or 'hung' or 'left early'"),
    (LINE | {"iteration": -1}, "iteration: found -1, expected at least 0"),
    (LINE | {"iteration": True}, "iteration: found true, expected a whole number"),
    (LINE | {"seconds": [0.5, "2"]}, "seconds[1]: found '2', expected a number or null"),
    (LINE | {"seconds": [0.5, -2]}, "seconds[1]: found -2, expected at least 0"),
    (LINE | {"seconds": 2}, "seconds: found 2, expected a list"),
    (LINE | {"finished": {"0x": 43}}, "a key of finished: found '0x', expected a text like ^[01]{1,64}$"),
    (LINE | {"expected": {"OBE.weak": "perhaps"}}, "expected.OBE.weak: found 'perhaps', expected 'pass' or 'fail'"),
    (LINE | {"device": {"uid": "1"}}, "found the unknown key 'device.uid' (did you mean uuid?)"),
    (LINE | {"device": {"name": None}}, "device.name: found null, expected a text"),
    (LINE | {"device": []}, "device: found a list, expected an object"),
    (LINE | {"iteratoin": 1}, "found the unknown key 'iteratoin' (did you mean iteration?)"),
    (LINE | {"canary": False}, "canary: found false, expected true"),
    ({key: value for key, value in LINE.items() if key != "order"}, "the key 'order' is missing"),
    ([LINE], "found a list, expected an object"),
    ("hung", "found 'hung', expected an object"),
]
#: What no schema can see.
CONTRADICTIONS = [
    (LINE | {"result": "terminated"}, "found the key 'quiet_s', which no line with the result 'terminated' has"),
    (LOST | {"result": "hung"}, "the key 'quiet_s' is missing, which each line with the result 'hung' has"),
    (LOST | {"result": "failed"}, "found the key 'code', which no line with the result 'failed' has"),
    (NOT_RUN | {"seconds": [1]}, "the result is 'not run', but the line has the seconds of 1 launches"),
    (LINE | {"seconds": []}, "the result is 'hung', but the line has the seconds of 0 launches"),
    (LINE | {"iteration": 1}, "the last launch is number 1, but the line has the seconds of 2 launches"),
    (LINE | {"started": {"11": 42}}, "started: found 42 instances, expected 43"),
    (LINE | {"finished": {"111": 43}}, "finished: found threads 111, expected a digit for each of 2 threads"),
]


@pytest.mark.parametrize(("line", "message"), WRONG + CONTRADICTIONS)
def test_what_is_wrong_with_a_line_is_said_in_one(line, message):
    with pytest.raises(InputError) as error:
        read(line)
    assert str(error.value).startswith(f"results.jsonl, line 3: {message}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("line", [line for line, _ in WRONG])
def test_the_schema_refuses_the_same(line):
    with pytest.raises(ValidationError):
        validator().validate(line)


def test_each_key_that_is_changed_is_seen_by_both():
    for key in LINE:
        for wrong in (LINE | {key: {"wrong": [1]}}, {other: value for other, value in LINE.items() if other != key}):
            with pytest.raises(InputError, match=key if key != "format" else "expected|missing|unknown"):
                read(wrong)
            if key != "quiet_s" or key in wrong:  # which key needs which result, no schema says
                with pytest.raises(ValidationError):
                    validator().validate(wrong)


@pytest.mark.parametrize("text", ["", "{", '{"format":2,"format":2}', "[" * 100_000, '{"format":NaN}'])
def test_what_is_no_json_is_said_in_one_line(text):
    with pytest.raises(InputError, match=r"\Aa file: found '.*', expected a result line, which is a JSON object: .*\Z"):
        read_line(text, "a file")


def test_a_line_of_a_later_release_is_refused():
    with pytest.raises(InputError, match="found format 3, expected at most 2: a later release of synth wrote it"):
        read(LINE | {"format": 3})
