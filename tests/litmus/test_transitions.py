"""Test transition systems as graphs: each format has the states and steps of the twin, and the right colours."""

import json
import re
import shutil
import subprocess
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from synth_checker.models import library
from synth_checker.programs.normal import normal_form, program_of_id
from synth_checker.twin import verdicts as twin
from synth_checker.twin.semantics import lts
from synth_checker.verdicts import judge_system
from synth_documents.graphs.dot import dot_of
from synth_documents.graphs.graph import svg_of
from synth_litmus.lts import lts_of, lts_of_system
from synth_litmus.lts.picture import graph_of
from synth_litmus.lts.tables import write_aut, write_json
from transition_tables import SPIN_LOCK

MUTEX = program_of_id("01100002-01100002")
#: In CI, where a skipped test is a failure, it is there.
needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
some_programs = strategies.waiting_programs(threads=(1, 3), instructions=(1, 5)).map(normal_form)
SVG = "{http://www.w3.org/2000/svg}"
#: What could mean something to DOT, to a terminal or to a reader of lines.
EVIL = 'a "name" \\N \\" \x1b[31m\x00 \n } ]; <b> größer &amp; \udc80'


def twin_product(program, model):
    """For each state of the product, the successors and the fair set, under the names that it has in the tables."""
    made = twin.automaton_product(program, model.automaton(len(program)))
    return made.successors, made.fair


class Drawing(NamedTuple):
    """What can be read in a drawing. An edge has its text and its style."""

    title: str
    legend: list[str]
    boxes: list[list[str]]
    edges: list[tuple[str, str]]


def drawing(made):
    picture = ET.fromstring(svg_of(graph_of(made)))  # noqa: S314  (our own)
    groups = picture.findall(f"{SVG}g")
    edges = [group for group in groups if group.get("class") == "edge"]
    return Drawing(
        picture.findtext(f"{SVG}title"),
        [each.text for each in picture.findall(f"{SVG}text") if each.get("class") == "ink"],
        [texts(group) for group in groups if group.get("class") == "node"],
        [(*texts(group), group.findall(f"{SVG}path")[-1].get("class")) for group in edges],
    )


def texts(element):
    return [each.text for each in element.findall(f"{SVG}text")]


# --- as data ---


@given(some_programs)
def test_the_json_without_a_model_is_the_lts_of_the_twin(program):
    found = json.loads(write_json(lts_of(program)))
    states = [(tuple(state["memory"]), tuple(state["pcs"])) for state in found["states"]]
    graph = {state: {} for state in states}
    for each in found["transitions"]:
        graph[states[each["source"]]][each["thread"]] = states[each["target"]]
    assert graph == lts(program)
    assert len(graph) == len(states)
    assert states[0] == ((0,) * program.locations(), (0,) * len(program))


@given(some_programs, st.sampled_from(library()))
def test_the_json_with_a_model_is_the_product_of_the_twin(program, model):
    found = json.loads(write_json(lts_of(program, model.name)))
    states = [((tuple(s["memory"]), tuple(s["pcs"])), s["model"]) for s in found["states"]]
    graph = {state: {} for state in states}
    for each in found["transitions"]:
        graph[states[each["source"]]][each["thread"]] = states[each["target"]]
    successors, fair = twin_product(program, model)
    assert graph == successors
    assert {state: frozenset(s["fair"]) for state, s in zip(states, found["states"], strict=True)} == fair


@given(some_programs, st.sampled_from(library()))
def test_some_step_may_go_on_for_ever_exactly_under_the_forms_that_fail(program, model):
    found = lts_of(program, model.name)
    verdicts = dict(zip(("weak", "strong"), twin.passes(program, model.automaton(len(program))), strict=True))
    going_on = {form for each in found.transitions for form in each.for_ever}
    assert going_on == {form for form in model.forms if not verdicts[form]}
    for each in found.transitions:
        assert each.on_cycle or not each.for_ever
        assert "weak" in each.for_ever or "strong" not in each.for_ever
    for form in going_on & set(model.forms):
        verdict = model.name if len(model.forms) == 1 else f"{model.name}.{form}"
        alone = [each for each in lts_of(program, verdict).transitions if each.for_ever]
        assert [each[:3] for each in alone] == [each[:3] for each in found.transitions if form in each.for_ever]


@given(some_programs, st.none() | st.sampled_from(library()))
def test_the_aldebaran_text_has_the_same_states_and_steps(program, model):
    made = lts_of(program, model and model.name)
    head, *lines = write_aut(made).splitlines()
    assert head == f"des (0, {len(made.transitions)}, {len(made.product.states)})"
    steps = [re.fullmatch(r'\((\d+), "Step !(\d+) !AXB\([\w,]+\)( !\{[\d,]*\})?", (\d+)\)', line) for line in lines]
    assert [tuple(map(int, step.group(1, 2, 4))) for step in steps] == [each[:3] for each in made.transitions]
    assert all((step[3] is None) == (model is None) for step in steps)


