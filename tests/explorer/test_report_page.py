"""The report of `synth report` in a browser: its rules of access, its width, what it prints, and hostile names."""

import re
import shutil
import sqlite3

import pytest

import campaigns
from browsing import violations
from names_of_others import HOSTILE
from synth_analysis.tables.report import report_of
from synth_analysis.views.report import report_document
from synth_campaigns.settings import LaunchSettings
from synth_documents.html import html_of

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]


def write_report(path, *folders):
    path.write_text(html_of(report_document(report_of(folders))), "utf-8")
    return path


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "reverse"
    asked = campaigns.settings(
        "sim:reverse",
        ("00_0-0011", "0011-00_0", "0010-000001_0"),
        launches=LaunchSettings(count=20),
        mappings=("plain", "chunked"),
        instances=50,
        policy=campaigns.PATIENT,
    )
    campaigns.run(folder, asked)
    return folder


@pytest.fixture(scope="module")
def report(campaign):
    return write_report(campaign.with_name("report.html"), campaign)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
def test_the_report_breaks_no_rule_of_axe_and_is_not_too_wide(opened, report, tools, width, dark):
    page = opened(report, width=width, dark=dark, bypass_csp=True, until="main")
    assert violations(page, tools) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("img").count() > 0
    assert page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")


def test_axe_notices_a_table_without_a_header(opened, report, tools):
    page = opened(report, bypass_csp=True, until="main")
    page.evaluate("document.querySelectorAll('img').forEach((image) => image.removeAttribute('alt'))")
    assert "image-alt" in {name for name, _ in violations(page, tools)}


def test_the_printed_report_is_light_and_fits_on_paper(opened, report):
    page = opened(report, dark=True, width=660, until="main")  # A4 without its margins, at 96 dots an inch
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_hostile_names_are_text_in_the_report(opened, campaign, tmp_path):
    folder = shutil.copytree(campaign, tmp_path / "reverse")
    with sqlite3.connect(folder / "results.sqlite") as database:
        database.execute("UPDATE device SET driver = ?", (" ".join(sorted(HOSTILE, key=len)),))
    page = opened(write_report(tmp_path / "report.html", folder), until="main")
    assert page.locator("script, foreignObject, img:not([src^='data:image/svg'])").count() == 0
    text = page.evaluate("document.body.textContent")
    assert not any(letter in text for letter in "\0\u202e\u2066")
    for name in HOSTILE:
        for part in filter(str.isprintable, re.split(r"([\0\u202e\u2066])", name[:60])):
            assert part.strip() in text
