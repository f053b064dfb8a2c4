"""What reports, tables, figures and pages say of cells that were not run, or have no result."""

import csv
import io
import json
import re
from html import unescape
from xml.etree import ElementTree as ET

import pytest

import campaigns
from quick import mostly_full
from synth_analysis.frequency import FREQUENCIES
from synth_analysis.tables.figures import figure_of
from synth_analysis.tables.order import next_above
from synth_documents.table import Table
from synth_explorer.page_content import page_content
from synth_explorer.views.results import packed_results

ONE, OTHER = "00_0-0011", "0011-00_0"
MISSING = "command:/no/such/program"
WHY = f"{MISSING}: nothing was launched: found no program /no/such/program"
#: What reads as if something had been tested.
PRAISE = ("not violated", "No verdict was seen to be violated", "0 cells hung")
CAMPAIGN_TABLES = ("never-sometimes-always", "order")


@pytest.fixture
def nothing(tmp_path):
    campaigns.run(tmp_path / "c", campaigns.settings(MISSING, [ONE, OTHER]))
    return tmp_path / "c"


def texts_of(svg):
    """The texts of a figure, also those on several lines, as one text."""
    figure = ET.fromstring(svg)  # noqa: S314  (we have written it)
    return " ".join(" ".join(element.itertext()) for element in figure.iter() if element.tag.endswith("}text"))


@pytest.mark.full
def test_a_report_on_nothing_says_why_and_praises_nothing(synth, nothing):
    for form in ("html", "markdown"):
        written = synth("report", nothing, "--format", form).out
        told = unescape(re.sub(r"<[^>]+>", "", written))
        assert "2 cells in c: no launch ended or hung." in told
        assert "Nothing was launched: found no program /no/such/program" in told
        assert not [words for words in PRAISE if words in told]
    assert f"| {MISSING} | nothing was launched yet | 2 | 2 | 0 |  |" in written


@pytest.mark.full
@pytest.mark.parametrize("name", CAMPAIGN_TABLES)
def test_tables_and_figures_of_nothing_say_why(synth, nothing, name):
    words = ("campaign", "table", nothing, "--name", name)
    assert f"\n\n{WHY}" in synth(*words).out
    assert json.loads(synth(*words, "--format", "json").out)["notes"][0].startswith(WHY)
    written = synth(*words, "--format", "csv")
    assert WHY not in written.out
    assert written.err.startswith(f"synth: {WHY}")
    assert WHY in texts_of(synth("plot", name, nothing).out)


@pytest.mark.full
def test_cells_that_were_not_run_are_no_zeros(synth, nothing):
    words = ("campaign", "table", nothing, "--name", "never-sometimes-always")
    (row,) = csv.DictReader(io.StringIO(synth(*words, "--format", "csv").out))
    assert {word: row[word] for word in ("cells", "no result", "not run", "launches")} == {
        "cells": "2", "no result": "0", "not run": "2", "launches": "",
    }  # fmt: skip
    texts = texts_of(synth("plot", "never-sometimes-always", nothing).out)
    assert "nothing was launched not run" not in texts
    assert all(words in texts for words in ("nothing was launched", "not run"))


def test_a_page_on_nothing_says_why_and_praises_nothing(nothing):
    packed = packed_results(page_content([str(nothing)]).findings)
    (device,) = packed.devices
    assert device.launched.endswith(": no launch ended or hung")
    assert device.short[0].startswith("Nothing was launched: found no program /no/such/program")
    assert [cell.run for cell in packed.cells] == [False, False]
    assert not [words for words in PRAISE if words in json.dumps(packed)]


@pytest.mark.full
def test_cells_of_which_some_have_no_result_are_told_apart(synth, tmp_path):
    third = "0010-000001_0"
    device, _ = campaigns.fake(tmp_path / "fake", {ONE: "ends", OTHER: "crashes"})
    campaigns.run(tmp_path / "c", campaigns.settings(device, [ONE, OTHER, third]), campaigns.Watcher(2))
    words = ("campaign", "table", tmp_path / "c", "--name", "never-sometimes-always", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(synth(*words).out))
    assert [row[word] for word in ("cells", "never", "no result", "not run")] == ["3", "1", "1", "1"]
    texts = texts_of(synth("plot", "never-sometimes-always", tmp_path / "c").out)
    assert all(words in texts for words in ("no cell with a result hung", "no result", "not run"))
    packed = packed_results(page_content([str(tmp_path / "c")]).findings)
    assert [(cell.counted, cell.run) for cell in packed.cells] == [(2, True), (0, True), (0, False)]
    report = synth("report", tmp_path / "c", "--format", "markdown").out
    assert "| fake device, driver 1 | 3 | 2 | 2 | 0 |" in report


# --- figures of tables that are made here ---

LONG = f"vulkan:GeForce: {'NVIDIA GeForce RTX 4090 Laptop GPU, driver 565.77.01, ' * 3}queue family 2"
SETTING = (
    "random:7+, threads in invocations, 65535 instances, 12 stress workgroups (add:256:1:test), 64 threads a workgroup"
)
TESTS = tuple("abcde")
#: The layout depends a little on the resolution, which is another one when a figure is saved. In inches.
TINY = 0.02
COLUMNS = ("device", "setting", "cells", *FREQUENCIES, "launches")


def frequency(*rows, lacks=()):
    return Table("How many tests hang never, sometimes or always", COLUMNS, rows, lacks, lacks)


