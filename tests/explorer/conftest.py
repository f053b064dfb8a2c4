"""What the tests of the page share: the tools of its build, its program under Node, and a browser.

The tools are those of the lockfile. npm installs them into a folder of their own, so that a checkout stays as it is.
"""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from synth_corpus.store import Corpus
from synth_explorer.page import page_of

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "explorer" / "page"
CHROMIUM = shutil.which("chromium")
#: The five bounds of the paper.
FIVE = [f"@complete/{bound}" for bound in ("2x2", "2x3", "2x4", "3x3", "3x4")]


@pytest.fixture(scope="session")
def tools(tmp_path_factory):
    """A copy of the page's sources, with what the lockfile names."""
    folder = tmp_path_factory.mktemp("page") / "page"
    shutil.copytree(SOURCES, folder, ignore=shutil.ignore_patterns("node_modules"))
    words = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def under_node(tools):
    """A function that runs a part of the page's program under Node: it takes lines, and returns a value for each."""
    bundle = tools / "for_tests.mjs"
    words = [
        "npx", "esbuild", "src/for_tests.ts", "--bundle", "--platform=node", "--format=esm", f"--outfile={bundle}",
        "--log-level=warning",
    ]  # fmt: skip
    subprocess.run(words, cwd=tools, check=True)

    def run(part, lines, *more):
        given = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(["node", bundle, part, *more], input=given, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium without a window, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    with sync_playwright() as playwright:
        flags = [] if os.geteuid() else ["--no-sandbox"]  # Chromium has no sandbox for root
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield started
        started.close()


@pytest.fixture
def opened(browser):
    """A function that opens a page. No page may write an error to the console, or ask for anything but its own file."""
    faults = []
    contexts = []

    def listen(page, address):
        page.on("console", lambda said: faults.append(said.text) if said.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: None if asked.url == address else faults.append(asked.url))

    def open_(path, after="", *, width=1280, dark=False, bypass_csp=False, until="[role=grid]"):
        scheme = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=bypass_csp
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        listen(page, path.as_uri())
        page.goto(path.as_uri() + after)
        if until:
            page.wait_for_selector(until)
        return page

    open_.faults = faults
    yield open_
    with contextlib.suppress(Exception):
        for context in contexts:
            context.close()
    assert faults == []


@pytest.fixture(scope="session")
def five(tmp_path_factory):
    """The page of all tests of the paper's bounds."""
    path = tmp_path_factory.mktemp("five") / "five.html"
    path.write_bytes(page_of([Corpus(word) for word in FIVE]))
    return path
