"""Test `synth corpus`: exit codes, output for other programs, and folders that are no corpora or not writable."""

import errno
import json
import os

import pytest

import corpora
from quick import mostly_full
from synth_checker.question import Question, parse_bounds
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus
from synth_storage import folders

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
    """Corpora, of which verify has something to say: their programs are no tests. One of them is incomplete."""
    corpora.write(tmp_path / "small", SMALL)
    corpora.write(tmp_path / "part", SMALL, complete=False)
    corpora.write(tmp_path / "large", LARGE)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("diff", "small", "large"), 0),
        (("diff", "small", "large", "--exit-code"), 1),
        (("diff", "small", "small", "--exit-code"), 0),
        (("diff", "small", "large", "--exit-code", "--json"), 1),
        (("validate", "small"), 1),
        (("validate", "small", "--json"), 1),
        (("list", "small", "--pass", "unfair"), 0),
        (("merge", "part", "large", "--out", "new"), 0),
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
    ran = synth("corpus", "merge", "part", "large", "--out", "new")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err == f"synth: new: nothing can be created in {folder}; choose a place in which you may create a folder\n"
    )


def test_a_medium_that_turns_out_to_be_read_only_is_told_in_one_line(synth, folder, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(folders.os, "mkdir", refuse)
    ran = synth("corpus", "merge", "part", "large", "--out", "new")
    assert (ran.code, ran.err) == (2, "synth: new: Read-only file system, expected a place for a new folder\n")
    assert not (folder / "new").exists()


@pytest.mark.parametrize("name", ["with space", "größer", "🔒", "-dash", "a\nb"])
def test_any_name_will_do(synth, folder, name):
    ran = synth("corpus", "merge", "--out", f"./{name}", "part", "large")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) == 1
    assert list(Corpus(folder / name).lines()) == LARGE
    assert synth("corpus", "diff", "large", f"./{name}", "--exit-code").code == 0


def test_an_incomplete_corpus_is_said_to_be_so(synth, folder):
    assert folder.exists()
    assert "INCOMPLETE" in synth("corpus", "info", "part").out
    assert "INCOMPLETE" in synth("corpus", "diff", "part", "small").out
    assert synth("corpus", "merge", "part", "part", "--out", "new").out == "3 tests of 2x4, incomplete, in new\n"
    assert synth("corpus", "merge", "part", "small", "--out", "all").out == "3 tests of 2x4, complete, in all\n"
    assert synth("corpus", "list", "part").err == "synth: part is incomplete: its run was stopped\n"


STOPPED, IMPORTED = {"tool": "synth 1"}, {"tool": "synth 1", "imported": []}
WORDS = {"info": [], "list": [], "export": [], "sample": ["-n", "1"], "query": ["SELECT 1"]}


@pytest.mark.full
@mostly_full(
    ("runs", "because"),
    [
        ([STOPPED], "its run was stopped"),
        ([IMPORTED], "its tests were imported"),
        ([STOPPED, IMPORTED], "one of its runs was stopped and some of its tests were imported"),
        ([STOPPED, None], "one of its runs was stopped"),
        ([None, IMPORTED], "some of its tests were imported"),
    ],
    quick=2,
)
@pytest.mark.parametrize("command", WORDS)
def test_whoever_reads_an_incomplete_corpus_is_told_why_it_is_so(synth, folder, command, runs, because):
    for number, run in enumerate(runs):
        question = Question(parse_bounds([f"2x{4 + number}"]))
        corpora.write(folder / str(number), SMALL, complete=run is None, run=run or STOPPED, question=question)
    name = "0"
    if len(runs) > 1:
        name = "merged"
        assert synth("corpus", "merge", *map(str, range(len(runs))), "--out", name).code == 0
    ran = synth("corpus", command, name, *WORDS[command])
    assert ran.code == 0
    if command == "info":
        assert f", INCOMPLETE: {because}\n" in ran.out
    else:
        assert ran.err == f"synth: {name} is incomplete: {because}\n"
    assert synth("corpus", command, "small", *WORDS[command]).err == ""


def test_what_a_complete_corpus_makes_good_is_no_cause(synth, folder):
    other = Question(parse_bounds(["2x5"]))
    corpora.write(folder / "stopped", SMALL[:1], complete=False, run=STOPPED)
    corpora.write(folder / "imported", [], complete=False, run=IMPORTED, question=other)
    assert synth("corpus", "merge", "small", "stopped", "imported", "--out", "merged").code == 0
    assert ", INCOMPLETE: some of its tests were imported\n" in synth("corpus", "info", "merged").out


def test_verify_says_why_a_corpus_is_incomplete(synth, tmp_path):
    lines = list(Corpus(locate_corpus("@complete/2x2")).lines())
    question, splits = Question(parse_bounds(["2x2"])), {"1+1": 8}
    signatures = Corpus(locate_corpus("@complete/2x2")).manifest.signatures
    said = {"question": question, "splits": splits, "signatures": signatures, "complete": False, "run": IMPORTED}
    corpora.write(tmp_path / "part", lines, **said)
    assert synth("corpus", "validate", "part").out == (
        "part: no fault in 8 tests of 2x2, incomplete: its tests were imported\n"
        "not checked: complete, question.locations, question.values, question.minimal, question.up_to: "
        "the records do not tell whether tests are missing; synth certify can prove that none is\n"
        "not checked: run: the records do not tell how the corpus was made\n"
    )


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ("enumerate", "--bounds", "2x2", "--out"),
        ("corpus", "merge", "small", "large", "--out"),
        ("corpus", "export", "small", "--out"),
        ("corpus", "export", "small", "--format", "tree", "--out"),
        ("corpus", "import", "@complete/2x2/tests.jsonl", "--format", "jsonl", "--out"),
        ("emit", "--target", "cpp", "01100002-01100002", "--out"),
        ("certify", "small", "--out"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_nothing_is_written_to_the_name_of_a_corpus_that_ships(synth, folder, words, force):
    before = sorted(folder.iterdir())
    ran = synth(*words, "@complete/2x2", *force)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "synth: @complete/2x2: names that begin with @ belong to what ships with synth; "
        "give a path that begins otherwise\n"
    )
    assert sorted(folder.iterdir()) == before


def test_a_release_is_not_blamed_for_what_ships_with_it_as_unknown(synth, folder):
    corpora.write(folder / "new", [], question=Question(parse_bounds(["2x2"])), run={"tool": "synth 9"})
    out = synth("corpus", "diff", "@complete/2x2", "new").out
    assert "the release that ships it" in out
    assert "unknown" not in out


SQL = "SELECT true AS yes, NULL AS none, [true] AS many, 'x' AS word"


@mostly_full(
    ("form", "told"),
    [
        ("table", "yes   none  many    word\ntrue  NULL  [true]  x   \n"),
        ("csv", "yes,none,many,word\ntrue,,[true],x\n"),
        ("jsonl", '{"yes": true, "none": null, "many": [true], "word": "x"}\n'),
    ],
)
def test_answers_of_a_query_have_the_words_of_databases(synth, folder, form, told):
    assert folder.exists()
    assert synth("corpus", "query", "small", SQL, "--format", form).out == told


def test_columns_of_one_name_can_be_no_keys(synth, folder):
    assert folder.exists()
    sql = "SELECT 1 AS a, 2 AS b, 3 AS a"
    ran = synth("corpus", "query", "small", sql, "--format", "jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "synth: query: two columns are named 'a'; rename one of them (SELECT ... AS NAME)\n"
    assert synth("corpus", "query", "small", sql, "--format", "csv").out == "a,b,a\n1,2,3\n"
