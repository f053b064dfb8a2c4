"""Executions in few rows: another order of steps that do the same, rows for several threads, and cycles told once."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples
from support.kernels_of_programs import as_kernel_with_barriers
from support.launches import HANDED, space_of
from support.strategies import programs
from synth_checker.models import library
from synth_kernels.needs.steps import folded_rows, in_order, replay_steps, rows_of_steps
from synth_kernels.progress.verdicts import hang


def a_run(space, choices):
    """Return the threads of an execution that chooses in this way, for as long as somebody can step."""
    state, threads = 0, []
    for choice in choices:
        row = sorted(space.successors[state])
        if not row:
            break
        threads.append(row[choice % len(row)])
        state = space.successors[state][threads[-1]]
    return threads, state


@pytest.mark.full
@settings(deadline=None, max_examples=examples(40))
@given(
    st.lists(programs(threads=(4, 4), instructions=(1, 2)), min_size=1, max_size=2),
    st.sampled_from([2, 4]),
    st.lists(st.integers(0, 1 << 10), min_size=1, max_size=25),
)
def test_a_folded_order_has_the_same_steps_and_ends_in_the_same_state(phases, local, choices):
    space = space_of(as_kernel_with_barriers(phases, local), 4 // local, local, ["M=0"])
    threads, end = a_run(space, choices)
    judged = SimpleNamespace(space=space)
    after = in_order(judged, threads)
    before, state = replay_steps(judged, threads)
    assert replay_steps(judged, [step.thread for step in after])[1] == state == space.states[end]
    assert sorted((step.thread, step.does) for step in after) == sorted((step.thread, step.does) for step in before)
    assert len(rows_of_steps(after)) <= len(rows_of_steps(before))


def test_threads_of_a_workgroup_at_one_place_have_one_row():
    """Two threads read a flag each, in turns with those of another workgroup, and meet. Then one spins."""
    text = HANDED.replace("tell:\n", "tell:\n  o = atomic i32 flags[2:i32] store 1:i32\n").replace(
        "  write i32 T[lid.0] = lid.0\n", "  w = volatile read i32 flags[lid.0]\n  write i32 T[lid.0] = lid.0\n"
    )
    space = space_of(text, 2, 2, ["flags=0"])
    execution = hang(space, next(model for model in library() if model.name == "LOBE"), "weak")
    before, cycle = folded_rows(SimpleNamespace(space=space), execution)
    assert len(before) + len(cycle) < len(execution.before) + len(execution.cycle)
    assert [(row.locals, row.does) for row in before[:1]] == [
        (((0, 0, 0), (1, 0, 0)), "reads flags[0], which is 0; reads flags[1], which is 0; passes the barrier of line 8")
    ]
    assert [row.does for row in cycle] == ["reads flags[1], which is 0"]
