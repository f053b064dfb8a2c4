"""`synth report`: the document for a vendor, as HTML and as Markdown."""

import html
import re
import sqlite3
from pathlib import Path

import pytest

from golden import check_file

GOLDEN = Path(__file__).parent / "golden"
CAMPAIGN = ("campaign", "run", "--device", "sim:strided", "@minimal/2x3", "--mapping", "chunked", "--instances", "20")
#: Texts that must stay text, whatever they look like.
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "<img src=x onerror=alert(1)>",
    "a | b",
    "[a](javascript:b)",
    "`code`",
    "\u202eturned",
    "\x1b[31mred",
    "x" * 10_000,
]


@pytest.fixture
def campaign(synth, tmp_path):
    assert synth(*CAMPAIGN, "--out", "c").code == 0
    return tmp_path / "c"


@pytest.mark.full
def test_the_report_has_the_sentences_of_the_analysis(synth, campaign):
    analysed = synth("campaign", "analyse", campaign).out
    written = html.unescape(re.sub(r"<[^>]+>", "", synth("report", campaign).out))
    claims = [line.split("  ", 3) for line in analysed.splitlines() if line.startswith("  ") and "95 %" in line]
    assert claims
    for claim in claims:
        assert claim[-1].strip().removeprefix("consistent with").strip() in written
    assert re.search(r"Run it again: (.*)", analysed)[1] in written
    assert "violates" in written


@pytest.mark.full
def test_a_report_on_an_unfinished_campaign_says_so_at_its_top(synth, campaign):
    assert "is not finished" not in synth("report", campaign).out
    assert synth(*CAMPAIGN, "--out", "part", "--time-limit", "0.001s").code == 75
    written = html.unescape(re.sub(r"<[^>]+>", " ", synth("report", "part").out))
    assert re.search(
        r"The campaign part is not finished: \d+ of 19 cells are not done\.", written.partition("Devices")[0]
    )


@pytest.mark.full
def test_the_report_is_one_page_without_script_and_always_the_same(synth, campaign):
    first = synth("report", campaign).out
    assert synth("report", campaign).out == first
    assert "<script" not in first
    assert "default-src 'none'" in html.unescape(first)
    assert re.findall(r"""(?:src|href)=["'](?!data:image/svg|#)""", first) == []


@pytest.mark.full
def test_as_markdown_the_report_is_as_in_the_golden_file(synth, campaign):
    check_file(GOLDEN / "report.md", synth("report", campaign.name, "--format", "markdown").out)


@pytest.mark.full
def test_with_out_markdown_has_its_pictures_beside_it(synth, campaign, tmp_path):
    assert synth("report", campaign, "--format", "markdown", "--out", tmp_path / "r.md").code == 0
    named = re.findall(r"\]\(<(.*?)>\)", (tmp_path / "r.md").read_text())
    assert named
    assert all((tmp_path / name).read_text().startswith("<?xml") for name in named)
    again = synth("report", campaign, "--format", "markdown", "--out", tmp_path / "r.md")
    assert (again.code, "--force" in again.err) == (2, True)


@pytest.mark.full
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8].encode("unicode_escape").decode())
def test_what_a_driver_says_stays_text(synth, campaign, text):
    with sqlite3.connect(campaign / "results.sqlite") as database:
        database.execute("UPDATE device SET driver = ?", (text,))
    as_html, as_markdown = synth("report", campaign).out, synth("report", campaign, "--format", "markdown").out
    for found in (as_html, as_markdown):
        assert "\u202e" not in found
        assert "\x1b" not in found
    assert re.findall(r"<(?:script|img src=x|!--)", as_html) == []
    assert not re.search(r"(?<!\\)<(?:script|img|!--)|(?<!\\)\]\(javascript", as_markdown)
    columns = {line.count("|") - line.count("\\|") for line in as_markdown.splitlines() if line.startswith("| device")}
    rows = [line for line in as_markdown.splitlines() if line.startswith("| sim:strided |")]
    assert {line.count("|") - line.count("\\|") for line in rows} == columns


def test_a_folder_without_a_campaign_is_refused(synth, tmp_path):
    said = synth("report", tmp_path)
    assert (said.code, said.out) == (2, "")
