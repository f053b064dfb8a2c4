"""Test that this release reads the files of earlier releases, or names the release that can in one line.

`tests/fixtures/VERSION` holds small corpora, jobs and a certificate of each release, as `tests/fixtures/make.py` made
them. A file of a future release is one of these with a higher format.
"""

import json
import runpy
import shutil
from pathlib import Path

import pytest

import synth as package
from quick import mostly_full
from synth_corpus.store import MANIFEST, RECORDS

FIXTURES = Path(__file__).parents[1] / "fixtures"
RELEASES = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir() and path.name[0].isdigit())
#: The commands that make them.
MAKE = runpy.run_path(str(FIXTURES / "make.py"))
#: The corpora of each release, and the tests in them.
CORPORA = {
    "complete-2x2.corpus": 8,
    "minimal-2x3.corpus": 19,
    "model-2x2.corpus": 8,
    "classes-2x3.corpus": 78,
    "imported.corpus": 2,
}


@pytest.fixture(params=RELEASES)
def release(request, tmp_path):
    """A copy of what a release wrote; the synth fixture makes it the current folder."""
    shutil.copytree(FIXTURES / request.param, tmp_path, dirs_exist_ok=True)
    return request.param


def test_there_are_fixtures_of_this_release():
    """Else: make them, as tests/fixtures/make.py says."""
    assert package.__version__ in RELEASES


@pytest.mark.parametrize("name", CORPORA)
def test_the_corpora_of_each_release_are_read_and_have_no_fault(release, synth, name):
    told = json.loads(synth("corpus", "info", name, "--json").out)
    assert told["tests"] == CORPORA[name]
    assert told["run"]["tool"] == f"synth {release}"
    verified = synth("corpus", "validate", name)
    assert (verified.code, verified.err) == (0, "")
    assert f"{name}: no fault in {CORPORA[name]} tests of " in verified.out


@pytest.mark.usefixtures("release")
@mostly_full("name", CORPORA, quick=2)
def test_the_corpora_have_the_tests_and_the_bytes_that_they_have_today(synth, name):
    (words,) = (words for words in MAKE["COMMANDS"] if words[-1] == name)
    Path("programs.txt").write_text(MAKE["PROGRAMS"])
    assert synth(*words[:-1], "today.corpus").code == 0
    assert synth("corpus", "diff", name, "today.corpus", "--exit-code").code == 0
    assert Path(name, RECORDS).read_bytes() == Path("today.corpus", RECORDS).read_bytes()
    before, today = (json.loads(Path(folder, MANIFEST).read_text()) for folder in (name, "today.corpus"))
    assert before | {"run": None} == today | {"run": None}


@pytest.mark.usefixtures("release")
def test_a_job_of_each_release_goes_on_to_the_answer_that_a_done_one_has(synth):
    assert "half-done-2x3.job: 2x3, " in synth("job", "status", "half-done-2x3.job").out
    assert "1 of 3 shards done" in synth("job", "status", "half-done-2x3.job").out
    assert "3 of 3 shards done" in synth("job", "status", "done-2x3.job").out
    resumed = synth("job", "resume", "half-done-2x3.job", "--jobs", "1")
    assert (resumed.code, resumed.out) == (0, "162 tests in half-done-2x3.job/corpus; 3 shards, complete\n")
    answers = [Path(name, "corpus", RECORDS).read_bytes() for name in ("half-done-2x3.job", "done-2x3.job")]
    assert answers[0] == answers[1]
    assert synth("job", "resume", "done-2x3.job").code == 0


@pytest.mark.usefixtures("release")
def test_a_certificate_of_each_release_proves_what_it_did(synth):
    verified = synth("audit", "2x2.certificate")
    assert verified.code == 0
    assert "proven: 2x2 has exactly 8 tests, which are those in 2x2.certificate" in verified.out


@pytest.mark.full
@pytest.mark.usefixtures("release")
@pytest.mark.parametrize(
    ("about", "words"),
    [
        (f"complete-2x2.corpus/{MANIFEST}", ("corpus", "info", "complete-2x2.corpus")),
        (f"complete-2x2.corpus/{MANIFEST}", ("corpus", "validate", "complete-2x2.corpus")),
        (f"complete-2x2.corpus/{MANIFEST}", ("check", "complete-2x2.corpus")),
        ("half-done-2x3.job/job.json", ("job", "status", "half-done-2x3.job")),
        ("half-done-2x3.job/job.json", ("job", "resume", "half-done-2x3.job")),
        ("2x2.certificate/certificate.json", ("audit", "2x2.certificate")),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else value,
)
@pytest.mark.parametrize("says", [True, False], ids=["says its release", "says no release"])
def test_a_newer_format_is_refused_with_the_release_that_can_read_it(synth, about, words, says):
    found = json.loads(Path(about).read_text())
    run = {"tool": "synth 9.9"} if says else {}
    Path(about).write_text(json.dumps({"format": 2, "kind": found["kind"], "run": run, "new": [1]}))
    refused = synth(*words)
    assert (refused.code, refused.out) == (2, "")
    told = f"synth: {about}: found format 2 of {found['kind']!r}, expected format 1 of {found['kind']!r}, "
    assert refused.err == told + "which this release reads" + "; synth 9.9 wrote it and can read it" * says + "\n"
