"""Test `synth enumerate`: what it prints, where that goes, and how it ends when it is stopped or killed."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from golden import check_file
from processes import PATIENCE_S, in_session, processes_of, wait_for
from quick import mostly_full
from synth.cli import enumerate_
from synth_checker.programs.ids import Ids
from synth_checker.programs.rules import broken_rules
from synth_checker.question import Question, parse_bounds
from synth_corpus.store import MANIFEST, RECORDS, Corpus
from synth_search.engines.sat import SatEngine
from synth_search.enumeration.every_test import enumerate_tests
from synth_search.enumeration.saved import save
from synth_workers.stop import Reason, Stop

GOLDEN = Path(__file__).parent / "golden"
SYNTH = Path(sys.executable).with_name("synth")
#: Far more than any test waits for.
LARGE = ("enumerate", "--bounds", "2x6", "--jobs", "3")


def question(bounds):
    return Question(parse_bounds([bounds]))


def timeless(text):
    """A summary without its time and rate."""
    return re.sub(r"[0-9.]+ s, [0-9,]+ tests/s", "SECONDS s, RATE tests/s", text)


def but_run(manifest):
    """A manifest as JSON without what varies from run to run."""
    return {key: value for key, value in json.loads(manifest).items() if key != "run"}


#: Found in no time, and printed they are much more than fits into a pipe.
MANY = ("--bounds", "2x3", "--without", "all-branches,inter-thread-influence")
PIPE = 1 << 16
#: Two units of work, and enough tests to be stopped between them.
MIDDLE = "2x3,3x3"
TESTS = 162 + 60


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The corpus of the middle question as one run makes it."""
    folder = tmp_path_factory.mktemp("uninterrupted") / "it.corpus"
    assert save(enumerate_tests(question(MIDDLE), jobs=1), folder).tests == TESTS
    return folder


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A corpus that is much larger than a pipe, made by the command."""
    folder = tmp_path_factory.mktemp("large") / "large.corpus"
    subprocess.run([SYNTH, "enumerate", *MANY, "--out", folder], check=True, capture_output=True)
    assert sum(map(len, Corpus(folder).lines())) > 4 * PIPE
    return folder


def assert_same(folder, other):
    assert (folder / RECORDS).read_bytes() == (other / RECORDS).read_bytes()
    assert but_run((folder / MANIFEST).read_text()) == but_run((other / MANIFEST).read_text())


# --- what it prints, and where it goes ---


@mostly_full("words", [(), ("--count-only",)], ids=["saved", "counted"])
def test_the_summary_is_as_in_the_golden_file(synth, words):
    ran = synth("enumerate", "--bounds", "2x2", *words)
    assert (ran.code, ran.err) == (0, "")
    check_file(GOLDEN / f"enumerate{''.join(words)}.txt", timeless(ran.out))


def test_the_summary_of_several_bounds_is_as_in_the_golden_file(synth):
    ran = synth("enumerate", "--bounds", "2x2..3x3", "--out", "a.corpus")
    check_file(GOLDEN / "enumerate-several.txt", timeless(ran.out))


def test_records_are_streamed_and_the_summary_goes_to_standard_error(synth, tmp_path):
    ran = synth("enumerate", "--bounds", "2x2", "--out", "-")
    assert ran.code == 0
    assert ran.out == "".join(enumerate_tests(question("2x2"), jobs=1).lines())
    check_file(GOLDEN / "enumerate.txt", timeless(ran.err) + "8 tests in 2x2.corpus\n")
    assert list(tmp_path.iterdir()) == []


def test_the_corpus_is_named_after_the_question(synth, tmp_path):
    synth("enumerate", "--bounds", "2x2", "--without", "effective-stores", "--values", "3")
    assert [path.name for path in tmp_path.iterdir()] == ["2x2-values-3-without-effective-stores.corpus"]


def test_rules_may_be_repeated_or_take_commas(synth, tmp_path):
    rules = ("effective-stores", "all-branches")
    synth("enumerate", "--bounds", "2x2", "--without", ",".join(rules), "--out", "one")
    synth("enumerate", "--bounds", "2x2", "--without", rules[1], "--without", rules[0], "--out", "two")
    assert_same(tmp_path / "one", tmp_path / "two")


def test_counting_writes_nothing(synth, tmp_path):
    assert synth("enumerate", "--bounds", "2x3", "--count-only").code == 0
    assert list(tmp_path.iterdir()) == []


def test_every_json_parses(synth, tmp_path):
    saved = synth("enumerate", "--bounds", "2x3", "--json")
    manifest = (tmp_path / "2x3.corpus" / MANIFEST).read_text()
    assert saved == (0, manifest, "")
    assert json.loads(manifest)["tests"] == 162
    assert synth("enumerate", "--bounds", "2x3", "--json") == (0, manifest, "")
    streamed = synth("enumerate", "--bounds", "2x3", "--json", "--out", "-")
    assert len(streamed.out.splitlines()) == 162
    counted = synth("enumerate", "--bounds", "2x3", "--json", "--count-only")
    assert json.loads(counted.out)["tests"] == json.loads(streamed.err)["tests"] == 162
    assert json.loads(counted.out)["splits"] == {"1+2": 81, "2+1": 81}


@pytest.mark.parametrize(("expect", "code", "told"), [(8, 0, ""), (7, 1, "synth: found 8 tests, expected 7\n")])
@pytest.mark.parametrize("words", [(), ("--count-only",), ("--json",)], ids=" ".join)
def test_it_leaves_with_1_unless_exactly_as_many_tests_are_found_as_expected(synth, words, expect, code, told):
    ran = synth("enumerate", "--bounds", "2x2", "--expect", expect, *words)
    assert (ran.code, ran.err) == (code, told)
    again = synth("enumerate", "--bounds", "2x2", "--expect", expect, *words)
    assert (again.code, again.err) == (code, told)


def test_no_tests_are_an_answer(synth):
    assert synth("enumerate", "--bounds", "1x3", "--expect", "0").code == 0
    assert synth("corpus", "export", "1x3.corpus") == (0, "", "")


# --- what is there already ---


def test_the_same_question_again_is_not_answered_again(synth, tmp_path):
    """However it is put: not how it is solved matters."""
    synth("enumerate", "--bounds", "2x2,2x3")
    manifest = tmp_path / "2x2,2x3.corpus" / MANIFEST
    before = manifest.read_bytes(), manifest.stat().st_mtime_ns
    ran = synth("enumerate", "--bounds", "2x2..2x3", "--jobs", "1", "--solver", "glucose4")
    assert ran == (0, "2x2,2x3.corpus already holds the complete answer: 170 tests\n", "")
    assert (manifest.read_bytes(), manifest.stat().st_mtime_ns) == before


def test_another_question_replaces_a_corpus_only_with_force(synth, tmp_path):
    synth("enumerate", "--bounds", "2x2", "--out", "it")
    ran = synth("enumerate", "--bounds", "2x3", "--out", "it")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err == "synth: it: found a corpus with other bounds or options (2x2), expected 2x3; "
        "use another folder, or --force to replace it\n"
    )
    assert Corpus(tmp_path / "it").manifest.tests == 8
    assert synth("enumerate", "--bounds", "2x3", "--out", "it", "--force").code == 0
    assert Corpus(tmp_path / "it").manifest.tests == 162
    assert [path.name for path in tmp_path.iterdir()] == ["it"]


# --- stopped, and gone on ---


def leave_incomplete(folder, bounds, count):
    """A corpus as a stopped run leaves it, with some of the tests."""
    found = enumerate_tests(question(bounds), jobs=1)
    stopped = type(found)(
        question=found.question,
        ids=Ids(found.ids[::5][:count]),
        complete=False,
        stopped=Reason.TIME,
        seconds=1.0,
        engine=found.engine,
        solver=found.solver,
        jobs=1,
    )
    assert not save(stopped, folder).complete


@pytest.mark.parametrize("count", [0, 1, 40])
def test_an_incomplete_corpus_is_completed_to_the_same_bytes(synth, tmp_path, uninterrupted, count):
    leave_incomplete(tmp_path / "it.corpus", MIDDLE, count)
    ran = synth("enumerate", "--bounds", MIDDLE, "--out", "it.corpus", "--jobs", "2", "--expect", TESTS)
    assert (ran.code, ran.err) == (0, "")
    assert_same(tmp_path / "it.corpus", uninterrupted)


def stopping_after(monkeypatch, results, number):
    """Make the engine send a signal to the command once it has found so many tests of a unit."""
    solve = SatEngine.solve

    def interrupting(engine, unit):
        for count, id_ in enumerate(solve(engine, unit)):
            if count == results:
                os.kill(os.getppid(), number)
                time.sleep(0.1)
            yield id_

    monkeypatch.setattr(SatEngine, "solve", interrupting)


@mostly_full(("number", "code", "told"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")])
@mostly_full("jobs", [1, 2])
def test_an_interrupted_run_is_completed_to_the_same_bytes(
    synth, tmp_path, uninterrupted, monkeypatch, jobs, number, code, told
):
    folder = tmp_path / "it.corpus"
    words = ("enumerate", "--bounds", MIDDLE, "--out", "it.corpus", "--engine", "sat-full", "--jobs", jobs)
    with monkeypatch.context() as patch:
        stopping_after(patch, 30, number)
        ran = synth(*words)
    kept = Corpus(folder).manifest
    assert ran.code == code
    assert ran.err == f"synth: {told}; kept {kept.tests} tests, but there may be more\n"
    assert ran.out.endswith(f"{kept.tests} tests, incomplete in it.corpus\n")
    assert "INCOMPLETE" in ran.out
    assert not kept.complete
    assert kept.run["stopped"] == told
    assert kept.tests >= 30
    exported = synth("corpus", "export", "it.corpus")
    assert exported.code == 0
    assert exported.err == "synth: it.corpus is incomplete: its run was stopped\n"
    assert set(exported.out.splitlines()) < set(synth("corpus", "export", uninterrupted).out.splitlines())
    assert synth(*words).code == 0
    assert_same(folder, uninterrupted)


def test_a_run_that_is_stopped_again_has_lost_nothing(synth, tmp_path, monkeypatch):
    leave_incomplete(tmp_path / "it.corpus", MIDDLE, 40)
    before = set(synth("corpus", "export", "it.corpus").out.splitlines())
    stopping_after(monkeypatch, 3, signal.SIGINT)
    assert synth("enumerate", "--bounds", MIDDLE, "--out", "it.corpus", "--engine", "sat-full").code == 130
    after = synth("corpus", "export", "it.corpus").out.splitlines()
    assert before <= set(after)
    assert len(set(after)) == len(after) < TESTS


@pytest.mark.full
@pytest.mark.parametrize(("word", "told"), [("--time-limit=0.001s", "time"), ("--memory=1K", "memory")])
def test_a_limit_leaves_75_and_what_was_found(synth, tmp_path, word, told):
    ran = synth("enumerate", "--bounds", "3x5", word)
    manifest = Corpus(tmp_path / "3x5.corpus").manifest
    assert ran.code == 75
    assert ran.err == f"synth: {told} limit reached; kept {manifest.tests} tests, but there may be more\n"
    assert not manifest.complete
    assert synth("enumerate", "--bounds", "3x5", word, "--expect", "341727", "--force").code == 75


@pytest.mark.parametrize(
    ("words", "done"),
    [(("--count-only",), "counted"), (("--count-only", "--minimal"), "counted"), (("--out", "-"), "found")],
)
def test_a_limit_leaves_75_where_nothing_is_written_too(synth, tmp_path, words, done):
    ran = synth("enumerate", "--bounds", "2x4", "--memory", "1K", *words)
    assert ran.code == 75
    assert ran.err.startswith(f"synth: memory limit reached; {done} 0 tests, but there may be more\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("reason", "complete", "code"),
    [
        (None, True, 0),
        *((reason, False, reason.exit_code) for reason in Reason),
        (Reason.TIME, True, 0),
        (Reason.MEMORY, True, 0),
        (Reason.INTERRUPT, True, 130),
        (Reason.TERMINATION, True, 143),
    ],
)
def test_a_limit_that_is_reached_when_nothing_is_left_to_do_has_stopped_nothing(reason, complete, code):
    """But a signal has asked for an end."""
    stop = Stop()
    stop.reason = reason
    assert enumerate_._exit_code_of(8, complete, stop, 8) == code


def test_a_limit_that_is_not_reached_changes_nothing(synth, tmp_path, uninterrupted):
    words = ("--time-limit", "1h", "--memory", "100G")
    assert synth("enumerate", "--bounds", MIDDLE, "--out", "it.corpus", *words).code == 0
    assert_same(tmp_path / "it.corpus", uninterrupted)


def test_lost_workers_leave_3_and_what_was_found(synth, tmp_path, monkeypatch, uninterrupted):
    solve = SatEngine.solve

    def dying(engine, unit):
        if unit.sizes == (1, 1, 1):
            os.kill(os.getpid(), signal.SIGKILL)
        yield from solve(engine, unit)

    words = ("enumerate", "--bounds", MIDDLE, "--out", "it.corpus", "--engine", "sat-full", "--jobs", "1")
    with monkeypatch.context() as patch:
        patch.setattr(SatEngine, "solve", dying)
        ran = synth(*words)
    assert ran.code == 3
    assert re.fullmatch(
        r"synth: workers: 3 processes ended while they worked on split 1\+1\+1[^\n]*; kept [0-9]+ tests[^\n]*\n",
        ran.err,
    )
    assert not Corpus(tmp_path / "it.corpus").manifest.complete
    assert synth(*words).code == 0
    assert_same(tmp_path / "it.corpus", uninterrupted)


# --- as a process of its own ---


def started(*words, cwd, **options):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return in_session([SYNTH, *words], cwd=cwd, **(pipes | options))


def is_working(process):
    return len(processes_of(process.pid)) == 4


@pytest.mark.full
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"])
def test_a_signal_to_all_processes_of_a_run_keeps_what_was_found_and_leaves_none_behind(tmp_path, number, code):
    slow = ("enumerate", "--bounds", "2x6", "--engine", "sat", "--jobs", "3")  # thousands of tests a second
    with started(*slow, cwd=tmp_path) as process:
        assert wait_for(lambda: is_working(process))
        time.sleep(0.5)
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=PATIENCE_S)
        assert wait_for(lambda: not processes_of(process.pid))
    corpus = Corpus(tmp_path / "2x6.corpus")
    assert process.returncode == code
    assert len(err.splitlines()) == 1
    assert out.endswith(f"{corpus.manifest.tests} tests, incomplete in 2x6.corpus\n")
    assert not corpus.manifest.complete
    ids = [json.loads(line)["id"] for line in corpus.lines()]
    assert len(ids) == corpus.manifest.tests > 0
    assert not any(broken_rules(ids))
    assert [path.name for path in tmp_path.iterdir()] == ["2x6.corpus"]


@pytest.mark.full
def test_a_time_limit_ends_a_long_run_in_time(tmp_path):
    with started(*LARGE, "--time-limit", "0.5s", cwd=tmp_path) as process:
        process.communicate(timeout=2 * PATIENCE_S)
    assert process.returncode == 75
    assert not Corpus(tmp_path / "2x6.corpus").manifest.complete


@pytest.mark.full
def test_a_run_that_is_killed_leaves_no_process_and_no_half_a_corpus(tmp_path):
    with started(*LARGE, cwd=tmp_path) as process:
        assert wait_for(lambda: is_working(process))
        process.kill()
        process.wait(PATIENCE_S)
        assert wait_for(lambda: not processes_of(process.pid))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_a_killed_worker_does_not_show(tmp_path):
    words = ("--bounds", "2x4", "--engine", "sat-full", "--jobs", "3", "--expect", "6610")  # which takes its time
    with started("enumerate", *words, cwd=tmp_path) as process:
        assert wait_for(lambda: is_working(process))
        os.kill(max(processes_of(process.pid)), signal.SIGKILL)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")


@pytest.mark.full
@mostly_full(
    ("words", "lines"),
    [
        (("enumerate", *MANY, "--out", "-"), 1),
        (("enumerate", "--bounds", "2x2", "--out", "new"), 0),
        (("check", "01100002-01100002"), 0),
        (("enumerate", "--help"), 0),
        *(
            pytest.param(words, lines, marks=pytest.mark.full)
            for words, lines in [
                (("enumerate", "--bounds", "2x2", "--count-only"), 0),
                (("corpus", "export", "large.corpus"), 1),
                (("corpus", "export", "large.corpus", "--format", "text"), 0),
                (("check", "large.corpus", "--json"), 1),
                (("show", "01100002-01100002"), 0),
            ]
        ),
    ],
)
def test_a_closed_pipe_ends_quietly(words, lines, tmp_path, large):
    """As with `| head -1`, and with a reader that is gone before anything is written."""
    (tmp_path / "large.corpus").symlink_to(large)
    with started(*words, cwd=tmp_path) as process:
        for _ in range(lines):
            assert process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
        process.wait(PATIENCE_S)
    assert process.returncode == 0
    assert "Traceback" not in err
    assert err == "" or "--out -" in " ".join(words)  # the summary of a stream


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ("check", "01100002-01100002"),
        pytest.param(("corpus", "export", "large.corpus"), marks=pytest.mark.full),
        pytest.param(("enumerate", "--bounds", "2x2", "--out", "-"), marks=pytest.mark.full),
    ],
    ids=" ".join,
)
def test_a_full_disk_behind_standard_output_is_one_line_and_exit_code_3(words, tmp_path, large):
    (tmp_path / "large.corpus").symlink_to(large)
    with Path("/dev/full").open("w") as full, started(*words, cwd=tmp_path, stdout=full) as process:
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 3
    assert err.splitlines()[-1] == "synth: No space left on device"
    assert "Traceback" not in err


@pytest.mark.full
@pytest.mark.parametrize(
    "closing",
    ["<&- >&- 2>&-", *(pytest.param(redirection, marks=pytest.mark.full) for redirection in (">&-", "2>&-", "<&-"))],
)
def test_closed_standard_streams_do_no_harm(closing, tmp_path):
    ran = subprocess.run(
        ["bash", "-c", f'exec "$0" enumerate --bounds 2x2 {closing}', SYNTH],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert Corpus(tmp_path / "2x2.corpus").manifest.tests == 8


@pytest.mark.full
def test_nothing_is_said_on_standard_error_that_is_no_terminal(tmp_path):
    with started("enumerate", "--bounds", "2x3", cwd=tmp_path) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (0, "")
    assert "\x1b" not in out
    assert "\r" not in out


@pytest.mark.full
def test_on_a_terminal_progress_is_shown_and_wiped(tmp_path):
    """Units of work and tests so far; the summary on standard output is not mixed with it."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (25, 100))
    with started(
        "enumerate", "--bounds", "2x4", "--engine", "sat-full", "--jobs", "2", cwd=tmp_path, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        while part := read_terminal(ours):
            shown += part
        out = process.stdout.read()
        process.wait(PATIENCE_S)
    os.close(ours)
    frames = shown.decode().split("\r")
    assert any(frame.startswith("2x4:") and "tests=" in frame for frame in frames)
    assert frames[-1] == ""
    assert not frames[-2].strip(" \x1b[A")
    assert "6610 tests, complete" in out
    assert process.returncode == 0


def read_terminal(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # so ends a terminal that nobody writes to any more
        return b""
