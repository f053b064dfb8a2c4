"""`synth explore`: what it writes, what it says, and what it refuses."""

import contextlib
import re
import shutil
import signal
import subprocess
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import corpora
from processes import PATIENCE_S, SYNTH, in_session
from synth_corpus.store import Corpus
from synth_explorer import page_data
from synth_explorer.page import page_of


def test_a_page_takes_no_more_tests_than_it_can_show(synth, monkeypatch):
    monkeypatch.setattr(page_data, "MAX_TESTS", 161)
    refused = synth("explore", "@complete/2x3")
    assert refused.code == 2
    assert refused.err == (
        "synth: explore: found 162 tests, expected at most 161; make a smaller corpus with synth enumerate "
        "--minimal, or take some of the tests with synth corpus sample and synth corpus import\n"
    )


def test_a_corpus_is_taken_once(synth):
    refused = synth("explore", "@complete/2x2", "@complete/2x2")
    assert (refused.code, refused.err) == (
        2,
        "synth: explore: found the same corpus twice, expected different corpora\n",
    )


@pytest.mark.full
def test_the_command_writes_a_page_and_replaces_one_only_if_asked(synth, tmp_path):
    assert synth("explore", "@complete/2x2") == (0, "8 tests in explore.html; open it in a browser\n", "")
    assert (tmp_path / "explore.html").read_bytes() == page_of([Corpus("@complete/2x2")])
    assert synth("explore", "@complete/2x3").code == 2
    assert synth("explore", "@complete/2x3", "--force").code == 0
    assert (tmp_path / "explore.html").read_bytes() == page_of([Corpus("@complete/2x3")])
    missing = synth("explore", "nowhere")
    assert missing.code == 2
    assert "expected a corpus, a campaign, or a folder with some of them" in missing.err


@pytest.mark.full
def test_an_incomplete_corpus_is_named(synth, tmp_path):
    corpora.write(tmp_path / "part", corpora.some(9), complete=False)
    made = synth("explore", "part", "--out", "page.html")
    assert made.code == 0
    assert "part is incomplete, and the page says so\n" in made.out


@pytest.fixture
def served(tmp_path):
    """The command `synth explore --serve part`, the corpus that it shows, and the lines that it prints."""
    corpora.write(tmp_path / "part", corpora.some(9), complete=False)
    words = [SYNTH, "explore", "part", "--serve"]
    with in_session(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        yield process, tmp_path / "part", [process.stdout.readline() for _ in range(3)]


def asked(address, **headers):
    """The status, the body and the headers of the answer to a request."""
    parts = urlsplit(address)
    with contextlib.closing(HTTPConnection(parts.netloc)) as connection:
        connection.request("GET", parts.path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers


@pytest.mark.full
def test_a_served_page_is_that_of_the_file_and_ends_with_ctrl_c(served):
    process, folder, told = served
    address = re.fullmatch(r"9 tests at (http://127\.0\.0\.1:\d+/[\w-]{22}/)\n", told[0])[1]
    assert told[1] == "part is incomplete, and the page says so\n"
    assert told[2].endswith("Ctrl-C ends.\n")
    status, body, headers = asked(address)
    assert (status, body) == (200, page_of([Corpus(folder)]))
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    shutil.rmtree(folder)
    corpora.write(folder, corpora.some(20))
    assert asked(address)[1] == page_of([Corpus(folder)])  # what the folder holds now
    shutil.rmtree(folder)
    status, body, _ = asked(address)
    assert status == 500
    assert b"expected a corpus" in body
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_S) == 130
    assert process.stderr.read() == "synth: interrupted\n"


@pytest.mark.full
def test_a_served_page_is_for_nobody_else(served):
    _process, _folder, told = served
    address = told[0].split()[-1]
    port = re.search(r":(\d+)/", address)[1]
    nothing = (404, b"There is no such page.\n")
    assert asked(f"http://127.0.0.1:{port}/")[:2] == nothing
    assert asked(address[:-2] + ("A/" if address[-2] != "A" else "B/"))[:2] == nothing
    assert asked(address, Host="example.com")[:2] == nothing
    assert asked(address, Host=f"localhost.example.com:{port}")[:2] == nothing
    assert asked(address)[0] == 200
    table = Path("/proc/net/tcp").read_text().splitlines()[1:]
    listening = [row.split()[1] for row in table if row.split()[3] == "0A"]
    assert f"0100007F:{int(port):04X}" in listening  # at 127.0.0.1, and nowhere else
    assert f"00000000:{int(port):04X}" not in listening


def test_a_page_is_served_or_written_and_not_both(synth):
    for words in (["--out", "page.html"], ["--force"]):
        refused = synth("explore", "@complete/2x2", "--serve", *words)
        assert refused.code == 2
        assert refused.err == "synth: --serve: found --out or --force, which are for a file; leave them out\n"
    assert synth("explore", "nowhere", "--serve").code == 2
