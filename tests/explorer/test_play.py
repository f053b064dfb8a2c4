"""The playground, and the comparison of two corpora."""

import pytest

import corpora
from browsing import wait_until
from synth_checker.certificates.certificate import Lasso
from synth_checker.certificates.certification import certify
from synth_corpus.store import Corpus
from synth_explorer.page import page_of
from synth_litmus.inputs.models import given_models

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
SPINNER = "THREAD 0\n0: if (Mem[7] == 0) goto 0;\n\nTHREAD 1\n0: Mem[7] = 1;\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "small.html"
    path.write_bytes(page_of([Corpus("@complete/2x3")]))
    return path


def playground(opened, small, more=""):
    return opened(small, f"#view=play{more}", until=".play textarea")


def program_in(page):
    return page.get_by_role("textbox", name="Program (text or id)")


def results_in(page):
    texts = page.locator(".play .choices button").all_text_contents()
    return dict(text.split(" ") for text in texts)


def test_a_program_is_judged_as_it_is_typed(opened, small):
    page = playground(opened, small)
    program_in(page).fill(SPINNER)
    assert page.locator(".play .id").first.text_content() == "00_0-0011"
    page.get_by_role("textbox", name="Model").fill("lowest(live)")
    results = results_in(page)
    assert (results["fair.weak"], results["OBE.strong"]) == ("pass", "fail")
    assert (results["yours.weak"], results["yours.strong"]) == (results["HSA.weak"], results["HSA.strong"])
    page.get_by_role("button", name="yours.weak").click()
    assert page.locator(".proof p").first.inner_text().startswith("The program may hang: 1 step again and again.")
    wait_until(page, "location.hash.includes('m=lowest')")
    again = playground(opened, small, page.evaluate("location.hash").removeprefix("#view=play"))
    assert program_in(again).input_value() == SPINNER
    assert results_in(again) == results


def test_what_is_wrong_is_said_where_it_stands(opened, small):
    page = playground(opened, small)
    program_in(page).fill("THREAD 0\n0: if (Mem[0] = 0) goto 0;")
    assert page.inner_text("#program-fault") == "Program: 2:15: found '=', expected '=='."
    page.get_by_role("textbox", name="Model").fill("live & everyone")
    assert page.inner_text("#model-fault").startswith("Model: column 8: found “everyone”, expected a set (live,")
    assert page.locator(".play .choices").count() == 0


def test_the_tests_that_change_sides_are_those_of_the_core(opened, small):
    page = playground(opened, small, "&m=live")
    page.get_by_label("Compare the same form").select_option("OBE.weak")
    [model] = given_models(["live"])
    gained = [
        record.id
        for record in Corpus("@complete/2x3")
        if record.verdicts["OBE.weak"] == "fail"
        and not isinstance(certify(record.program, model.automaton(2), "weak"), Lasso)
    ]
    assert gained
    expected = f"{len(gained)} tests pass yours and not OBE.weak; 0 tests pass OBE.weak and not yours"
    wait_until(page, "(text) => document.querySelector('.sides').textContent === text", expected)


def test_two_corpora_are_compared(opened, tmp_path):
    """Two tests are only in one of them, and one test has another verdict."""
    ids = ["0010-0000", "0011-00_0", "00_0-0011"]
    corpora.write(tmp_path / "old", corpora.of({ids[0]: (3, {}), ids[1]: (1, {})}))
    corpora.write(tmp_path / "new", corpora.of({ids[1]: (2, {}), ids[2]: (7, {})}))
    path = tmp_path / "two.html"
    path.write_bytes(page_of([Corpus(tmp_path / "old"), Corpus(tmp_path / "new")]))
    page = opened(path)
    shown = {}
    for among in ("in old", "in new", "in both corpora", "only in old", "only in new"):
        page.get_by_role("combobox", name="Corpora", exact=True).select_option(label=among)
        shown[among] = page.locator(".body .id").all_inner_texts()
    assert shown == {
        "in old": [ids[0], ids[1]],
        "in new": [ids[1], ids[2]],
        "in both corpora": [ids[1]],
        "only in old": [ids[0]],
        "only in new": [ids[2]],
    }
    page.get_by_role("combobox", name="Corpora", exact=True).select_option(
        label="with other verdicts in the other corpus"
    )
    page.locator(".body .row").click()
    verdicts = "unfair (old: pass, new: fail) and HSA.weak (old: fail, new: pass)"
    said = f"In old and new. The two corpora have different verdicts for {verdicts}."
    assert page.locator(".test > p").nth(2).inner_text() == said
