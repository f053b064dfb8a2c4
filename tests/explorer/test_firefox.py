"""The page in Debian's Firefox: what a reader does first works there, too."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from synth_backends.emission import litmus_tests
from synth_backends.target import files_of
from synth_corpus.store import Corpus
from synth_explorer.page import page_of

SCRIPTS = Path(__file__).parent / "firefox"
MUTEX = "01100002-01100002"
pytestmark = [pytest.mark.full, pytest.mark.command("npm"), pytest.mark.command("firefox-esr")]


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    """A function that runs the script on a page, with the driver that its lockfile names."""
    folder = tmp_path_factory.mktemp("firefox") / "firefox"
    shutil.copytree(SCRIPTS, folder, ignore=shutil.ignore_patterns("node_modules"))
    words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def run(path):
        words = ["node", "smoke.mjs", shutil.which("firefox-esr"), path.as_uri(), MUTEX]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True)

    return run


def test_a_reader_can_use_the_page_in_firefox(smoke, tmp_path):
    given = [Corpus("@complete/2x4"), Corpus("@minimal/2x4")]
    (tmp_path / "page.html").write_bytes(page_of(given))
    done = smoke(tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    records = {record.id: record for record in given[0]}
    minimal = {record.id for record in given[1]}
    passing = [record for record in records.values() if record.verdicts["HSA.weak"] == "pass"]
    assert found["version"].startswith("firefox/")
    assert found["all"] == f"{len(records):,} tests"
    assert found["filtered"] == f"{len(passing):,} of {len(records):,} tests"
    assert found["only"] == f"{len(records) - len(minimal):,} of {len(records):,} tests"
    assert (found["id"], found["focus"]) == (MUTEX, "test-name")
    assert len(found["steps"]) == found["lasso"] == 2
    assert found["drawn"] > 3
    [test] = litmus_tests([MUTEX])
    assert found["copied"] == found["code"] == files_of("wgsl", [test])[f"test-{MUTEX}.wgsl"]
    assert found["played"] == "00_0-0011"
    assert found["followed"] == found["linked"] == MUTEX


def test_a_request_for_anything_else_is_noticed(smoke, tmp_path):
    page = page_of([Corpus("@complete/2x4"), Corpus("@minimal/2x4")]).decode()
    without_policy = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    (tmp_path / "page.html").write_text(
        without_policy.replace("<body>", '<body><img src="http://127.0.0.1:65000/missing.png" alt="">')
    )
    done = smoke(tmp_path / "page.html")
    assert done.returncode == 1
    assert "missing.png" in done.stderr
