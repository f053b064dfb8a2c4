"""When time alone tells a hang from slowness, and which launches a run asks for to find out."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from synth_campaigns.cell_result import ByTime, CellResult
from synth_campaigns.cells import Cell, Setting
from synth_campaigns.time_evidence import control_of, next_cell, with_time_evidence
from synth_checker.programs.normal import program_of_id

TEST, CONTROL = "00_0-0011", "00_1-0011"


def cell(instances, test=TEST, mapping="chunked"):
    return Cell(0, "webgpu", test, 2, Setting(mapping, instances, 0), 0, 20)


def hung(instances, waited=30.0, **more):
    return CellResult(1, cell(instances, **more), Counter(hung=1), 0, timed=1, alone=1, waited=waited)


def ended(instances, seconds, test=TEST, **more):
    return CellResult(2, cell(instances, test, **more), Counter(ended=5), 0, longest=seconds)


def by_time(*results):
    return with_time_evidence(results)[0].by_time


def test_the_control_has_no_jump_backwards_and_makes_the_same_accesses():
    assert control_of(TEST) == CONTROL
    for test in ("01100002-01100002", "0010-000001_0", "00_0-0011-01_0"):
        program, control = program_of_id(test), program_of_id(control_of(test))
        pairs = zip(program.instructions(), control.instructions(), strict=True)
        assert all((a.loc, a.check, a.exch) == (b.loc, b.check, b.exch) for (*_, a), (*_, b) in pairs)
        assert all(instruction.target > pc for _, pc, instruction in control.instructions())


def test_three_sizes_and_a_quick_control_are_evidence():
    found = by_time(hung(4096), hung(1), hung(64), ended(4096, 0.5, CONTROL))
    assert found == ByTime(0.5, 30.0, (1, 64, 4096), None)


@pytest.mark.parametrize(
    ("others", "why"),
    [
        ([hung(1), hung(64)], f"{CONTROL}, the test without its waiting, was not launched in this setting"),
        ([hung(1), hung(64), ended(64, 0.1, CONTROL)], "was not launched in this setting"),
        ([hung(1), hung(64), ended(4096, 3.1, CONTROL)], "did not end quickly either"),
        ([hung(1), hung(64), replace(hung(4096), cell=cell(4096, CONTROL))], "did not end quickly either"),
        ([hung(1), ended(4096, 0.1, CONTROL)], "1 and 4,096 instances hung at once, expected three"),
        ([hung(1), hung(64, mapping="round-robin"), ended(4096, 0.1, CONTROL)], "expected three"),
        ([hung(512), hung(64), ended(4096, 0.1, CONTROL)], "half as many as the fewest did not end in a moment"),
        (
            [
                hung(512),
                hung(64),
                ended(
                    32,
                    0.4,
                ),
                ended(4096, 0.1, CONTROL),
            ],
            "did not end in a moment",
        ),
        ([hung(512), hung(64), ended(31, 0.1), ended(4096, 0.1, CONTROL)], "did not end in a moment"),
        ([hung(64), replace(hung(1), alone=0), ended(4096, 0.1, CONTROL)], "expected three"),
    ],
)
def test_without_them_the_answer_says_what_is_missing(others, why):
    result = with_time_evidence([hung(4096), *others])[0]
    assert (result.by_time, result.confirmed) == (None, 0)
    assert why in result.doubt


def test_a_hang_from_many_at_once_needs_half_as_many_that_end_at_once():
    found = by_time(hung(4096), hung(512), hung(64), ended(32, 0.3), ended(4096, 0.1, CONTROL))
    assert found == ByTime(0.1, 30.0, (64, 512, 4096), 32)


def test_a_simulated_device_and_a_published_table_need_no_time():
    for more in ({"decides": True}, {"seen_alone": 1}):
        result = replace(hung(4096), timed=0, confirmed=1, **more)
        assert with_time_evidence([result]) == [result]
    published = replace(hung(4096), timed=0, confirmed=1, alone=0, is_published=True)
    assert with_time_evidence([published]) == [published]


def course(least, instances, mapping="chunked", seconds=lambda _: 0.001):
    """The cells that a run asks for, on a device on which a test hangs from so many instances on."""
    results, asked = [hung(instances, mapping=mapping)], []
    for _ in range(40):
        results = with_time_evidence(results)
        wanted = next_cell(results[0], results)
        if wanted is None:
            return asked, results[0]
        asked.append((wanted.purpose, wanted.setting.instances))
        size = wanted.setting.instances
        hangs = wanted.purpose == "size" and size >= least
        result = hung(size) if hangs else ended(size, seconds(size))
        results.append(replace(result, cell=wanted))
    raise AssertionError(asked)


@pytest.mark.parametrize("instances", [2, 3, 7, 10, 100, 4096, 32767])
def test_a_run_finds_out_whatever_the_size_from_which_a_test_hangs(instances):
    for least in sorted({1, 2, 3, instances // 3, instances // 2 + 1, instances - 1, instances} - {0}):
        if least > instances:
            continue
        asked, result = course(least, instances)
        assert result.by_time, (least, asked, result.doubt)
        assert asked[0] == ("control", instances)
        assert len(asked) == len(set(asked)) <= 31


def test_one_instance_is_compared_with_more_under_another_mapping():
    asked, result = course(1, 1, "plain")
    assert (result.by_time.sizes, asked) == ((1, 8, 64), [("control", 1), ("size", 8), ("size", 64)])


def test_a_slow_device_is_not_asked_for_long():
    asked, result = course(4096, 4096, seconds=lambda size: 30 * size / 4096)
    assert result.by_time is None
    assert asked == [("control", 4096)]  # which takes as long
    linear = lambda size: 30 * size / 4096 if size < 4096 else 0.001  # noqa: E731
    asked, result = course(4096, 4096, seconds=linear)
    assert result.by_time is None
    assert len(asked) < 6


def test_what_may_be_said_does_not_depend_on_the_order_of_results():
    results = [hung(4096), hung(1), hung(64), ended(4096, 0.5, CONTROL), ended(8, 0.1)]
    expected = {result.cell.setting.instances: result.by_time for result in with_time_evidence(results) if result.timed}
    for some in itertools.permutations(results):
        assert {
            result.cell.setting.instances: result.by_time for result in with_time_evidence(some) if result.timed
        } == expected
