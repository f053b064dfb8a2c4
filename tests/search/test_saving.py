"""Test where an enumeration is saved: the contents of the folder decide, and nothing valuable is lost."""

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest
import zstandard

import brute
import corpora
from synth_checker.errors import InputError
from synth_checker.programs.ids import Ids
from synth_checker.question import Question, parse_bounds
from synth_corpus.store import MANIFEST, RECORDS, Corpus
from synth_search.enumeration.runs import Enumeration
from synth_search.enumeration.saved import corpus_at, ids_found_before, save
from synth_storage import folders
from synth_workers.stop import Reason

QUESTION = Question(parse_bounds(["2x2"]))
IDS = brute.ids(2, 2)


def enumeration(*, question=QUESTION, ids=IDS, complete=True):
    return Enumeration(
        question=question,
        ids=Ids(ids),
        complete=complete,
        stopped=None if complete else Reason.INTERRUPT,
        seconds=0.5,
        engine="sat",
        solver="cadical195",
        jobs=1,
    )


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "2x2.corpus"


def state_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def changed(folder, **changes):
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes))


# Before the work


def test_where_nothing_is_a_corpus_can_go_and_nothing_is_made_yet(folder):
    assert corpus_at(folder / "below", QUESTION) is None
    assert not folder.exists()
    folder.mkdir()
    assert corpus_at(folder, QUESTION) is None


@pytest.mark.parametrize("complete", [False, True])
def test_a_corpus_of_the_same_question_is_found_whole_or_not(folder, complete):
    written = save(enumeration(complete=complete), folder)
    there = corpus_at(folder, Question(parse_bounds(["2x2,2x2"]), values=2))
    assert there.manifest == written
    assert there.manifest.complete == complete
    assert ids_found_before(there) == IDS


@pytest.mark.parametrize(
    "other",
    [
        Question(parse_bounds(["2x3"])),
        Question(parse_bounds(["2x2..2x3"])),
        Question(parse_bounds(["2x2"]), locations=1),
        Question(parse_bounds(["2x2"]), values=3),
        Question(parse_bounds(["2x2"]), without=("all-branches",)),
    ],
    ids=lambda question: question.name,
)
@pytest.mark.parametrize("complete", [False, True])
def test_a_corpus_of_another_question_is_in_the_way_unless_it_is_to_be_replaced(folder, other, complete):
    save(enumeration(question=other, complete=complete), folder)
    with pytest.raises(InputError) as raised:
        corpus_at(folder, QUESTION)
    assert str(raised.value) == (
        f"{folder}: found a corpus with other bounds or options ({other.name}), expected 2x2; "
        "use another folder, or --force to replace it"
    )
    assert corpus_at(folder, QUESTION, force=True) is None


def test_a_corpus_with_verdicts_of_other_models_answers_another_question(folder):
    """As one of a release that had a model less, or meant another one by its name."""
    for models in ({"fair": "live"}, corpora.manifest().models | {"OBE": "stepped"}):
        corpora.write(folder, [], question=QUESTION, models=models, force=True)
        with pytest.raises(InputError, match=r"found a corpus with verdicts of other models \(.*fair\), expected "):
            corpus_at(folder, QUESTION)
        assert corpus_at(folder, QUESTION, force=True) is None


def a_file(folder):
    folder.touch()


def files_of_others(folder):
    folder.mkdir()
    (folder / "thesis.tex").touch()


def the_manifest_of_something_else(folder):
    folder.mkdir()
    (folder / MANIFEST).write_text('{"name": "A web page"}')


def an_incomplete_corpus_with_notes(folder):
    save(enumeration(complete=False), folder)
    (folder / "notes.txt").touch()


@pytest.mark.parametrize(
    "make", [a_file, files_of_others, the_manifest_of_something_else, an_incomplete_corpus_with_notes]
)
@pytest.mark.parametrize("force", [False, True])
def test_what_could_not_be_replaced_after_the_work_is_refused_before_it(folder, make, force):
    make(folder)
    with pytest.raises(InputError) as raised:
        corpus_at(folder, QUESTION, force=force)
    assert str(raised.value).startswith(str(folder))


def test_the_current_folder_is_refused_before_the_work(folder, monkeypatch):
    folder.mkdir()
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="this folder is or contains the current folder"):
        corpus_at(Path(), QUESTION)


@pytest.mark.parametrize("there", [False, True])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(folder, monkeypatch, there):
    if there:
        save(enumeration(complete=False), folder)
    monkeypatch.setattr(folders.os, "access", lambda *_: False)
    with pytest.raises(InputError, match="nothing can be created in"):
        corpus_at(folder, QUESTION)


