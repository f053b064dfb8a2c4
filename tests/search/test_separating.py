"""Test separating two verdicts and ordering all: witnesses are the smallest, and no edge is superfluous."""

import itertools
import json
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from bounds import ids_of
from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.idioms import idiom_of
from synth_checker.models import Model, library, verdict_names
from synth_checker.models.expression import parse
from synth_checker.reductions.shrink import shrink
from synth_checker.relations.fairness_order import compared
from synth_documents.graphs.dot import dot_of
from synth_litmus.inputs.questions import question
from synth_search.directed.separation import BOUNDS, separate
from synth_search.lattice import lattice_of
from synth_search.lattice.picture import graph_of
from synth_workers.stop import Stop

NAMES = verdict_names(library())
PAPERS = ("2x2", "2x3", "3x3", "2x4", "3x4")


@pytest.fixture(scope="module")
def comparisons():
    """What the checker says of all tests, none left out."""
    return compared(library(), [id_ for bound in PAPERS for id_ in ids_of(bound)])


@pytest.fixture(scope="module")
def lattice():
    return lattice_of(question(BOUNDS), jobs=1)


@pytest.mark.full
def test_every_two_verdicts_are_told_apart_as_by_all_tests(comparisons):
    for verdict, other in itertools.combinations(NAMES, 2):
        for direction in separate(verdict, other, question(BOUNDS), jobs=1):
            expected = comparisons[direction.passes, direction.fails]
            assert direction.implied == (expected.at_most is True)
            if direction.search is not None:
                assert direction.search.tests == [expected.refuted_by]
                assert direction.search.is_smallest


def test_hsa_and_obe_differ_by_a_producer_and_consumer_and_by_a_mutex():
    """As in the paper's section 2.3."""
    there, back = separate("HSA.weak", "OBE.weak", question(BOUNDS))
    for direction, idiom in ((there, "producer-consumer"), (back, "simplified-mutex")):
        (id_,) = direction.search.tests
        (shrunk,) = shrink(id_, {direction.passes: True, direction.fails: False})
        assert idiom_of(shrunk.id).startswith(idiom)


def test_what_is_implied_is_not_searched():
    there, back = separate("OBE.weak", "fair.weak", question("2x2"))
    assert (there.implied, there.threads, back.implied) == (True, 5, False)
    there, _ = separate("OBE.weak", "fair.weak", question("6x6"))
    assert there.threads == 6


@pytest.mark.parametrize(("first", "other"), [("OBE", "fair.weak"), ("OBE.weak", "OBE.weak"), ("OBE.weak", "frob")])
def test_verdicts_are_named_and_differ(first, other):
    with pytest.raises(InputError):
        separate(first, other, question("2x2"))


@pytest.mark.full
def test_the_lattice_is_what_all_tests_say(lattice, comparisons):
    assert lattice.comparisons == comparisons
    assert lattice.complete
    assert lattice.open == []
    assert lattice.tests == sum(len(ids_of(bound)) for bound in PAPERS)


def test_edges_are_the_fewest_that_the_order_follows_from(lattice):
    above = {names: {names} for names in lattice.classes}
    for _ in lattice.classes:
        for class_, other in lattice.edges:
            above[class_] |= above[other]
    for class_, other in itertools.product(lattice.classes, repeat=2):
        assert (other in above[class_]) == lattice.is_below(class_[0], other[0])
    for edge in lattice.edges:
        left = [each for each in lattice.edges if each != edge]
        assert edge[1] not in _reachable(edge[0], left)


def _reachable(start, edges):
    found, to_do = set(), [start]
    while to_do:
        node = to_do.pop()
        for other in (b for a, b in edges if a == node and b not in found):
            found.add(other)
            to_do.append(other)
    return found


@pytest.mark.full
def test_equal_verdicts_are_one_class_and_undecided_pairs_are_open():
    twice = tuple(Model(name, text, parse(text, name)) for name, text in (("one", "live"), ("two", "live & all")))
    lattice = lattice_of(question("2x2"), (*twice, library()[4]))
    assert lattice.classes[:2] == (("one.weak", "two.weak"), ("one.strong", "two.strong"))
    assert ("one.weak", "HSA+OBE.strong") not in lattice.open  # refuted
    few = lattice_of(question("2x2"), (library()[2], library()[4]))
    assert ("HSA+OBE.weak", "OBE.strong") not in few.open
    assert ("OBE.weak", "OBE.strong") not in few.open
    barely = lattice_of(question("2x2"))
    assert ("LOBE.weak", "HSA+OBE.weak") in barely.open  # which takes three threads
    assert "style=dashed" in dot_of(graph_of(barely))
    assert "dashed: neither proven, nor refuted by a test of 2x2" in dot_of(graph_of(barely))


@pytest.mark.full
def test_a_lattice_that_was_stopped_says_so(synth):
    with Stop(memory=1) as stop:
        assert not lattice_of(question("2x2"), stop=stop).complete
    ran = synth("lattice", "--memory", "1K")
    assert ran.code == 75
    assert "there may be more" in ran.out
    assert "the smallest test found that shows it" in ran.out
    assert "Open, because none of the tests found of 2x2, 2x3, 3x3, 2x4, 3x4 decides these pairs:" in ran.out
    drawn = synth("lattice", "--memory", "1K", "--format", "dot")
    assert "dashed: neither proven, nor refuted by a test of 2x2,2x3,3x3,2x4,3x4 that was found" in drawn.out