def order(*claims):
    """The order for some devices, of which each has one claim for all verdicts."""
    rows = tuple((name, ", ".join(above), *claims) for name, above in next_above().items())
    return Table("The order", ("verdict", "next above", *(f"{LONG} {k}" for k in range(len(claims)))), rows)


SOME = frequency(
    (LONG, "plain", 4, 4, 0, 0, 0, 0, 0, 20),
    (LONG, SETTING, 9, 4, 2, 1, 0, 2, 0, 20),
    (f"{LONG}5", "plain", 5, 0, 0, 0, 0, 5, 0, None),
    (f"{LONG}6", "plain", 7, 0, 0, 0, 0, 0, 7, None),
    lacks=(f"{LONG}6: nothing was launched.",),
)


@pytest.fixture
def panels(monkeypatch):
    """A function that draws a table, and returns the figure with its extent in inches."""
    from matplotlib.figure import Figure

    saved = []
    save = Figure.savefig

    def kept(figure, *words, **more):
        saved.append((figure, more.get("bbox_inches") or figure.bbox_inches))
        return save(figure, *words, **more)

    monkeypatch.setattr(Figure, "savefig", kept)

    def draw(name, table):
        figure_of(name, table)
        return saved[-1]

    return draw


@pytest.mark.full
@mostly_full(
    ("name", "table"),
    [
        ("never-sometimes-always", SOME),
        ("never-sometimes-always", frequency((LONG, SETTING, 4, 4, 0, 0, 0, 0, 0, 20))),
        ("never-sometimes-always", frequency(*((f"{LONG}{k}", SETTING, 4, 4, 0, 0, 0, 0, 0, 20) for k in range(6)))),
        ("order", order("not tested")),
        ("order", order("violates", "consistent with", "inconclusive")),
        ("tests", Table("Tests", TESTS, ((f"a/{'long' * 30}.corpus", 2, 3, 5, "yes"),))),
        ("discovery", Table("Tests", TESTS, ((f"a/{'long' * 40}.job", "2x3", 5.0, 7, 100),))),
    ],
)
def test_no_text_of_a_figure_is_cut_off(panels, name, table):
    from matplotlib.text import Text

    figure, extent = panels(name, table)
    texts = [text for text in figure.findobj(Text) if re.search("[a-z]", text.get_text())]  # and no numbers of an axis
    boxes = [text.get_window_extent().transformed(figure.dpi_scale_trans.inverted()) for text in texts]
    assert [text.get_text() for text in texts if "..." in text.get_text()] == []
    assert all(extent.x0 - TINY < box.x0 and box.x1 < extent.x1 + TINY for box in boxes)
    assert all(extent.y0 - TINY < box.y0 and box.y1 < extent.y1 + TINY for box in boxes)
    assert all(panel.get_window_extent().height > 0.5 * figure.dpi for panel in figure.axes)


@pytest.mark.full
def test_a_bar_has_a_number_only_if_some_cell_has_a_result(panels):
    figure, _ = panels("never-sometimes-always", SOME)
    plain, other = ([text.get_text() for text in panel.texts] for panel in figure.axes)
    assert [text for text in plain if text] == ["0", "0", "5", "7", "no cell with a result hung"]
    assert [text for text in other if text] == ["1", "2", "2", "not run", "not run"]
    hatches = {bar.get_hatch() for panel in figure.axes for bar in panel.patches if bar.get_height()}
    assert len(hatches) == 3
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["always", "sometimes", "no result", "not run"]


@pytest.mark.full
@mostly_full(
    ("row", "said"),
    [
        ((4, 4, 0, 0, 0, 0, 0, 20), "no cell hung"),
        ((4, 1, 0, 0, 0, 3, 0, 20), "no cell with a result hung"),
        ((4, 0, 0, 0, 0, 3, 1, None), "no cell has a result"),
        ((4, 0, 0, 0, 0, 0, 4, None), "nothing was launched"),
        ((4, 3, 0, 1, 0, 0, 0, 20), ""),
    ],
)
def test_an_empty_panel_says_why(panels, row, said):
    figure, _ = panels("never-sometimes-always", frequency(("sim", "plain", *row)))
    (panel,) = figure.axes
    assert [text.get_text() for text in panel.texts if text.get_text().startswith("no")] == [said] * bool(said)


@mostly_full(
    ("name", "table", "said"),
    [
        ("tests", Table("Tests", TESTS, (("a.corpus", 2, 3, 0, "yes"),)), "the corpora have no test"),
        ("discovery", Table("Tests", TESTS, (("a.job", "2x3", 5.0, 0, 100),)), "no test was found so far"),
        ("strong-weak", Table("Tests", TESTS, (("all tests", 0, 0, None, None),)), "no test"),
    ],
)
def test_an_empty_figure_of_tests_says_so(panels, name, table, said):
    figure, _ = panels(name, table)
    assert said in [text.get_text() for text in figure.axes[0].texts]


@pytest.mark.full
def test_only_what_is_consistent_with_a_verdict_is_green(panels):
    """In the drawing, the part of green is the largest one of a green colour."""
    for claim in ("violates", "consistent with", "inconclusive", "not tested"):
        figure, _ = panels("order", order(claim))
        colours = {text.get_bbox_patch().get_facecolor()[:3] for text in figure.axes[0].texts}
        ((red, green, blue),) = colours
        assert (green > max(red, blue)) == (claim == "consistent with")