def test_a_complete_corpus_is_found_even_where_nothing_can_be_written_and_with_notes_in_it(folder, monkeypatch):
    save(enumeration(), folder)
    (folder / "notes.txt").touch()
    monkeypatch.setattr(folders.os, "access", lambda *_: False)
    assert corpus_at(folder, QUESTION).manifest.tests == len(IDS)


def test_a_corpus_of_a_later_release_is_in_the_way_unless_it_is_to_be_replaced(folder):
    save(enumeration(), folder)
    changed(folder, format=99)
    with pytest.raises(InputError, match="found format 99 of"):
        corpus_at(folder, QUESTION)
    assert corpus_at(folder, QUESTION, force=True) is None


def test_ids_are_not_taken_from_damaged_records(folder):
    corpora.write(folder, corpora.some(1), complete=False)
    (folder / RECORDS).write_bytes(zstandard.compress(b"{}\n"))
    changed(folder, sha256=hashlib.sha256(b"{}\n").hexdigest())
    with pytest.raises(InputError, match=f"{RECORDS}:1: found '{{}}', expected a record"):
        ids_found_before(Corpus(folder))
    (folder / RECORDS).write_bytes(b"")
    with pytest.raises(InputError, match="found 0 records, expected 1"):
        ids_found_before(Corpus(folder))


# After it


def test_a_saved_enumeration_is_read_back(folder):
    found = enumeration()
    manifest = save(found, folder)
    corpus = Corpus(folder)
    assert list(corpus.lines()) == list(found.lines())
    assert corpus.manifest == manifest
    assert (manifest.tests, manifest.splits) == (8, {"1+1": 8})
    # What is under `run` says when it was asked for.
    assert manifest == dataclasses.replace(found.manifest(), sha256=manifest.sha256, run=manifest.run)


def test_the_rest_of_the_work_replaces_what_a_stopped_run_has_left(folder):
    save(enumeration(ids=IDS[:3], complete=False), folder)
    save(enumeration(ids=IDS[:5], complete=False), folder)
    assert ids_found_before(Corpus(folder)) == IDS[:5]
    save(enumeration(), folder)
    assert Corpus(folder).manifest.complete
    assert ids_found_before(Corpus(folder)) == IDS


def test_a_stopped_run_does_not_replace_the_complete_answer_of_a_faster_one(folder):
    complete = save(enumeration(), folder)
    before = state_of(folder)
    assert save(enumeration(ids=IDS[:3], complete=False), folder) == complete
    assert state_of(folder) == before


def test_two_stopped_runs_keep_what_either_has_found(folder):
    save(enumeration(ids=IDS[:5], complete=False), folder)
    manifest = save(enumeration(ids=IDS[3:6], complete=False), folder)
    assert (manifest.tests, manifest.complete) == (6, False)
    assert ids_found_before(Corpus(folder)) == IDS[:6]


@pytest.mark.parametrize(
    "changes",
    [{"question": corpora.QUESTION}, {"models": {"fair": "live"}}, {}],
    ids=["another question", "other models", "another format"],
)
def test_a_stopped_run_told_to_replace_something_else_keeps_what_it_found(folder, changes):
    corpora.write(folder, [], **{"question": QUESTION} | changes)
    if not changes:
        changed(folder, format=99)
    save(enumeration(ids=IDS[:3], complete=False), folder)
    assert ids_found_before(Corpus(folder)) == IDS[:3]


@pytest.mark.parametrize(
    ("found", "asked", "told"),
    [
        ("0010-0010", {}, "0010-0010, which breaks"),
        ("0000-00100010", {}, "programs of other bounds"),
        ("0000-0010", {"minimal": True}, "a test that is not minimal"),
    ],
)
def test_what_an_earlier_run_can_t_have_found_is_refused_before_the_run(synth, tmp_path, found, asked, told):
    question = dataclasses.replace(QUESTION, **asked)
    place = tmp_path / "it.corpus"
    save(enumeration(question=question, ids=[found], complete=False), place)
    words = ["enumerate", "--bounds", "2x2", "--out", "it.corpus", *(["--minimal"] if asked else [])]
    ran = synth(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"synth: it.corpus/{RECORDS}: found {told}")
    assert ran.err.endswith(f", expected tests of {question.name}; give --force to replace the corpus\n")
    assert synth(*words, "--force").code == 0


def test_of_how_many_is_said_only_of_what_one_run_has_counted(folder):
    question = dataclasses.replace(QUESTION, up_to=("behaviour",))
    found = {"tests": 5}
    save(dataclasses.replace(enumeration(question=question, ids=IDS[:5], complete=False), found=found), folder)
    assert Corpus(folder).manifest.found == found
    other = dataclasses.replace(enumeration(question=question, ids=IDS[:1], complete=False), found={"tests": 1})
    manifest = save(other, folder)
    assert (manifest.tests, manifest.found) == (5, {})
