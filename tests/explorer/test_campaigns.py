"""Campaigns on a page: the words of `synth campaign analyse`, the results of each test, and what changed."""

import copy
from dataclasses import replace

import pytest

import campaigns
from browsing import violations, wait_until
from names_of_others import HOSTILE, ON_A_PAGE
from synth_analysis.views.analysis import analysis_lines
from synth_analysis.views.comparison import comparison_lines
from synth_campaigns.settings import LaunchSettings
from synth_corpus.store import Corpus
from synth_explorer.page import page_of
from synth_explorer.page_content import page_content
from synth_explorer.views.results import packed_results, suites
from synth_storage.answer_json import json_of

IDS = ("00_0-0011", "0011-00_0", "0010-000001_0")
IN_BROWSER = [pytest.mark.full, pytest.mark.command("npm")]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two campaigns with the same tests, on different simulated devices."""
    folder = tmp_path_factory.mktemp("campaigns")
    for name in ("linear", "reverse"):
        device = "sim" if name == "linear" else "sim:reverse"
        asked = campaigns.settings(
            device,
            IDS,
            launches=LaunchSettings(count=20),
            mappings=("plain", "chunked"),
            instances=50,
            policy=campaigns.PATIENT,
        )
        campaigns.run(folder / name, asked)
    return [str(folder / name) for name in ("linear", "reverse")]


def parts_of(*words):
    corpora, _, findings = page_content(words)
    return corpora, suites(findings), json_of(packed_results(findings))


@pytest.mark.full
def test_the_claims_are_the_lines_of_analyse_and_the_changes_those_of_compare(two):
    findings = page_content(two).findings
    packed = json_of(packed_results(findings))
    said = []
    for device in packed["devices"]:
        width = max(len(claim["verdict"]) for claim in device["claims"])
        said += [f"{device['name']}: {device['driver']}", device["launched"]]
        said += [f"  {c['verdict']:{width}}  {c['status']:15}  {c['evidence']}".rstrip() for c in device["claims"]]
        said += [*device["short"], *device["notes"]]
        said += [line for witness in device["witnesses"] for line in witness["lines"]]
    assert list(filter(None, said)) == list(filter(None, analysis_lines(findings.analysis)))
    assert packed["comparison"]["lines"] == list(comparison_lines(findings.comparison))
    assert any(pair["changed"] for pair in packed["comparison"]["pairs"])


@pytest.mark.full
def test_where_a_note_names_only_some_cells_the_page_says_where_the_others_are(two):
    findings = page_content(two).findings
    first, *others = findings.analysis.devices
    cells = tuple(replace(cell, outcomes={**cell.outcomes, "suspected hang": 1}) for cell in first.results.cells)
    suspect = replace(first, results=replace(first.results, cells=cells))
    changed = findings._replace(analysis=replace(findings.analysis, devices=(suspect, *others)))
    notes = json_of(packed_results(changed))["devices"][0]["notes"]
    assert "  and 3 more (see the table of tests)" in notes
    assert "  and 3 more (see --json)" in list(analysis_lines(changed.analysis))


@pytest.mark.full
def test_each_claim_is_copied_with_its_evidence(two):
    for device in parts_of(two[0])[2]["devices"]:
        for claim in device["claims"]:
            assert f"{device['name']}: {device['driver']}\n{device['launched']}\n" in claim["copy"]
            assert claim["evidence"] in claim["copy"]
            assert ("Run it again: synth campaign run" in claim["copy"]) == (claim["status"] == "violates")


@pytest.mark.full
def test_the_cells_have_what_hung_and_an_interval(two):
    findings = page_content(two).findings
    packed = json_of(packed_results(findings))
    results = [cell_result for device in findings.analysis.devices for cell_result in device.results.cells]
    assert len(results) == len(packed["cells"]) == 12
    assert {(result.hung > 0, result.interval is None) for result in results} >= {(True, False), (False, False)}
    for result, cell in zip(results, packed["cells"], strict=True):
        assert (result.cell.test, result.hung, result.counted, result.interval) == (
            cell["test"], cell["hung"], cell["counted"], cell["interval"] and tuple(cell["interval"]),
        )  # fmt: skip
        assert cell["setting"].startswith(result.cell.setting.mapping)


@pytest.mark.full
def test_the_same_campaigns_give_the_same_bytes(two):
    assert page_of(*parts_of("@complete/2x2", *two)) == page_of(*parts_of("@complete/2x2", *two))


@pytest.fixture(scope="module")
def shown(two, tmp_path_factory):
    """The page of a corpus and two campaigns, in which one cell has two suspected hangs."""
    corpora, tests, results = parts_of("@complete/2x2", *two)
    changed = copy.deepcopy(results)
    changed["cells"][0]["suspected"] = 2
    path = tmp_path_factory.mktemp("shown") / "shown.html"
    path.write_bytes(page_of(corpora, tests, changed))
    return path, changed


def ids_of(page):
    return page.locator("[role=grid] .body .id").all_inner_texts()


class TestInABrowser:
    pytestmark = IN_BROWSER

    def test_the_claims_come_first_and_are_copied(self, opened, shown):
        path, results = shown
        page = opened(path, until=".devices")
        for number, device in enumerate(results["devices"]):
            part = page.locator(".device").nth(number)
            said = part.locator(".claims > li > p").all_inner_texts()
            for claim, line in zip(device["claims"], said, strict=True):
                evidence = f": {claim['evidence']}" if claim["evidence"] else ""
                assert line.startswith(f"{claim['status']} {claim['verdict']}{evidence} ")
            assert part.locator(".short p").all_inner_texts() == device["short"]
        page.get_by_role("button", name="Copy the claim about HSA.weak on sim", exact=True).click()
        page.wait_for_selector("text=Copied")
        [claim] = [result for result in results["devices"][0]["claims"] if result["verdict"] == "HSA.weak"]
        assert page.evaluate("navigator.clipboard.readText()") == claim["copy"]

    def test_the_table_and_a_test_have_what_hung(self, opened, shown):
        path, results = shown
        page = opened(path, "#view=tests&sort=-on+sim", until="[role=grid]:visible")
        headers = page.locator("[role=columnheader]").all_inner_texts()
        place = headers.index("sim ▼")
        assert headers[place + 1] == "suspected"
        row = page.locator(".body .row").first
        worst = max(
            (cell for cell in results["cells"] if cell["device"] == 0), key=lambda cell: cell["hung"] / cell["counted"]
        )
        low, high = worst["interval"]
        expected = f"{worst['hung']} of {worst['counted']}, {100 * low:.1f}\N{EN DASH}{100 * high:.1f} %"
        assert row.locator("[role=gridcell]").nth(place).inner_text() == expected
        row.click()
        found = page.locator(".results tbody tr:not(.besides)").all_inner_texts()
        assert len(found) == sum(cell["test"] == worst["test"] for cell in results["cells"])
        assert any(f"{worst['hung']} of {worst['counted']} launches" in line for line in found)

    def test_filters_choose_tests_by_what_they_did(self, opened, shown):
        path, results = shown
        page = opened(path, "#view=tests", until="[role=grid]:visible")
        page.get_by_role("combobox", name="On the device").select_option("sim:reverse")
        assert sorted(ids_of(page)) == sorted(IDS)
        page.get_by_role("combobox", name="the test there").select_option("hung")
        hung = {cell["test"] for cell in results["cells"] if cell["device"] == 1 and cell["hung"]}
        assert set(ids_of(page)) == hung
        assert 0 < len(hung) < len(IDS)
        assert page.evaluate("location.hash") == "#view=tests&device=sim%3Areverse&result=hung"
        page.get_by_role("button", name="Devices", exact=True).click()
        page.get_by_role("button", name="Show the tests that changed").click()
        changed = {pair["test"] for pair in results["comparison"]["pairs"] if pair["changed"]}
        wait_until(page, "location.hash.includes('among=changed')")
        page.get_by_role("combobox", name="the test there").select_option("")
        page.get_by_role("combobox", name="On the device").select_option("")
        assert set(ids_of(page)) == changed

    @pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
    @pytest.mark.parametrize("view", ["", "#view=tests", f"#test={IDS[0]}"])
    def test_no_view_breaks_a_rule_of_axe(self, opened, shown, tools, view, width, dark):
        until = ".devices, [role=grid]:visible, #test-name:visible"
        page = opened(shown[0], view, width=width, dark=dark, bypass_csp=True, until=until)
        page.evaluate("document.querySelectorAll('main details').forEach((part) => { part.open = true })")
        assert violations(page, tools) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def test_a_witness_leads_to_its_test(self, opened, shown):
        path, results = shown
        page = opened(path, until=".devices")
        test = results["devices"][0]["witnesses"][0]["test"]
        page.get_by_role("button", name=f"Open the test {test}").first.click()
        page.wait_for_selector("#test-name")
        assert page.inner_text(".test > .id") == test
        assert page.evaluate("document.activeElement.id") == "test-name"

    def test_hostile_names_are_text(self, opened, two, tmp_path):
        corpora, tests, results = parts_of("@complete/2x2", *two)
        device, cell = results["devices"][0], results["cells"][0]
        device |= {"name": HOSTILE[0], "label": HOSTILE[1], "driver": HOSTILE[2], "launched": HOSTILE[3]}
        device |= {"short": HOSTILE[4:], "notes": list(HOSTILE)}
        cell |= {"setting": HOSTILE[4], "trouble": HOSTILE[5], "rate": HOSTILE[0], "command": HOSTILE[1]}
        path = tmp_path / "hostile.html"
        path.write_bytes(page_of(corpora, tests, results))
        page = opened(path, until=".devices")
        text = page.locator(".devices").evaluate("(part) => part.textContent")
        assert [name for name in ON_A_PAGE if name.strip() not in text] == []
        page.get_by_role("button", name="Tests", exact=True).click()
        page.wait_for_selector("[role=grid]:visible")
        assert HOSTILE[1] in page.locator("[role=grid] .head").evaluate("(part) => part.textContent")
        page = opened(path, f"#view=tests&test={cell['test']}", until=".results")
        assert HOSTILE[0] in page.locator(".results").evaluate("(part) => part.textContent")
        assert page.locator("script").count() == 2
        assert page.locator("img, foreignObject").count() == 0

    def test_a_campaign_that_is_not_finished_says_so(self, opened, tmp_path):
        asked = campaigns.settings("sim", IDS, mappings=("plain",), policy=campaigns.PATIENT)
        campaigns.run(tmp_path / "part", asked, campaigns.Watcher(0))
        corpora, tests, results = parts_of(str(tmp_path / "part"))
        assert tests[0].incomplete.endswith("of 3 cells are not done")
        path = tmp_path / "part.html"
        path.write_bytes(page_of(corpora, tests, results))
        page = opened(path, until=".devices")
        assert page.locator("main > *").first.inner_text() == (
            f"The campaign part is not finished: {tests[0].incomplete}."
        )

    def test_cells_that_were_not_run_are_no_zeros(self, opened, tmp_path):
        asked = campaigns.settings("sim", IDS[:2], mappings=("plain", "chunked"), policy=campaigns.PATIENT)
        campaigns.run(tmp_path / "part", asked, campaigns.Watcher(1))
        corpora, tests, results = parts_of(str(tmp_path / "part"))
        (ran,) = [cell["test"] for cell in results["cells"] if cell["run"]]
        path = tmp_path / "part.html"
        path.write_bytes(page_of(corpora, tests, results))
        page = opened(path, "#view=tests", until="[role=grid]:visible")
        said = dict(zip(ids_of(page), page.locator(".body .rate").all_inner_texts(), strict=True))
        assert said.pop(ran).endswith("%, 1 cell without a result")
        assert list(said.values()) == ["not run"]
        page = opened(path, f"#view=tests&test={next(iter(said))}", until=".results")
        rows = page.locator(".results tbody tr:not(.besides)").all_inner_texts()
        assert [row.count("not run") for row in rows] == [2, 2]


def test_corpora_and_campaigns_may_be_in_one_folder(two):
    found = page_content([str(Corpus("@complete/2x2").folder), two[0].rpartition("/")[0]])
    assert [corpus.name for corpus in found.corpora] == [str(Corpus("@complete/2x2").folder)]
    assert [str(folder) for folder in found.findings.campaigns] == two
