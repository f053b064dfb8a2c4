"""Test the corpora that ship: they hold what an enumeration finds today, and every command knows their names."""

import json
from pathlib import Path

import pytest

import written
from quick import mostly_full
from synth_checker.errors import InputError
from synth_corpus.shipped import BOUNDS, DATA, NAMES, locate_corpus
from synth_corpus.store import MANIFEST, Corpus
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.shipped_corpora import write_shipped


def by_id(lines):
    return {json.loads(line)["id"]: line for line in lines}


LONG = {"@minimal/2x5", "@minimal/3x5"}  # a few seconds each; the exhaustive test below makes them anew


@mostly_full("name", [name for name in NAMES if name not in LONG], quick=5)
def test_an_enumeration_finds_what_ships(name):
    """Any change of meaning shows here as tests that are more, fewer or other than those of the last release."""
    shipped = Corpus(locate_corpus(name))
    found = enumerate_tests(shipped.manifest.question, jobs=1)
    before, now = by_id(shipped.lines()), by_id(found.lines())
    changes = {
        "added": sorted(now.keys() - before.keys()),
        "removed": sorted(before.keys() - now.keys()),
        "changed": sorted(id_ for id_ in now.keys() & before.keys() if now[id_] != before[id_]),
    }
    assert changes == {"added": [], "removed": [], "changed": []}
    same = ("question", "rules", "models", "verdicts", "complete", "tests", "found", "splits", "signatures")
    assert [getattr(found.manifest(), name) for name in same] == [getattr(shipped.manifest, name) for name in same]


@pytest.mark.exhaustive
def test_what_ships_is_what_is_made(tmp_path):
    """To the byte, but for compression, of which another release of zstd may make other bytes."""
    write_shipped(tmp_path)
    for name in NAMES:
        made, shipped = Corpus(tmp_path / name.removeprefix("@")), Corpus(locate_corpus(name))
        assert (made.folder / MANIFEST).read_bytes() == (shipped.folder / MANIFEST).read_bytes()
        assert list(made.lines()) == list(shipped.lines())
        written.check_corpus(shipped.folder)
    assert {f"@{path.parent.name}/{path.name}" for path in DATA.glob("*/*")} == set(NAMES)


def test_nothing_that_ships_says_where_or_when_it_was_made():
    for name in NAMES:
        kind, bound = name.removeprefix("@").split("/")
        manifest = Corpus(locate_corpus(name)).manifest
        flags = {"complete": "", "minimal": " --minimal"}[kind]
        assert manifest.run == {"command": f"synth enumerate --bounds {bound}{flags}"}
        assert manifest.complete


def test_they_hold_as_many_tests_as_the_paper_s_bounds_have():
    assert [Corpus(locate_corpus(name)).manifest.tests for name in NAMES[:2]] == [8, 162]


def test_every_signature_of_a_bound_occurs_among_the_minimal_tests_of_that_or_a_smaller_one():
    def signatures(name):
        return Corpus(locate_corpus(name)).manifest.signatures.keys()

    for bound in BOUNDS["complete"]:
        threads, instructions = map(int, bound.split("x"))
        smaller = [
            bound_of_name
            for bound_of_name in BOUNDS["minimal"]
            if int(bound_of_name[0]) <= threads and int(bound_of_name[2]) <= instructions
        ]
        assert signatures(f"@complete/{bound}") <= set().union(*(signatures(f"@minimal/{name}") for name in smaller))


def test_wherever_a_corpus_is_expected_a_name_will_do(synth):
    exported = synth("corpus", "export", "@complete/2x2")
    assert (exported.code, exported.out.count("\n")) == (0, 8)
    checked = synth("check", "@complete/2x2", "--json")
    assert (checked.code, checked.out.count("\n")) == (0, 8)
    assert synth("emit", "@complete/2x2", "--target", "cpp", "--out", "code").code == 0
    assert synth("certify", "@complete/2x2", "--out", "2x2.certificate").code == 0


@pytest.mark.parametrize("words", [("corpus", "export"), ("check",), ("show",)])
@pytest.mark.parametrize("name", ["@complete/9x9", "@minimal/9x9", "@", "@complete/../../shipped.py"])
def test_a_name_that_none_has_is_one_line_with_those_there_are(synth, words, name):
    ran = synth(*words, name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"synth: {name}: no corpus of this name ships with synth, expected one of {', '.join(NAMES)}\n"


def test_a_folder_of_such_a_name_is_meant_where_it_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert locate_corpus("@complete/2x2") == DATA / "complete" / "2x2"
    (tmp_path / "@complete" / "2x2").mkdir(parents=True)
    assert locate_corpus("@complete/2x2") == Path("@complete/2x2")
    with pytest.raises(InputError, match=r"there is no manifest.json"):
        Corpus(Path("@complete/2x2"))


def test_show_needs_no_corpus_for_an_id(synth, tmp_path):
    ran = synth("show", "01100002-01100002")
    assert (ran.code, ran.err) == (0, "")
    assert "A test." in ran.out
    assert list(tmp_path.iterdir()) == []
