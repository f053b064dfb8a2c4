"""Check written files against the JSON Schemas that ship."""

import contextlib
import functools
import json

import zstandard
from jsonschema import Draft202012Validator

from synth_corpus import store
from synth_corpus.schema import FOLDER
from synth_storage import strict_json


@functools.cache
def validator(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@functools.lru_cache(maxsize=100_000)
def check_record(line):
    """Check the order of the keys of a record and that its line is compact, which a schema can't say."""
    found = json.loads(line)
    validator("record").validate(found)
    assert list(found)[:3] == ["id", "threads", "verdicts"]
    assert line == strict_json.dumps(found) + "\n"


def check_manifest(text):
    found = json.loads(text)
    validator("manifest").validate(found)
    assert list(found) == validator("manifest").schema["required"]


def check_corpus(folder):
    """Check a corpus, and return the number of its records."""
    check_manifest((folder / store.MANIFEST).read_text("utf-8"))
    records = zstandard.ZstdDecompressor().stream_reader((folder / store.RECORDS).read_bytes()).read().decode("utf-8")
    lines = records.splitlines(keepends=True)
    for line in lines:
        check_record(line)
    return len(lines)


@contextlib.contextmanager
def checked():
    """Check each corpus that is written while this context lasts."""
    put_folder = store.put_folder

    def put_checked(folder, fill, kind, *, force):
        def fill_and_check(new):
            fill(new)
            check_corpus(new)

        put_folder(folder, fill_and_check, kind, force=force)

    store.put_folder = put_checked
    try:
        yield
    finally:
        store.put_folder = put_folder
