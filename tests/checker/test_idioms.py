"""Test idioms: each file holds the program of the paper, and a test that contains one has it as a sub-program."""

import itertools
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from bounds import ids_of
from quick import examples
from synth_checker import _native
from synth_checker import idioms as module
from synth_checker.errors import InputError, InternalError
from synth_checker.idioms import annotated, contains, idiom_of, idioms, reordered_idiom
from synth_checker.models import library, verdict_names
from synth_checker.names import names
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.program import Program
from synth_checker.programs.rules import broken_rules
from synth_checker.reductions.subprograms import subprograms
from synth_checker.verdicts import judge

IDS = {
    "barrier": "001110_1-101100_1",
    "bidirectional-producer-consumer": "001101_1-00_00002",
    "dining-philosophers": "0100-0010",
    "mutex": "01100002-01100002",
    "producer-consumer-decreasing": "00_0-0011",
    "producer-consumer-increasing": "0011-00_0",
    "simplified-mutex": "01_0-00110002",
}
FILES = sorted(file.name for file in files("synth_checker.idioms").iterdir() if file.name.endswith(".txt"))


def orders_of(id_):
    return {id_of(Program(threads)) for threads in itertools.permutations(program_of_id(id_).threads)}


@pytest.mark.parametrize("file", FILES)
def test_a_file_holds_one_test_in_the_order_of_the_paper(file):
    name = file.removesuffix(".txt")
    id_ = id_of(idioms()[name])
    assert id_ == IDS[name]
    assert broken_rules([id_]) == [0]
    assert idiom_of(id_) == name


def test_there_is_a_file_for_each_idiom():
    assert [file.removesuffix(".txt") for file in FILES] == list(idioms()) == sorted(IDS)


@pytest.mark.parametrize(
    ("name", "passes"),
    [
        ("mutex", {"OBE.weak", "LOBE.weak", "HSA+OBE.weak", "fair.weak"}),
        ("producer-consumer-increasing", {"HSA.weak", "LOBE.weak", "HSA+OBE.weak", "fair.weak"}),
        ("producer-consumer-decreasing", {"fair.weak"}),
        ("dining-philosophers", set()),
        ("barrier", {"fair.weak"}),
    ],
)
def test_idioms_need_what_the_paper_says_of_them(name, passes):
    """The philosophers need a strong form, and producers and consumers are told apart by their ids."""
    (mask,) = judge([id_of(idioms()[name])])
    weak = {verdict for k, verdict in enumerate(verdict_names(library())) if mask >> k & 1 and ".weak" in verdict}
    assert weak == passes


@pytest.mark.parametrize("name", IDS)
def test_an_idiom_is_itself_in_each_order_of_its_threads_that_has_its_verdicts(name):
    expected = {idiom_of(id_) for id_ in orders_of(IDS[name])}
    if name.startswith("producer-consumer"):
        assert expected == {"producer-consumer-increasing", "producer-consumer-decreasing"}
    elif name == "simplified-mutex":
        assert expected == {name, None}  # which of the two has the lower id decides under HSA
    else:
        assert expected == {name}


def test_what_is_an_idiom_has_its_verdicts():
    """Of all tests of small bounds, each that is an idiom, and each that is called by one."""
    ids = [id_ for bound in ("2x2", "2x3", "2x4") for id_ in ids_of(bound)]
    named = [(id_, idiom, name) for id_, name in names(ids).items() if (idiom := idiom_of(id_))]
    assert {idiom for _, idiom, _ in named} == set(IDS)
    for id_, idiom, name in named:
        assert name.startswith(f"{idiom}-")
        assert judge([id_]) == judge([IDS[idiom]])
    others = [name for id_, name in names(ids).items() if idiom_of(id_) is None]
    assert not any(name.startswith(tuple(IDS)) for name in others)


def test_an_idiom_in_another_order_is_known_whatever_its_verdicts():
    other = "00110002-01_0"
    assert (idiom_of(other), reordered_idiom(other), annotated([other])) == (None, "simplified-mutex", [{}])
    assert judge([other]) != judge([IDS["simplified-mutex"]])
    assert all(reordered_idiom(id_) == name for name, id_ in IDS.items())


def test_an_idiom_is_found_whatever_its_names_and_no_ops():
    assert idiom_of("00_1" + "70_1-7081") == "producer-consumer-decreasing"
    assert idiom_of("01_0-0011") is None


def is_within(small, large):
    return _native.contained([large], [small]) == [[0]]


def by_walking(id_):
    """The idioms among all sub-programs, walked through one by one."""
    _, *below = (form for form, _ in subprograms(id_))
    return sorted({name for form in below if (name := reordered_idiom(form))})


@settings(max_examples=examples(40))
@given(strategies.waiting_programs(threads=(2, 3), instructions=(2, 5), locations=2, values=3))
def test_what_contains_an_idiom_has_it_among_its_sub_programs(program):
    id_ = id_of(program)
    assert contains(id_) == by_walking(id_)


@pytest.mark.full
def test_the_tests_of_a_bound_contain_what_walking_finds():
    ids = [*ids_of("2x3"), *ids_of("2x4")[::40], *ids_of("3x4")[::40]]
    assert [annotation.get("contains", []) for annotation in annotated(ids)] == [by_walking(id_) for id_ in ids]


@settings(max_examples=examples(40))
@given(strategies.programs(threads=(1, 3), instructions=(1, 4), locations=2, values=3), st.data())
def test_a_program_is_within_another_exactly_if_that_or_below_it(program, data):
    large = id_of(program)
    below = [form for form, _ in subprograms(large)] if large else []
    for small in below:
        assert is_within(small, large)
    other = id_of(data.draw(strategies.programs(threads=(1, 2), instructions=(1, 3), locations=2, values=2)))
    if large and other:
        assert is_within(other, large) == (other in below)


@pytest.mark.parametrize(
    ("small", "large", "fits"),
    [
        ("00_0-0011", "01_0-00110002", False),  # the producer's value would have to be two
        ("0011-00_0", "00_0-0011", False),  # threads keep their order
        ("0100-0010", "0100-1010", True),  # two locations may become one
        ("0100-1010", "0100-0010", False),  # but one never becomes two
        ("0110-00_0", "0111-00_0", False),  # nor a store a branch
        ("01_0-0011", "00_0-0011", False),  # and memory starts with 0, whatever that is called
    ],
)
def test_whether_a_program_is_within_another_worked_out_by_hand(small, large, fits):
    assert is_within(small, large) == fits


def test_the_mutex_contains_the_simplified_one():
    assert annotated(["01100002-01100002", "00_0-0011", "00_0"]) == [
        {"idiom": "mutex", "contains": ["simplified-mutex"]},
        {"idiom": "producer-consumer-decreasing"},
        {},
    ]


def test_what_is_no_id_is_refused():
    for function in (idiom_of, contains):
        with pytest.raises(InputError, match="'x'"):
            function("x")


def test_a_file_of_another_name_is_a_defect(monkeypatch):
    monkeypatch.setattr(module, "read_programs", lambda *_: [])
    idioms.cache_clear()
    with pytest.raises(InternalError, match=r"barrier\.txt: found programs named \[\], expected one named barrier"):
        idioms()
    idioms.cache_clear()
