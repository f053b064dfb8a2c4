"""Test that the table of claims in the definitions is true of the tests, and claims that have no test elsewhere."""

import ast
import functools
import re
from pathlib import Path

import pytest
from hypothesis import given

import brute
import strategies
import synth
from synth_checker.models import library, read_model, verdict_names
from synth_checker.programs.normal import id_of, program_of_id
from synth_checker.programs.program import Instruction, InstructionKind, Program, Thread
from synth_checker.question import parse_bounds
from synth_checker.verdicts import judge, judge_automata

ROOT = Path(__file__).parents[2]
TABLE, OPEN = (ROOT / "docs" / "build" / "definitions-tests.md").read_text("utf-8").split("## Open")
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows(text):
    """The cells of each row, less the head of the table."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@functools.cache
def names_in(path):
    return {node.name for node in ast.parse((ROOT / "tests" / path).read_text()).body if hasattr(node, "name")}


def test_each_claim_names_tests_that_exist():
    for section, claim, tests in rows(TABLE):
        assert section in {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}, claim
        assert claim, tests
        assert NAMED.sub("", tests).replace(",", "").strip() == "", claim
        named = NAMED.findall(tests)
        assert named, claim
        assert [f"{path}::{name}" for path, name in named if name not in names_in(path)] == [], claim


def test_each_section_has_claims():
    assert {section for section, _, _ in rows(TABLE)} >= {"1", "2", "3", "4", "5", "7", "8", "9", "10", "11", "12"}


def test_whatever_section_is_cited_is_one_of_the_definitions():
    """With the words that follow `definitions`: `definitions, section 3`, `definitions, sections 1 and 2`."""
    page = (ROOT / "docs" / "understand" / "semantics.md").read_text("utf-8")
    sections = re.findall(r"^## (\d+)\. \S", page, re.MULTILINE)
    assert page.startswith("# Definitions\n")
    assert sections == [str(number) for number in range(1, len(sections) + 1)]
    folders = ("synth", "checker", "encodings", "corpus", "backends", "bench", "docs")
    files = [
        path for name in folders for path in (ROOT / name).rglob("*") if path.suffix in {".py", ".hpp", ".cpp", ".md"}
    ]
    cited = [
        (path.name, number)
        for path in files
        for words in re.findall(r"definitions(?:'|,)? sections? ([\d, and]+)", path.read_text("utf-8"))
        for number in re.findall(r"\d+", words)
    ]
    assert len(cited) > 20
    assert [(name, number) for name, number in cited if number not in sections] == []


def test_each_open_claim_says_why():
    assert [row for row in rows(OPEN) if len(row) != 3 or not all(row)] == []


# Section 1


@pytest.mark.parametrize(
    ("target", "exch", "kind"),
    [
        (1, 0, InstructionKind.STORE),
        (1, None, InstructionKind.NO_OP),
        (0, 0, InstructionKind.EXCHANGE_BRANCH),
        (2, 1, InstructionKind.EXCHANGE_BRANCH),
        (0, None, InstructionKind.CHECK_BRANCH),
        (2, None, InstructionKind.CHECK_BRANCH),
    ],
)
def test_the_kind_of_an_instruction_is_decided_by_its_target_and_exchange(target, exch, kind):
    for check in (0, 1):
        assert Thread((Instruction(0, check, target, exch), Instruction(0, 0, 2, 0))).kind(0) is kind


# Section 2


def test_exchanged_threads_are_another_program_with_other_verdicts():
    one = program_of_id("00_0-0011")
    other = Program((one[1], one[0]))
    assert id_of(other) == "0011-00_0" != id_of(one)
    assert judge(["00_0-0011"]) != judge(["0011-00_0"])


def test_locations_and_values_are_upper_bounds_and_2_unless_given():
    default = synth.question("2x3")
    assert (default.locations, default.values) == (2, 2)
    fewer, some, more = (
        set(synth.enumerate_tests(synth.question("2x3", locations=size, values=size), jobs=1).ids) for size in (1, 2, 3)
    )
    assert fewer < some < more


# Section 4


@pytest.mark.parametrize(("bounds", "noticing"), [("2x2..2x4", 0), ("3x3", 2)])
def test_two_tests_of_3x3_notice_whether_finished_threads_count_as_stepped(bounds, noticing):
    asked = synth.question(bounds)
    ids = synth.enumerate_tests(asked, jobs=1).ids
    texts = [f"{model.name} = {model.definition}" for model in library()]
    forgetful = [text.replace("stepped", "(stepped & live)") for text in texts]
    threads = asked.bounds[0].threads
    here, there = (
        judge_automata(ids, [read_model(text, "t").automaton(threads) for text in each]) for each in (texts, forgetful)
    )
    assert sum(known != other for known, other in zip(here, there, strict=True)) == noticing


# Section 5


@given(strategies.waiting_programs(threads=(1, 3), instructions=(1, 5)))
def test_a_model_with_smaller_fair_sets_is_at_most_as_fair(program):
    """Smaller on every cycle: there some thread has stepped, and LOBE then guarantees all below it."""
    bits = brute.verdict_bits(program)
    passed = {name for k, name in enumerate(verdict_names(library())) if bits >> k & 1}
    at_most = [("HSA", "HSA+OBE"), ("OBE", "LOBE"), ("OBE", "HSA+OBE"), ("HSA+OBE", "LOBE"), ("LOBE", "fair")]
    for form in ("weak", "strong"):
        for less, more in at_most:
            assert f"{less}.{form}" not in passed or f"{more}.{form}" in passed


# Section 8


def test_a_range_of_bounds_is_ordered_by_instructions_then_threads():
    assert list(map(str, parse_bounds(["1x2..3x3"]))) == ["1x2", "2x2", "1x3", "2x3", "3x3"]
    assert list(map(str, synth.question("3x4,2x2..2x3").bounds)) == ["2x2", "2x3", "3x4"]
