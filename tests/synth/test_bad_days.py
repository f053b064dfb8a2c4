"""Test that a killed command leaves no process, and an intact corpus.

The corpus is the old one, a correct part, or the new one, and the next run ends with the right result.
"""

import contextlib
import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from processes import end_of, processes_of, running, wait_for
from quick import mostly_full
from synth_checker.question import Question, parse_bounds
from synth_corpus.store import MANIFEST, RECORDS, Corpus
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save

ASKED, TESTS = "2x3,3x3", 162 + 60
QUESTION = Question(parse_bounds([ASKED]))
#: Over the corpus of another question, so that writing is replacing.
WORDS = ["enumerate", "--bounds", ASKED, "--out", "it.corpus", "--jobs", "2", "--force", "--expect", str(TESTS)]


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old") / "it.corpus"
    save(enumerate_tests(Question(parse_bounds(["2x2"])), jobs=1), folder)
    return folder


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new") / "it.corpus"
    save(enumerate_tests(QUESTION, jobs=1), folder)
    return folder


def lay(corpus, folder):
    folder.mkdir()
    for name in (MANIFEST, RECORDS):
        (folder / name).write_bytes((corpus / name).read_bytes())


def but_run(corpus):
    return {key: value for key, value in json.loads((corpus / MANIFEST).read_text()).items() if key != "run"}


def is_same(folder, other):
    return but_run(folder) == but_run(other) and (folder / RECORDS).read_bytes() == (other / RECORDS).read_bytes()


def is_honest_part(folder, whole):
    """Incomplete and saying so, its records all of the whole and as many as it says."""
    corpus = Corpus(folder)
    lines = list(corpus.lines())
    return not corpus.manifest.complete and len(lines) == corpus.manifest.tests and {*lines} <= {*Corpus(whole).lines()}


@pytest.fixture(scope="module")
def usual(tmp_path_factory, old, new):
    """How long the command takes when nobody kills it, in seconds."""
    folder = tmp_path_factory.mktemp("usual")
    lay(old, folder / "it.corpus")
    start = time.monotonic()
    with running(WORDS, folder) as parent:
        assert end_of(parent) == 0
    taken = time.monotonic() - start
    assert is_same(folder / "it.corpus", new)
    return taken


def has_workers(parent, _folder):
    return bool(Path(f"/proc/{parent}/task/{parent}/children").read_text())


def is_writing(_parent, folder):
    return any(path.name.startswith(".") for path in folder.iterdir())


def wait_until(condition, parent, folder):
    """Look closely, for it may not last; a command that has ended meets no condition any more."""
    while parent in processes_of(parent) and not condition(parent, folder):
        time.sleep(0.0005)