def test_the_aldebaran_labels_are_those_of_the_paper():
    """Section 4.2: "Step !0 !AXB(m, 1, 0, true, 1) !{1}" is a step of thread 0 while F contains thread 1."""
    labels = re.findall('"(.*)"', write_aut(lts_of(MUTEX, "OBE")))
    assert "Step !0 !AXB(0,1,0,true,1) !{1}" in labels
    assert '"Step !0 !AXB(0,0,0,false,0)"' in write_aut(lts_of(program_of_id("00_0")))


# --- as drawings ---


def test_the_mutex_is_drawn_as_in_figure_2():
    made = drawing(lts_of(MUTEX))
    assert (made.title, made.legend) == ("01100002-01100002", ["may go on without end"])
    assert len(made.boxes) == 8
    assert made.boxes[0] == ["A", "Mem 0", "pcs 0 0"]
    assert made.boxes[7] == ["H", "Mem 0", "pcs END END"]
    assert len(made.edges) == 10
    assert {text for text, _ in made.edges} == {"T0", "T1"}
    # Whoever waits spins while the other holds the mutex, as in B and E of the figure.
    assert [edge for edge in made.edges if edge[1] == "red"] == [("T1", "red"), ("T0", "red")]


@pytest.mark.parametrize(
    ("model", "colours"),
    [("HSA", ["blue", "red"]), ("OBE", ["blue", "blue"]), ("unfair", ["red", "red"]), ("HSA.strong", ["blue", "red"])],
)
def test_the_cycles_of_the_mutex_are_coloured_as_figure_6_says(model, colours):
    """HSA does not protect thread 1, which holds the mutex while thread 0 spins; OBE protects whoever holds it."""
    made = drawing(lts_of(MUTEX, model))
    assert sorted(style for _, style in made.edges if style != "plain") == colours
    assert len(made.legend) == len(set(colours))
    assert all(re.fullmatch(r"F \{[01,]*\}", lines[-1]) for lines in made.boxes)


def test_what_only_the_weak_form_lets_go_on_is_orange():
    livelock = program_of_id("0010-0100")
    for model, colour in {"fair": "orange", "fair.weak": "red", "fair.strong": "blue"}.items():
        styles = {style for _, style in drawing(lts_of(livelock, model)).edges}
        assert colour in styles <= {"plain", "blue", colour}


def test_boxes_are_lettered_as_the_columns_of_a_table():
    made = lts_of(program_of_id("001000110010-001000110010-00100011"))
    letters = re.findall(r'^  s\d+ \[label="([A-Z]+)', dot_of(graph_of(made)), re.MULTILINE)
    assert len(set(letters)) == len(made.product.states) > 28
    assert letters[:2] + letters[24:29] == ["A", "B", "Y", "Z", "AA", "AB", "AC"]


def test_any_name_is_drawn_as_a_name():
    made = drawing(lts_of(MUTEX, None, EVIL))
    assert made.title == 'a "name" \\N \\" \\x1b[31m\\x00 \\n } ]; <b> größer &amp; \\udc80: 01100002-01100002'
    assert len(made.boxes) == 8


@pytest.mark.full
@needs_graphviz
def test_graphviz_reads_any_name_as_a_name():
    text = dot_of(graph_of(lts_of(MUTEX, "HSA", EVIL)))
    graph = ET.fromstring(subprocess.run(["dot", "-Tsvg"], input=text.encode(), capture_output=True).stdout)[0]  # noqa: S314
    assert (
        texts(graph)[0]
        .replace("\xa0", " ")
        .startswith('a "name" \\N \\" \\x1b[31m\\x00 \\n } ]; <b> größer &amp; \\udc80: ')
    )
    kinds = [group.get("class") for group in graph.findall(f"{SVG}g")]
    assert (kinds.count("node"), kinds.count("edge")) == (8, 10)


def test_a_transition_system_that_is_no_program_is_drawn():
    made = lts_of_system(SPIN_LOCK, "HSA")
    text = dot_of(graph_of(made))
    assert "a table under HSA" in text
    assert text.count(" -> ") == len(made.transitions) == 10
    assert 's2 [label="C\\ntry hold\\nF \\{0\\}' in text or 's2 [label="C\\ntry hold\\nF {0}' in text
    assert 's2 -> s2 [label="T0", tooltip="try hold by 0", color=red' in text
    assert '(2, "Step !0 !try hold to try hold !{0}", 2)' in write_aut(made).splitlines()
    for form in ("weak", "strong"):
        passes = judge_system(SPIN_LOCK) >> 1 + ("weak", "strong").index(form) & 1
        assert any(form in each.for_ever for each in made.transitions) == (not passes)


# --- the command ---


def test_a_drawing_needs_no_other_program(synth, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = synth("lts", "00_0", "--format", "svg")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("<svg ")


@pytest.mark.parametrize("form", ["dot", "svg", "aut", "json"])
def test_a_file_has_what_standard_output_would_have(synth, tmp_path, form):
    words = ("lts", "01100002-01100002", "--model", "HSA", "--format", form)
    printed = synth(*words)
    assert synth(*words, "--out", "file").code == 0
    assert (tmp_path / "file").read_text("utf-8") == printed.out
    again = synth(*words, "--out", "file")
    assert (again.code, "file: this file exists" in again.err) == (2, True)
    assert synth(*words, "--out", "file", "--force").code == 0
