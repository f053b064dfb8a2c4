"""Test the JSON Schemas: they are made from the types, all written data fits them, and other data does not."""

import copy
import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import ValidationError

import corpora
import strategies
import written
from synth_checker.errors import InputError
from synth_checker.programs.normal import written_out
from synth_corpus.manifest import Manifest
from synth_corpus.record import RecordWriter, read_record
from synth_corpus.schema import FOLDER, schemas

any_program = strategies.programs(threads=(1, 4), instructions=(1, 12), locations=36, values=36)
RECORD = json.loads(RecordWriter(corpora.VERDICTS).line("01100002-00_0", 3))
MANIFEST = json.loads(
    dataclasses.replace(
        corpora.manifest(splits={"1+3": 0, "2+2": 1}, signatures={"fffffffffpp": 1}, tests=1), sha256="0a" * 32
    ).to_json()
)


def test_the_schemas_are_what_the_types_say():
    """If not: make schemas."""
    assert {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()} == schemas()


def test_a_manifest_has_its_fields_and_their_order():
    assert list(MANIFEST)[2:] == [field.name for field in dataclasses.fields(Manifest)]


@given(any_program, st.integers(0, (1 << 11) - 1))
def test_every_record_fits(program, passes):
    written.check_record(RecordWriter(corpora.VERDICTS).line(written_out(program), passes))


def test_further_keys_may_follow_in_a_record_but_not_in_a_manifest():
    written.validator("record").validate(RECORD | {"minimal": True})
    with pytest.raises(ValidationError):
        written.validator("manifest").validate(MANIFEST | {"minimal": True})


NOTHING = object()


def changed(whole, path, value):
    """A copy in which something else, or nothing, stands in one place."""
    whole = copy.deepcopy(whole)
    *above, last = path
    inside = whole
    for key in above:
        inside = inside[key]
    if value is NOTHING:
        del inside[last]
    else:
        inside[last] = value
    return whole


INSTRUCTION = RECORD["threads"][1][0]
BROKEN_RECORDS = [
    (["id"], NOTHING),
    (["id"], None),
    (["id"], ""),
    (["id"], "0110-"),
    (["id"], "011A"),
    (["id"], "01__"),
    (["threads"], NOTHING),
    (["threads"], []),
    (["threads"], {}),
    (["threads", 1], []),
    (["threads", 1], [INSTRUCTION] * 36),
    (["threads", 1, 0], "00_0"),
    (["threads", 1, 0, "loc"], NOTHING),
    (["threads", 1, 0, "loc"], None),
    (["threads", 1, 0, "loc"], "0"),
    (["threads", 1, 0, "loc"], True),
    (["threads", 1, 0, "loc"], 36),
    (["threads", 1, 0, "check"], -1),
    (["threads", 1, 0, "check"], 0.5),
    (["threads", 1, 0, "exch"], NOTHING),
    (["threads", 1, 0, "exch"], 36),
    (["threads", 1, 0, "exch"], False),
    (["threads", 1, 0, "target"], "END"),
    (["threads", 1, 0, "target"], 36),
    (["threads", 1, 0, "to"], 0),
    (["verdicts"], ["pass"]),
    (["verdicts", "fair.weak"], True),
    (["verdicts", "fair.weak"], "open"),
]
BROKEN_MANIFESTS = [
    *(([key], NOTHING) for key in MANIFEST),
    *((["question", key], NOTHING) for key in MANIFEST["question"]),
    (["format"], 2),
    (["format"], "1"),
    (["kind"], "litmus tests"),
    (["question"], "2x4"),
    (["question", "bounds"], []),
    (["question", "bounds"], "2x4"),
    (["question", "bounds"], ["2by4"]),
    (["question", "bounds"], ["0x4"]),
    (["question", "bounds"], ["2x4", "2x4"]),
    (["question", "locations"], 0),
    (["question", "locations"], 37),
    (["question", "values"], "2"),
    (["question", "values"], 2.5),
    (["question", "without"], ["executed"]),
    (["question", "without"], "all-branches"),
    (["question", "colour"], "red"),
    (["rules"], ["possible-non-termination"]),
    (["models"], ["HSA"]),
    (["models", "HSA"], None),
    (["verdicts"], ["HSA.weak", "HSA.weak"]),
    (["complete"], "yes"),
    (["complete"], 1),
    (["tests"], -1),
    (["tests"], True),
    (["splits", "1,3"], 0),
    (["splits", "0+4"], 0),
    (["splits", "1+3"], "0"),
    (["signatures", "pass"], 1),
    (["signatures", "fffffffffpp"], -1),
    (["sha256"], ""),
    (["sha256"], "0A" * 32),
    (["run"], None),
    (["time"], 0.1),
]


@pytest.mark.parametrize(
    ("name", "whole", "path", "value"),
    [
        *(("record", RECORD, path, value) for path, value in BROKEN_RECORDS),
        *(("manifest", MANIFEST, path, value) for path, value in BROKEN_MANIFESTS),
    ],
)
def test_what_fits_does_not_fit_any_more_when_one_thing_in_it_is_changed(name, whole, path, value):
    check = written.validator(name)
    check.validate(whole)
    with pytest.raises(ValidationError):
        check.validate(changed(whole, path, value))


@pytest.mark.parametrize(("path", "value"), [case for case in BROKEN_RECORDS if case[0] != ["id"]][1:])
def test_readers_refuse_what_does_not_fit_though_it_may_lack_what_can_be_computed(path, value):
    record = changed(RECORD, path, value)
    del record["id"]
    with pytest.raises(InputError):
        read_record(json.dumps(record), "r")


def test_a_corpus_that_does_not_fit_is_noticed_by_the_tests(tmp_path):
    """This is what guards all other tests that write one."""
    lines = corpora.some(3)
    with pytest.raises(ValidationError):
        corpora.write(tmp_path / "out", [line.replace('"pass"', '"maybe"') for line in lines])
    with pytest.raises(ValidationError):
        corpora.write(tmp_path / "out", lines, signatures={"x": 3})
    with pytest.raises(AssertionError):
        corpora.write(tmp_path / "out", [line.replace(",", ", ") for line in lines])
    assert not (tmp_path / "out").exists()
    corpora.write(tmp_path / "out", lines)
    assert written.check_corpus(tmp_path / "out") == 3
