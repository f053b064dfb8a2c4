"""`synth corpus`: exit codes, what is printed for programs, and places that can't be written or are no corpora."""

import errno
import json
import os

import pytest

import corpora
from synth_corpus import folders
from synth_corpus.store import Corpus

SMALL, LARGE = corpora.some(3), corpora.some(5)
READING = [
    ("info", "small"),
    ("list", "small"),
    ("sample", "small", "-n", "2"),
    ("diff", "small", "large"),
    ("verify", "small"),
    ("export", "small"),
]


@pytest.fixture
def folder(tmp_path):
    """Two corpora, of which verify has something to say: their programs are no tests."""
    corpora.write(tmp_path / "small", SMALL)
    corpora.write(tmp_path / "large", LARGE)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("diff", "small", "large"), 0),
        (("diff", "small", "large", "--exit-code"), 1),
        (("diff", "small", "small", "--exit-code"), 0),
        (("diff", "small", "large", "--exit-code", "--json"), 1),
        (("verify", "small"), 1),
        (("verify", "small", "--json"), 1),
        (("list", "small", "--pass", "unfair"), 0),
        (("merge", "small", "large", "--out", "new"), 0),
    ],
)
def test_the_exit_code_is_the_answer(synth, folder, words, code):
    ran = synth("corpus", *words)
    assert (ran.code, ran.err) == (code, "")
    assert folder.exists()


def test_diff_as_json_is_an_object_a_test_and_then_the_counts(synth, folder):
    *tests, last = map(json.loads, synth("corpus", "diff", "large", "small", "--json").out.splitlines())
    gone = sorted({*LARGE} - {*SMALL})
    assert [(test["id"], test["change"]) for test in tests] == [(json.loads(line)["id"], "removed") for line in gone]
    summary = last["summary"]
    assert summary["old"] == {"folder": "large", "question": "2x4", "tests": 5, "complete": True}
    assert summary["removed"]["tests"] == 2
    assert sum(summary["removed"]["signatures"].values()) == 2
    assert [summary[change]["tests"] for change in ("added", "verdicts", "metadata")] == [0, 0, 0]
    assert folder.exists()


@pytest.mark.parametrize("limit", [0, 1, 2, 10])
def test_diff_shows_as_many_programs_as_it_is_told_and_says_how_many_there_are(synth, folder, limit):
    shown = min(limit, 2)
    ran = synth("corpus", "diff", "large", "small", "--limit", limit)
    assert ran.out.count("THREAD 0") == shown
    assert ("--all shows them" in ran.out) == (shown < 2)
    assert synth("corpus", "diff", "large", "small", "--limit", limit, "--all").out.count("THREAD 0") == 2
    assert folder.exists()


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_reading_needs_no_right_to_write_and_leaves_nothing(synth, folder, words):
    for place in (folder / "small", folder / "large", folder):
        place.chmod(0o555)
    before = sorted(folder.rglob("*"))
    assert synth("corpus", *words).code in (0, 1)
    assert sorted(folder.rglob("*")) == before
    folder.chmod(0o755)


def test_a_place_that_is_read_only_is_told_in_one_line_and_before_the_work(synth, folder, monkeypatch):
    monkeypatch.setattr(folders.os, "access", lambda _path, mode: not mode & os.W_OK)
    ran = synth("corpus", "merge", "small", "large", "--out", "new")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"synth: new: found {folder}, in which nothing can be made, expected a place for a new folder\n"


def test_a_medium_that_turns_out_to_be_read_only_is_told_in_one_line(synth, folder, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(folders.os, "mkdir", refuse)
    ran = synth("corpus", "merge", "small", "large", "--out", "new")
    assert (ran.code, ran.err) == (2, "synth: new: Read-only file system, expected a place for a new folder\n")
    assert not (folder / "new").exists()


@pytest.mark.parametrize("name", ["with space", "größer", "🔒", "-dash", "a\nb"])
def test_any_name_will_do(synth, folder, name):
    ran = synth("corpus", "merge", "--out", f"./{name}", "small", "large")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) == 1
    assert list(Corpus(folder / name).lines()) == LARGE
    assert synth("corpus", "diff", "large", f"./{name}", "--exit-code").code == 0


def test_an_incomplete_corpus_is_said_to_be_so(synth, folder):
    corpora.write(folder / "part", SMALL, complete=False)
    assert "INCOMPLETE" in synth("corpus", "info", "part").out
    assert "INCOMPLETE" in synth("corpus", "diff", "part", "small").out
    assert synth("corpus", "merge", "part", "small", "--out", "new").out == "3 tests of 2x4, incomplete, in new\n"
    assert synth("corpus", "list", "part").err == "synth: part is incomplete: its run was stopped\n"
