"""Test the site that `make site` builds: each link leads somewhere, nothing comes from elsewhere, axe is content."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from browsing import violations

ROOT = Path(__file__).parents[2]
PAGES = ["index", "learn/index", "learn/kernel-author", "do/campaigns", "look-up/glossary", "results/results", "search"]

pytestmark = pytest.mark.full


class Elements(HTMLParser):
    """What a page loads, where its links lead, and the anchors it has."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.links, self.anchors = [], [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values.get("id"), values.get("name")}
        if tag == "a":
            self.links.append(values.get("href", ""))
        else:
            self.loaded += [values[name] for name in ("src", "href", "data") if values.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make site` builds it: a link that leads nowhere, or another warning, is a failure."""
    folder = tmp_path_factory.mktemp("site")
    build(ROOT / "docs", folder / "site", folder / "trees")
    return folder / "site"


def build(source, out, trees):
    words = [Path(sys.executable).with_name("sphinx-build"), "--quiet", "--fail-on-warning", "--keep-going"]
    done = subprocess.run([*words, "-b", "html", "-d", trees, source, out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def pages(site):
    return {path: Elements(path.read_text("utf-8")) for path in site.rglob("*.html") if path.name != "explorer.html"}


def lost(site):
    """The links of a site that lead to no file or to no anchor, each with its page."""
    found = pages(site)
    anchors = {path.resolve(): elements.anchors for path, elements in found.items()}
    for page, elements in found.items():
        for link in [*elements.links, *elements.loaded]:
            address = urlsplit(link)
            if address.scheme:
                continue
            target = (page.parent / unquote(address.path)).resolve() if address.path else page.resolve()
            if not target.is_file() or unquote(address.fragment) not in anchors.get(
                target, {unquote(address.fragment)}
            ):
                yield page.name, link


def test_every_link_leads_to_a_file_and_an_anchor(site):
    assert len(pages(site)) > 40
    assert list(lost(site)) == []


def test_a_link_that_leads_nowhere_is_noticed(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a><a href="b.html#gone">b</a><img src="c.png">')
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    assert list(lost(tmp_path)) == [("a.html", "b.html#gone"), ("a.html", "c.png")]


def test_no_page_loads_anything_from_elsewhere(site):
    assert [(path, word) for path, elements in pages(site).items() for word in elements.loaded if "//" in word] == []
    styles = [path for path in site.rglob("*.css") if "url(http" in path.read_text("utf-8")]
    assert styles == []


@pytest.fixture
def shown(browser, site):
    """A function that opens a page of the site. The page may ask for files of the site only."""
    faults, contexts = [], []

    def show(name, *, width=1280, dark=False):
        scheme = "dark" if dark else "light"
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else faults.append(asked.url))
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield show
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)], ids=["wide-light", "narrow-dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_page_breaks_a_rule_of_axe(shown, tools, name, width, dark):
    page = shown(f"{name}.html", width=width, dark=dark)
    assert violations(page, tools) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_search_finds_a_page_without_a_server(shown):
    page = shown("search.html?q=starves")
    page.wait_for_selector("#search-results li a")
    assert "explain.html" in " ".join(link.get_attribute("href") for link in page.locator("#search-results li a").all())


def test_the_playground_opens_from_the_first_page(shown):
    page = shown("index.html")
    page.get_by_role("link", name="playground").click()
    page.wait_for_selector(".play")
