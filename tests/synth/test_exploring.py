"""`synth explore`: what it writes, what it says, and what it refuses."""

import corpora
from synth_corpus.store import Corpus
from synth_explorer import packing
from synth_explorer.page import page_of


def test_a_page_takes_no_more_tests_than_it_can_show(synth, monkeypatch):
    monkeypatch.setattr(packing, "MAX_TESTS", 161)
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


def test_the_command_writes_a_page_and_replaces_one_only_if_asked(synth, tmp_path):
    assert synth("explore", "@complete/2x2") == (0, "8 tests in explore.html; open it in a browser\n", "")
    assert (tmp_path / "explore.html").read_bytes() == page_of([Corpus("@complete/2x2")])
    assert synth("explore", "@complete/2x3").code == 2
    assert synth("explore", "@complete/2x3", "--force").code == 0
    assert (tmp_path / "explore.html").read_bytes() == page_of([Corpus("@complete/2x3")])
    missing = synth("explore", "nowhere")
    assert missing.code == 2
    assert "expected a corpus, a campaign, or a folder with some of them" in missing.err


def test_an_incomplete_corpus_is_named(synth, tmp_path):
    corpora.write(tmp_path / "part", corpora.some(9), complete=False)
    made = synth("explore", "part", "--out", "page.html")
    assert made.code == 0
    assert "part is incomplete, and the page says so\n" in made.out
