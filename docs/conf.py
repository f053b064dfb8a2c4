"""The settings of Sphinx for the site: `make site` builds it, without a request to the network.

The pages are those of this folder, in MyST Markdown. The explorer, with all tests of the paper's bounds, is a file of
the site beside its pages.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]

project = "synth"
release = version = PROJECT["version"]
author = "the authors of synth"
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "index"
include_patterns = ["index.md", "*/*.md"]
nitpicky = True

myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["myst.header"]  # the reference begins some sections two levels below the last
highlight_language = "none"

html_theme = "furo"
html_title = "synth"
html_static_path: list[str] = []
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which a browser refuses for files
pygments_style, pygments_dark_style = "a11y-high-contrast-light", "a11y-high-contrast-dark"
#: Only the commands of a session are copied, without the prompt.
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

man_pages = [("look-up/cli", "synth", PROJECT["description"], author, 1)]
#: The corpora of the explorer: the paper's bounds.
BOUNDS = ("2x2", "2x3", "2x4", "3x3", "3x4")
#: What the theme's pages lack for people who cannot see them, or have no mouse.
MENDED = {
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    '<aside class="toc-drawer no-toc">': '<aside class="toc-drawer no-toc" aria-label="This page">',
    "<pre>": '<pre tabindex="0">',
    'docutils container">\n<table': 'docutils container" tabindex="0">\n<table',
    '<div id="search-results"': '<h1>Search</h1>\n<div id="search-results"',
}


def _finish(app: Sphinx, error: Exception | None) -> None:
    """Mend the theme's pages, and put the explorer beside them."""
    if error is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    for path in out.rglob("*.html"):
        text = path.read_text("utf-8")
        for old, new in MENDED.items():
            text = text.replace(old, new)
        path.write_text(text, "utf-8")
    corpora = [f"@complete/{bound}" for bound in BOUNDS]
    page = out / "explorer.html"
    command = [Path(sys.executable).with_name("synth"), "explore", *corpora, "--out", page, "--force"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def setup(app: Sphinx) -> None:
    """Called by Sphinx at its start."""
    app.connect("build-finished", _finish)
