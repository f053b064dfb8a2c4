"""What notebooks show: HTML and SVG in which every text is escaped. The notebook of the documents runs."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from synth import (
    Corpus,
    InputError,
    Program,
    analyse,
    check,
    enumerate_tests,
    explain,
    lattice_of,
    models_named,
    save,
)
from synth_checker import notebook as hooks
from synth_checker.programs.normal import program_of_id
from synth_litmus.lts import lts_of

NOTEBOOK = Path(__file__).parents[2] / "docs" / "first-steps.ipynb"
MUTEX = "01100002-01100002"
CAMPAIGN = ("campaign", "run", "--device", "sim:strided", "@minimal/2x2", "--mapping", "chunked", "--instances", "20")
HOSTILE = "<img src=x onerror=alert(1)><!--\u202e"


class Text(HTMLParser):
    """The elements and the text of some HTML."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.text = set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):  # noqa: ARG002  (as it is called)
        self.elements.add(tag)

    def handle_data(self, data):
        self.text += data


def test_a_program_and_its_check_are_shown_with_their_text():
    assert "if (Exch(Mem[0],1) == 1) goto 0;" in Text(program_of_id(MUTEX)._repr_html_()).text
    assert program_of_id(MUTEX)._repr_svg_() is None
    shown = Text(check(MUTEX)._repr_html_())
    assert "A test." in shown.text
    assert re.search(r"HSA\+OBE\s*pass\s*pass", shown.text)
    assert "breaks possible-termination" in Text(check("00_0")._repr_html_()).text
    assert Program(())._repr_html_() is None


def test_an_explanation_and_a_lattice_are_drawn():
    explanation = explain("mutex", "HSA.weak")
    shown = Text(explanation._repr_html_())
    assert all(sentence in shown.text for sentence in explanation.sentences)
    assert "img" in shown.elements
    assert ET.fromstring(explanation._repr_svg_())[0].text == f"{MUTEX} fails HSA.weak"  # noqa: S314
    assert lattice_of("2x2", models_named(["HSA"]))._repr_svg_().count('class="node"') == 2


def test_a_transition_system_is_drawn_unless_it_is_too_large():
    assert lts_of(program_of_id(MUTEX))._repr_svg_().count('class="node"') == 8
    large = lts_of(program_of_id("0010" * 7 + "-" + "0010" * 7 + "-" + "0010" * 7))
    assert len(large.product.states) > 400
    assert (large._repr_svg_(), large._repr_html_()) == (None, None)


def test_tests_are_shown_in_tables_the_first_ones_by_name(tmp_path, monkeypatch):
    found = enumerate_tests("2x2")
    assert "producer-consumer-increasing-hasty-pebble" in found._repr_html_()
    monkeypatch.chdir(tmp_path)
    save(found, HOSTILE)
    shown = Text(Corpus(HOSTILE)._repr_html_())
    assert "<img src=x onerror=alert(1)><!--\\u202e: 8 tests of 2x2, complete" in shown.text
    assert shown.elements.isdisjoint({"img", "script"})
    assert "The first 10 of 162 tests" in Text(Corpus("@complete/2x3")._repr_html_()).text


@pytest.mark.full
def test_a_campaign_is_shown_with_its_claims_and_names_of_others_stay_text(synth, tmp_path):
    assert synth(*CAMPAIGN, "--out", "c").code == 0
    analysis = analyse(tmp_path / "c")
    (device,) = analysis.devices
    places = (device.results.places[0]._replace(name=HOSTILE),)
    renamed = replace(device, results=replace(device.results, places=places))
    shown = Text(replace(analysis, devices=(renamed,))._repr_html_())
    assert "violates" in shown.text
    assert "<img src=x onerror=alert(1)><!--\\u202e" in shown.text
    assert shown.elements.isdisjoint({"img", "script"})
    assert repr(analyse([str(tmp_path / "c")], models="HSA")) == repr(analysis)
    with pytest.raises(InputError):
        analyse(tmp_path)


def test_without_views_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(hooks, "_modules", [])
    assert (program_of_id(MUTEX)._repr_html_(), program_of_id(MUTEX)._repr_svg_()) == (None, None)


def test_the_notebook_is_committed_without_outputs():
    book = json.loads(NOTEBOOK.read_text("utf-8"))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 8
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def cells_of(notebook, folder):
    """The code cells of a notebook, after it has run."""
    script = (
        "import sys, nbformat; from nbclient import NotebookClient; book = nbformat.read(sys.argv[1], 4); "
        "NotebookClient(book, timeout=600, kernel_name='python3').execute(); print(nbformat.writes(book))"
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "HOME": str(folder), "IPYTHONDIR": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-P", "-c", script, str(notebook)], cwd=folder, env=env, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return [cell for cell in json.loads(ran.stdout)["cells"] if cell["cell_type"] == "code"]


#: What the notebooks must come to, by what the last line of a cell is.
SAID = {
    "model-designer": {
        "same.equal": "False",
        "[verdicts for verdicts in order.classes if len(verdicts) > 1]": "('HSA+OBE.weak', 'mine.weak')",
    },
    "kernel-author": {"answer.needs": "('OBE.weak',)", "(less.needs, proved.verdict)": "(('unfair',), 'verified')"},
}


@pytest.mark.full
@pytest.mark.parametrize("name", SAID)
def test_a_notebook_runs_and_says_what_its_text_says(name, tmp_path):
    said = {}
    for cell in cells_of(NOTEBOOK.with_name(f"{name}.ipynb"), tmp_path):
        assert cell["outputs"], cell["source"]
        text = cell["outputs"][-1].get("data", {}).get("text/plain", "")
        said["".join(cell["source"]).splitlines()[-1]] = "".join(text)
    assert all(text in said[line] for line, text in SAID[name].items())


@pytest.mark.full
def test_the_first_notebook_runs_and_shows_something_in_each_cell(tmp_path):
    code = cells_of(NOTEBOOK, tmp_path)
    kinds = [{kind for output in cell["outputs"] for kind in output.get("data", {output.get("name")})} for cell in code]
    assert all(kinds)
    assert [number for number, found in enumerate(kinds) if "text/html" not in found] == [len(code) - 2]
    assert sum("image/svg+xml" in found for found in kinds) == 3
