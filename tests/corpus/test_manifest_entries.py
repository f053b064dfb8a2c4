"""Test that `verify` finds any change of a manifest entry as a fault, or says that it does not check the entry."""

import copy
import json
from dataclasses import replace

import pytest

from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.programs.ids import Ids
from synth_checker.question import Question, parse_bounds
from synth_corpus.manifest_faults import unconfirmed_entries
from synth_corpus.store import MANIFEST, Corpus
from synth_corpus.verification import faults
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

SYMMETRIC = ("unfair", "OBE", "fair")
QUESTIONS = {
    "all": (["2x2"], {}),
    "own models": (["2x2"], {"models": ("HSA", "fair", "mine = live & stepped")}),
    "dropped rules": (["2x2"], {"without": ("effective-stores",), "values": 3}),
    "minimal": (["2x3"], {"minimal": True}),
    "behaviour": (["2x3"], {"up_to": ("behaviour",)}),
    "threads": (["2x2", "2x3"], {"up_to": ("threads",), "models": SYMMETRIC}),
    "minimal, threads": (["2x3"], {"minimal": True, "up_to": ("threads",), "models": SYMMETRIC}),
}
#: What an entry that is a word may be changed to, besides a word that nobody knows.
WORDS = ("2x2", "2x4", "1x1", "fair", "OBE", "mine = live", "executed", "all-branches", "behaviour", "threads")
DEFINITIONS = ("live", "none", "live & stepped", "lowest(live)")


def entries(value, path=()):
    """All entries of a JSON value, the containers and what they hold, as paths."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from entries(part, (*path, key))


def others(value):
    """What the value of an entry may be changed to."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, value * 2 + 3, 0, 1, bool(value), float(value), str(value)]
    if isinstance(value, str):
        return [*WORDS, *DEFINITIONS, f"{value}x", "", None]
    if isinstance(value, list):
        return [[*value, word] for word in (*WORDS, *value[:1])] + [value[::-1], [], None]
    return [value | {"x": 1}, value | {"2+2": 0}, value | {"HSA": "live"}, dict(reversed(value.items())), {}, None]


def changed(manifest, path, value):
    """A copy of a manifest in which the entry at a path has another value."""
    made = copy.deepcopy(manifest)
    *before, last = path
    inner = made
    for key in before:
        inner = inner[key]
    inner[last] = value
    return made


def without(manifest, path):
    """A copy of a manifest without the entry at a path."""
    made = changed(manifest, path, None)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return made


def is_listed(path, listed):
    name = ".".join(map(str, path))
    return any(f"{name}.".startswith(f"{entry}.") for entry in listed)


def is_refused(folder):
    try:
        return any(True for _ in faults(Corpus(folder)))
    except InputError:
        return True


def put(folder, name, *, complete):
    bounds, asked = QUESTIONS[name]
    found = enumerate_tests(Question(parse_bounds(bounds), **asked), jobs=1)
    if not complete:
        found = replace(found, complete=False, ids=Ids(list(found.ids)[::2]), found={})
    save(found, folder)
    return json.loads((folder / MANIFEST).read_text("utf-8"))


@mostly_full(
    ("name", "complete"),
    [
        pytest.param("all", True, marks=pytest.mark.full),
        pytest.param("dropped rules", True, marks=pytest.mark.full),
        ("own models", True),
        ("minimal", True),
        pytest.param("behaviour", True, marks=pytest.mark.full),
        ("threads", True),
        pytest.param("minimal, threads", True, marks=pytest.mark.full),
        ("all", False),
        pytest.param("minimal", False, marks=pytest.mark.full),
    ],
    quick=4,
)
def test_each_entry_of_a_manifest_is_checked_or_said_not_to_be(tmp_path, name, complete):
    manifest = put(tmp_path / "it", name, complete=complete)
    assert not is_refused(tmp_path / "it")
    listed = unconfirmed_entries(Corpus(tmp_path / "it").manifest)
    assert "run" in listed
    passed = set()
    for path in entries(manifest):
        if not path or is_listed(path, listed):
            continue
        value = manifest
        for key in path:
            value = value[key]
        made = [changed(manifest, path, other) for other in others(value) if json.dumps(other) != json.dumps(value)]
        for damaged in [*made, without(manifest, path)]:
            (tmp_path / "it" / MANIFEST).write_text(json.dumps(damaged), "utf-8")
            if not is_refused(tmp_path / "it"):
                # The change may itself say that this entry can't be checked.
                now = unconfirmed_entries(Corpus(tmp_path / "it").manifest)
                if not is_listed(path, now):
                    passed.add((".".join(map(str, path)), json.dumps(damaged.get(path[0]))))
    assert passed == set()


def test_what_is_said_not_to_be_checked_is_little():
    """A list of all entries would pass the test above, and say nothing."""
    every = Corpus("@complete/2x2").manifest
    assert set(unconfirmed_entries(every)) == {"complete", "question.locations", "question.values", "run"}
    minimal = Corpus("@minimal/2x2").manifest
    counts = {"found.tests", "found.behaviours", "found.signatures"}
    assert set(unconfirmed_entries(minimal)) == {*unconfirmed_entries(every), *counts, "question.up_to"}
