"""The page in a browser: the table, filters, addresses, the keyboard, and what must never happen."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corpora
from browsing import violations, wait_until
from names_of_others import HOSTILE, ON_A_PAGE
from synth_checker.programs.text import write_program
from synth_corpus.store import Corpus
from synth_explorer.page import page_of

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
COUNT = ".count"
ROOT = Path(__file__).parents[2]


def written(path, *folders):
    path.write_bytes(page_of([Corpus(folder) for folder in folders]))
    return path


def shown(page):
    """The number of tests that the page says it shows."""
    return int(re.match(r"[\d,]+", page.inner_text(COUNT))[0].replace(",", ""))


def ids_of(page):
    return [text.strip() for text in page.locator("[role=grid] .body .id").all_inner_texts()]


def choose(page, label, value):
    page.get_by_role("combobox", name=label, exact=True).select_option(value)


@pytest.fixture(scope="module")
def records():
    return [record for bound in ("2x2", "2x3", "2x4", "3x3", "3x4") for record in Corpus(f"@complete/{bound}")]


def test_the_table_has_all_tests_and_few_rows(opened, five, records):
    page = opened(five)
    assert shown(page) == len(records) == 10_986
    assert page.get_attribute("[role=grid]", "aria-rowcount") == "10987"
    ids = sorted(record.id for record in records)
    assert ids_of(page)[:20] == ids[:20]
    for to in (0.5, 1.0):
        page.locator("[role=grid]").evaluate(
            "(grid, to) => { grid.scrollTop = to * (grid.scrollHeight - grid.clientHeight) }", to
        )
        wait_until(page, "(id) => !document.querySelector('.body').textContent.includes(id)", arg=ids[0])
        assert 10 < page.locator("[role=row]").count() <= 100
    wait_until(page, "(id) => document.querySelector('.body').textContent.includes(id)", arg=ids[-1])
    assert ids_of(page)[-1] == ids[-1]
    last = page.locator("[role=row]").last
    assert last.get_attribute("aria-rowindex") == "10987"


def test_the_matrix_says_what_the_records_say(opened, five, records):
    page = opened(five)
    by_id = {record.id: record for record in records}
    words = {("pass", "pass"): "passes", ("fail", "pass"): "passes only the strong form", ("fail", "fail"): "fails"}
    headers = [text.strip(" ▲▼") for text in page.locator("[role=columnheader]").all_inner_texts()]
    rows = page.locator(".body [role=row]").all()
    assert len(rows) > 20
    for row in rows:
        cells = row.locator("[role=gridcell]").all_text_contents()
        record = by_id[cells[0]]
        for model, cell in zip(headers, cells, strict=True):
            if model in {"HSA", "OBE", "LOBE", "HSA+OBE", "fair"}:
                expected = words[record.verdicts[f"{model}.weak"], record.verdicts[f"{model}.strong"]]
                assert cell[1:] == expected


def test_filters_show_the_tests_that_the_records_name(opened, five, records):
    page = opened(five)

    def expect(fits):
        wanted = sorted(record.id for record in records if fits(record))
        wait_until(
            page,
            "(wanted) => document.querySelector('.count').textContent.replaceAll(',', '').startsWith(wanted + ' ')",
            arg=str(len(wanted)),
        )
        assert ids_of(page)[:20] == wanted[:20]

    choose(page, "HSA.weak", "pass")
    expect(lambda record: record.verdicts["HSA.weak"] == "pass")
    choose(page, "OBE.strong", "fail")
    expect(lambda record: record.verdicts["HSA.weak"] == "pass" and record.verdicts["OBE.strong"] == "fail")
    choose(page, "Size", "2x3")
    expect(
        lambda record: (
            record.verdicts["HSA.weak"] == "pass"
            and record.verdicts["OBE.strong"] == "fail"
            and len(record.program.threads) == 2
            and sum(map(len, record.program.threads)) == 3
        )
    )
    page.get_by_role("button", name="Show all tests").click()
    expect(lambda _: True)
    page.get_by_label("Search ids, names and programs").fill("Exch(Mem[0], 1) == 1) goto END")
    expect(lambda record: "if (Exch(Mem[0],1) == 1) goto END;" in write_program(record.program))


def test_the_address_has_all_that_is_chosen(opened, five):
    page = opened(five)
    choose(page, "HSA.weak", "pass")
    choose(page, "Sort by", "name")
    page.get_by_label("Search ids, names and programs").fill("0011")
    before = (shown(page), ids_of(page))
    page.locator("[role=grid]").focus()
    page.keyboard.press("Enter")
    name = page.inner_text("#test-name")
    address = page.evaluate("location.hash")
    assert address == "#q=0011&sort=name&test=" + page.inner_text(".test > .id") + "&pass=HSA.weak"
    again = opened(five, address, until="#test-name")
    assert again.inner_text("#test-name") == name
    assert (shown(again), ids_of(again)) == before
    page.go_back()
    page.wait_for_selector("#test-name", state="detached")
    page.go_forward()
    assert page.inner_text("#test-name") == name


def test_an_address_of_other_data_says_what_is_not_here(opened, five):
    page = opened(five, "#test=00_0-0017&pass=HSA.weak,TSO.weak&size=9x9&constructor=1&minimal=perhaps")
    assert page.locator(".notice").all_inner_texts() == [
        "This page has no test 00_0-0017, which the address names.",
        "This page has no verdict TSO.weak, which the address names.",
        "This page has no test of the size 9x9, which the address names.",
        "This page does not know the word constructor of the address.",
        "This page has no choice of minimal tests called perhaps, which the address names.",
    ]
    assert page.get_by_role("combobox", name="HSA.weak", exact=True).input_value() == "pass"


def test_the_keyboard_alone_is_enough(opened, five):
    page = opened(five)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "grid":
            break
    active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    row = f"{active}?.getAttribute('aria-rowindex')"
    assert page.evaluate(row) == "2"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(row) == "3"
    page.keyboard.press("End")
    wait_until(page, f"{row} === '10987'")
    page.keyboard.press("Home")
    wait_until(page, f"{row} === '2'")
    page.keyboard.press("PageDown")
    second = int(page.evaluate(row))
    assert second > 5
    id_ = page.evaluate(f"{active}.querySelector('.id').textContent")
    # A row that scrolls out of sight leaves the document. The focus stays, and the keyboard goes on from there.
    page.locator("[role=grid]").evaluate("(grid) => { grid.scrollTop = 200000 }")
    wait_until(page, f"{active} === null")
    page.keyboard.press("ArrowDown")
    wait_until(page, f"{row} === '{second + 1}'")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.inner_text(".test > .id") == id_
    assert page.evaluate("document.activeElement.id") == "test-name"
    page.keyboard.press("Escape")
    page.wait_for_selector("#test-name", state="detached")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "grid"
    assert page.evaluate(row) == str(second)


def test_the_number_of_tests_is_announced(opened, five):
    page = opened(five)
    choose(page, "fair.strong", "fail")
    wait_until(page, "document.querySelector('[role=status]').textContent === '0 of 10,986 tests'")


def test_a_damaged_file_says_so_and_shows_no_verdict(opened, tmp_path):
    good = page_of([Corpus("@complete/2x3")])
    start = good.index(b'id="data">') + len(b'id="data">')
    end = good.index(b"</script>", start)
    chance = random.Random(2)
    for place in [start, end - 1, *chance.sample(range(start, end), 6)]:
        bad = bytearray(good)
        bad[place] ^= 1 << chance.randrange(7)
        (tmp_path / "bad.html").write_bytes(bad)
        page = opened(tmp_path / "bad.html", until="[role=alert]")
        assert page.inner_text("[role=alert]").startswith("This file is damaged, so nothing of it is shown.")
        assert page.locator("[role=grid]").count() == 0


def test_an_incomplete_corpus_says_so_at_the_top(opened, tmp_path):
    corpora.write(tmp_path / "part", corpora.some(30), complete=False)
    page = opened(written(tmp_path / "part.html", tmp_path / "part"))
    assert page.locator("main > .notice").all_inner_texts() == [
        "The corpus part is incomplete: its run was stopped. It may lack tests of 2x4."
    ]
    assert page.locator("main > *").first.get_attribute("class") == "notice"


def test_hostile_names_are_text(opened, tmp_path):
    corpora.write(tmp_path / "bad", corpora.of({"00_0-0011": (3 << 9, {"aliases": HOSTILE, "idiom": HOSTILE[0]})}))
    page = opened(written(tmp_path / "bad.html", tmp_path / "bad"), "#test=00_0-0011", until="#test-name")
    text = page.locator(".test").evaluate("(test) => test.textContent")
    for name in ON_A_PAGE:
        assert name in text
    assert not [letter for letter in text if not letter.isprintable() and letter != "\n"]
    assert page.locator("script").count() == 2
    assert page.locator("img, foreignObject").count() == 0
    page.get_by_label("Search ids, names and programs").fill(HOSTILE[2])
    wait_until(page, "document.querySelector('.count').textContent === '1 test'")


def test_the_policy_stops_foreign_scripts_styles_and_requests(browser, five):
    """On a page of its own, because each of these attempts is an error that the browser reports."""
    page = browser.new_page()
    asked = []
    page.on("response", lambda response: asked.append(response.url))
    page.on("requestfailed", lambda request: asked.append(request.failure))
    page.goto(five.as_uri())
    page.wait_for_selector("[role=grid]")
    attempts = """async () => {
        const found = [];
        await new Promise((done) => setTimeout(done, 1)); // until then, the policy lets the debugger evaluate
        const attempt = async (name, work) => {
            try { await work(); found.push(name) } catch {}
        };
        await attempt('eval', () => eval('1'));
        await attempt('html', () => { document.body.innerHTML = '<b>x</b>' });
        await attempt('fetch', () => fetch('https://example.com/'));
        await attempt('image', () => new Promise((good, bad) => {
            const image = new Image(); image.onload = good; image.onerror = bad; image.src = 'https://example.com/a.png';
        }));
        return found;
    }"""
    assert page.evaluate(attempts) == []
    assert set(asked) == {five.as_uri(), "csp"}
    page.close()


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
@pytest.mark.parametrize(
    "view",
    [
        "",
        "#test=01100002-01100002&verdict=HSA.weak&run=1&target=wgsl",
        "#pass=HSA.weak&size=2x2&test=nowhere",
        "#view=play&verdict=OBE.weak",
    ],
)
def test_no_view_breaks_a_rule_of_axe(opened, five, tools, view, width, dark):
    page = opened(
        five, view, width=width, dark=dark, bypass_csp=True, until="[role=grid]:visible, #test-name:visible, .play"
    )
    if page.locator(".filter-box:not([open]):visible").count():
        page.locator(".filter-box summary").click()
    assert violations(page, tools) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_notices_what_is_wrong(opened, five, tools):
    page = opened(five, bypass_csp=True)
    page.locator("[role=grid]").evaluate("(grid) => grid.removeAttribute('aria-label')")
    page.locator("h1").evaluate("(title) => { title.style.color = '#eee' }")
    assert {name for name, _ in violations(page, tools)} >= {"color-contrast"}


@pytest.mark.exhaustive
def test_a_page_is_as_small_and_as_quick_as_promised():
    """As the benchmark measures it. Other programs may be busy, too, so this is run by hand."""
    words = [sys.executable, "bench/explorer.py"]
    table = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    row = r"^  {}  +([\d.]+) MB  +(\d+) ms  +(\d+) ms  +\d+ ms  +\d+ ms  +(\d+)$"
    for tests, most_size, most_usable, most_filter in (("10,986", 1.5, 1000, 50), ("100,000", 3.0, 1500, 500)):
        size, usable, filtered, rows = map(float, re.search(row.format(tests), table, re.MULTILINE).groups())
        assert size <= most_size
        assert usable <= most_usable
        assert filtered <= most_filter
        assert rows <= 100