def test_the_drawing_has_a_box_a_class_and_a_line_an_edge(synth, lattice, tmp_path):
    assert synth("lattice", "--format", "svg", "--out", "order.svg").code == 0
    drawing = ET.fromstring((tmp_path / "order.svg").read_text("utf-8"))  # noqa: S314  (it is our own)
    kinds = [group.get("class") for group in drawing.iter("{http://www.w3.org/2000/svg}g")]
    assert kinds.count("node") == len(lattice.classes)
    assert kinds.count("edge") == len(lattice.edges)


def told_further(out):
    """The command that the text names for one thread more, as words."""
    (line,) = {line for line in out.splitlines() if line.startswith("More threads are unknown. To look at 6: ")}
    return shlex.split(line.partition(": ")[2])[1:]


@mostly_full(
    ("words", "known", "after"),
    [
        (
            ("separate", "OBE.weak", "resident-5.weak", "--bounds", "2x2"),
            "None with up to 5 threads, because there resident-5.weak promises whatever OBE.weak does.",
            "None up to 2x2 (2 locations, 2 values): 2x2 ruled out by the order of the models.",
        ),
        (
            ("lattice", "--bounds", "2x2", "--model", "OBE,resident-5"),
            "  OBE.weak = resident-5.weak",
            "  resident-5.weak < OBE.weak",
        ),
        (("model", "show", "resident-5"), "  the same as OBE", "  less than OBE, LOBE, HSA+OBE"),
        (
            ("model", "equal", "OBE", "resident-5"),
            "The models are the same: with up to 5 threads, both guarantee the same in all endless executions.",
            "  resident-5 guarantees {0,1,2,3,4}",
        ),
    ],
)
def test_what_is_known_up_to_some_threads_says_so_and_how_to_look_at_one_more(synth, words, known, after):
    """The model `resident-5` promises what `OBE` does, until there are six threads."""
    said = synth(*words).out
    assert known in said.splitlines()
    assert "with any number of threads" not in said.partition(known)[2].partition("More threads")[0]
    further = synth(*told_further(said)).out
    assert after in further.splitlines()
    assert known not in further.partition("More threads")[2].splitlines()


@pytest.mark.full
def test_what_is_proven_for_any_number_of_threads_says_so(synth):
    for words in (
        ("separate", "LOBE.weak", "fair.weak", "--bounds", "2x2"),
        ("lattice", "--bounds", "2x2"),
        ("lattice", "--bounds", "2x2", "--format", "dot"),
        ("lattice", "--bounds", "2x2", "--format", "svg"),
        ("model", "show", "OBE"),
        ("model", "equal", "LOBE", "live & upto(stepped)"),
    ):
        said = " ".join(synth(*words).out.split())
        assert "with any number of threads" in said, words
        assert "up to 5 threads" not in said, words
        assert "More threads" not in said, words


@pytest.mark.full
def test_nobody_looks_at_more_threads_than_models_have_tables_for(synth):
    nested = f"live & stepped & {'upto(' * 7}all{')' * 7}"
    assert synth("model", "equal", "OBE", nested, "--threads", "8").out.splitlines()[1] == (
        "More threads are unknown: models have no tables for more than 8."
    )
    assert synth("separate", "OBE.weak", "fair.weak", "--threads", "9").code == 2


@pytest.mark.full
def test_programs_read_up_to_how_many_threads_an_answer_is_known(synth):
    there, back = json.loads(synth("separate", "OBE.weak", "resident-5.weak", "--bounds", "2x2", "--json").out)
    assert [(direction["threads"], direction["included"], direction["settled"]) for direction in (there, back)] == [
        (5, 5, False)
    ] * 2
    words = ("separate", "LOBE.strong", "fair.strong", "--bounds", "2x2", "--threads", "6", "--json")
    there, back = json.loads(synth(*words).out)
    assert (there["threads"], there["included"], there["settled"]) == (6, 6, True)
    assert (back["threads"], back["included"], back["settled"]) == (6, 1, False)
    order = json.loads(synth("lattice", "--bounds", "2x2", "--model", "OBE,resident-5", "--format", "json").out)
    settled = {(pair["one"], pair["other"]): pair["settled"] for pair in order["pairs"]}
    assert order["threads"] == 5
    assert settled["OBE.weak", "OBE.strong"]
    assert not settled["OBE.weak", "resident-5.weak"]
    assert not settled["OBE.strong", "OBE.weak"]  # nothing proves it
    shown = json.loads(synth("model", "show", "resident-5", "--json").out)
    assert (shown["compared"], shown["unsettled"]) == (5, ["OBE", "LOBE", "HSA+OBE"])
    assert json.loads(synth("model", "equal", "OBE", "resident-5", "--json").out)["settled"] is False
    assert json.loads(synth("model", "equal", "OBE", "live & stepped", "--json").out)["settled"] is True


def test_separating_answers_a_program_and_leaves_with_why_it_was_stopped(synth):
    there, back = json.loads(synth("separate", "OBE.weak", "fair.weak", "--json").out)
    assert (there["implied"], there["search"]) == (True, None)
    assert back["search"]["smallest"]
    assert synth("separate", "HSA.weak", "OBE.weak", "--memory", "1K").code == 75


@pytest.mark.full
def test_the_commands_load_no_engine_for_their_help():
    for words in (["find"], ["separate"], ["lattice"]):
        script = f"import sys; from synth.cli import main\ntry: main({[*words, '--help']!r})\nexcept SystemExit: pass"
        script += "\nassert not {'synth_checker._native', 'pysat', 'synth_encodings'} & set(sys.modules)"
        assert subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=False).returncode == 0
