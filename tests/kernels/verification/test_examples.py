"""Test that the examples of docs/understand/kernels.md have the verdicts and lines that the page says."""

import pytest

from kernel_examples import DEEP, EXAMPLES, PAGE, WARPS
from synth_kernels.kernel_verdict import verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.text import parse
from synth_solvers.client import Solver


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


@pytest.mark.parametrize(
    ("verdict", "lines", "text"), EXAMPLES, ids=[f"{example[0]}-{example[1]}" for example in EXAMPLES]
)
def test_examples_have_their_verdicts(solver, verdict, lines, text):
    for size in (None, 8):
        report = verify(parse(text), Launch((size,), (1,)), solver)
        assert report.verdict == verdict
        if size is not None and verdict != "verified":
            expected = {int(line) for line in lines.split(" and ")}
            confirmed = [
                set(counterexample.lines) for counterexample in report.counterexamples if counterexample.is_confirmed
            ]
            assert expected in confirmed


def test_the_example_of_a_warp_is_verified_only_in_lockstep(solver):
    ((warp, text),) = WARPS
    reports = {size: verify(parse(text), Launch((4,), (1,), warp=size), solver) for size in (0, 2, int(warp))}
    assert [report.verdict for report in reports.values()] == ["race", "race", "verified"]
    assert {5, 8} in [
        set(counterexample.lines) for counterexample in reports[0].counterexamples if counterexample.is_confirmed
    ]


def test_the_example_of_k_induction_is_verified_only_with_its_depth(solver):
    ((depth, text),) = DEEP
    reports = [verify(parse(text), Launch((4,), (1,)), solver, Options(depth=number)) for number in (0, int(depth))]
    assert [report.verdict for report in reports] == ["assertion", "verified"]
    wrong = verify(parse(text.replace("6:i32", "3:i32")), Launch((4,), (1,)), solver, Options(depth=int(depth)))
    assert (wrong.verdict, wrong.counterexamples[0].is_confirmed) == ("assertion", True)


def test_all_examples_of_the_page_are_tested():
    assert len(EXAMPLES) + len(WARPS) + len(DEEP) == PAGE.count("```\n# ") > 5
