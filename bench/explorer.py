"""How large the pages of `synth explore` are, and how quick they are in Chromium.

    explorer.py [TESTS]

measures the page of the paper's five bounds, and that of so many tests of 2x5 (100,000 by default). It needs Playwright
(`pip install playwright`) and the command `chromium`. Each time is the best of five, because other programs may be
busy.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from support.tables import print_reading, print_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SYNTH = Path(sys.executable).with_name("synth")
FIVE = [f"@complete/{bound}" for bound in ("2x2", "2x3", "2x4", "3x3", "3x4")]
TRIES = 5
#: Each of these returns the milliseconds from an event until the page has been laid out anew.
FILTER = """() => {
    const select = document.querySelector('fieldset select');
    const before = performance.now();
    select.value = select.value === 'pass' ? 'fail' : 'pass';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    return new Promise((done) => requestAnimationFrame(() => {
        document.querySelector('.body').getBoundingClientRect();
        done(performance.now() - before);
    }));
}"""
OPEN = """(number) => {
    const before = performance.now();
    document.querySelectorAll('.body .row')[number].click();
    return new Promise((done) => requestAnimationFrame(() => {
        document.querySelector('.test svg').getBoundingClientRect();
        done(performance.now() - before);
    }));
}"""
SCROLL = """(share) => {
    const grid = document.querySelector('[role=grid]');
    grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        done(document.querySelectorAll('[role=row]').length);
    })));
}"""


class Figures(NamedTuple):
    """What is measured of a page: bytes, milliseconds, and the most rows of the table at once."""

    size: int
    usable: float
    filter: float
    first_opened: float
    opened: float
    rows: int


def figures_of(browser: Browser, path: Path) -> Figures:
    """Measure a page."""
    page = _opened(browser, path)
    rows = max(page.evaluate(SCROLL, place / 10) for place in range(11))
    filtered = min(page.evaluate(FILTER) for _ in range(TRIES))
    page.close()
    page = _opened(browser, path)
    first = page.evaluate(OPEN, 0)
    later = min(page.evaluate(OPEN, number) for number in range(1, TRIES + 1))
    page.close()
    return Figures(path.stat().st_size, min(_usable(browser, path) for _ in range(TRIES)), filtered, first, later, rows)


def _opened(browser: Browser, path: Path) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(path.as_uri())
    page.wait_for_selector("[role=grid]")
    return page


def _usable(browser: Browser, path: Path) -> float:
    """Return how long it takes from navigation until the table is there."""
    page = _opened(browser, path)
    found = page.evaluate("performance.getEntriesByName('usable')[0].startTime")
    page.close()
    return float(found)


def main(tests: str = "100000") -> None:
    """Print the table."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print_reading("Not measured: Playwright is not installed.")
        return
    chromium = shutil.which("chromium")
    if chromium is None:
        print_reading("Not measured: there is no command chromium.")
        return
    rows = []
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = Path(temporary)
        _write_pages(folder, tests)
        flags = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has no sandbox for root
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        version = browser.version
        for name, path in (("10,986", folder / "five.html"), (f"{int(tests):,}", folder / "many.html")):
            found = figures_of(browser, path)
            times = (f"{milliseconds:.0f} ms" for milliseconds in found[1:5])
            rows.append((name, f"{found.size / 1e6:.2f} MB", *times, str(found.rows)))
        browser.close()
    header = ("tests", "file", "usable after", "a filter", "first test opened", "a later one", "rows in the document")
    print_table(f"Pages in Chromium {version.partition('.')[0]}", header, rows)
    print_reading(
        "The goals are 1.5 MB and 1 s for 10,986 tests, 3 MB and 1.5 s for 100,000, 50 ms for a filter over 10,986 "
        "tests, and at most 100 rows."
    )


def _write_pages(folder: Path, tests: str) -> None:
    def synth(*words: str, out: str = os.devnull) -> None:
        with (folder / out).open("wb") as stdout:
            subprocess.run([SYNTH, *words], cwd=folder, check=True, stdout=stdout)  # noqa: S603  (our command)

    synth("explore", *FIVE, "--out", "five.html")
    synth("enumerate", "--bounds", "2x5", "--out", "2x5.corpus")
    synth("corpus", "sample", "2x5.corpus", "-n", tests, out="some.jsonl")
    synth("corpus", "import", "some.jsonl", "--format", "jsonl", "--out", "some.corpus")
    synth("explore", "some.corpus", "--out", "many.html")


if __name__ == "__main__":
    main(*sys.argv[1:])