#: When to kill: so many seconds, in parts of the usual time, after that has come true.
MOMENTS = ((lambda *_: True, 1.1), (has_workers, 0.2), (is_writing, 0.05))
VICTIMS = ("a worker", "the parent", "everything")
SEEDS = [0, 4, 8, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(50) if seed not in {0, 4, 8})]


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_killed_at_a_random_moment_leaves_no_process_and_a_whole_corpus(tmp_path, old, new, usual, seed):
    """A third of the moments lie anywhere, a third in the work, a third in the writing or just behind it."""
    rng = random.Random(seed)
    victim = VICTIMS[seed % 3]
    condition, parts = MOMENTS[seed // 3 % 3]
    folder = tmp_path / "it.corpus"
    lay(old, folder)
    with running(WORDS, tmp_path) as parent:
        wait_until(condition, parent, tmp_path)
        time.sleep(rng.uniform(0, parts * usual))
        alive = sorted(processes_of(parent))
        workers = [pid for pid in alive if pid != parent]
        hit = {"a worker": workers[:1], "the parent": [parent], "everything": alive}[victim]
        for pid in hit:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        code = end_of(parent)
        assert wait_for(lambda: not processes_of(parent))
    if victim == "a worker":
        assert code == 0  # it was given to another
    else:
        assert code in (0, -signal.SIGKILL)
    is_new = is_same(folder, new)
    assert is_new or code != 0
    assert is_new or is_same(folder, old) or is_honest_part(folder, new)
    with running(WORDS, tmp_path) as parent:
        assert end_of(parent) == 0
    assert is_same(folder, new)


MERGE = ["corpus", "merge", "2x3.corpus", "3x3.corpus", "--out", "it.corpus", "--force"]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A folder with the corpora that make the new one."""
    folder = tmp_path_factory.mktemp("parts")
    for bound in ("2x3", "3x3"):
        save(enumerate_tests(Question(parse_bounds([bound])), jobs=1), folder / f"{bound}.corpus")
    return folder


@mostly_full("seed", SEEDS)
def test_a_merge_killed_at_a_random_moment_leaves_the_old_corpus_or_the_whole_new_one(tmp_path, old, new, parts, seed):
    rng = random.Random(seed)
    folder = tmp_path / "it.corpus"
    lay(old, folder)
    for part in parts.iterdir():
        lay(part, tmp_path / part.name)
    with running(MERGE, tmp_path) as parent:
        if seed % 2:
            wait_until(is_writing, parent, tmp_path)
        time.sleep(rng.uniform(0, 0.02))
        with contextlib.suppress(ProcessLookupError):
            os.kill(parent, signal.SIGKILL)
        code = end_of(parent)
    assert code in (0, -signal.SIGKILL)
    assert is_same(folder, new) or (code and is_same(folder, old))
    with running(MERGE, tmp_path) as parent:
        assert end_of(parent) == 0
    assert is_same(folder, new)


def test_two_runs_of_the_same_question_into_one_folder_both_end_well(tmp_path, new):
    words = [word for word in WORDS if word != "--force"]
    with running(words, tmp_path) as first, running(words, tmp_path) as other:
        assert (end_of(first), end_of(other)) == (0, 0)
    assert is_same(tmp_path / "it.corpus", new)
    assert [path.name for path in tmp_path.iterdir()] == ["it.corpus"]


@pytest.mark.parametrize("name", ["it.corpus", "thesis.tex"])
def test_what_another_run_puts_there_meanwhile_is_not_replaced_and_nothing_found_is_lost(
    synth, tmp_path, monkeypatch, old, new, name
):
    def answered_meanwhile(*words, **options):
        if name == "it.corpus":
            lay(old, tmp_path / "it.corpus")
        else:
            (tmp_path / "it.corpus").mkdir()
            (tmp_path / "it.corpus" / name).write_text("years of work")
        return enumerate_tests(*words, **options)

    monkeypatch.setattr("synth_search.enumeration.every_test.enumerate_tests", answered_meanwhile)
    ran = synth(*(word for word in WORDS if word != "--force"))
    place = f"it.corpus-{QUESTION.name}"
    assert (ran.code, ran.err) == (0, f"synth: another run has meanwhile written it.corpus; this one wrote {place}\n")
    assert ran.out.endswith(f"{TESTS} tests in {place}\n")
    assert is_same(tmp_path / place, new)
    assert (tmp_path / "it.corpus" / name).exists() or is_same(tmp_path / "it.corpus", old)


def test_two_runs_of_different_questions_into_one_folder_leave_whole_answers(tmp_path, old, new):
    """The slower is refused, goes beside the faster, or, if both write in the same moment, replaces it whole."""
    words = [word for word in WORDS if word != "--force"]
    mine = ["enumerate", "--bounds", "2x2", "--out", "it.corpus", "--jobs", "2"]
    with running(words, tmp_path) as first, running(mine, tmp_path) as other:
        codes = end_of(first), end_of(other)
    places = list(tmp_path.iterdir())
    assert {*codes} <= {0, 2}
    assert 0 in codes
    assert {place.name for place in places} <= {"it.corpus", "it.corpus-2x2", f"it.corpus-{QUESTION.name}"}
    assert all(is_same(place, new) or is_same(place, old) for place in places)
    assert (tmp_path / "it.corpus").exists()


def test_of_two_emits_into_one_folder_one_wins_and_the_other_may_be_refused(tmp_path):
    def words(id_):
        return ["emit", id_, "--target", "cpp", "--out", "made"]

    with running(words("0011-00_0"), tmp_path) as first, running(words("00_0-0011"), tmp_path) as other:
        codes = {end_of(first): "0011-00_0", end_of(other): "00_0-0011"}
    assert sorted(codes) == [0, 2]
    assert [path.name for path in (tmp_path / "made").glob("*.cpp")] == [f"test-{codes[0]}.cpp"]
    assert [path.name for path in tmp_path.iterdir()] == ["made"]
