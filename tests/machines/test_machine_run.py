"""Test `synth machine run`: its times are those that the machine has after the same events."""

import json
from pathlib import Path

import pytest

from synth_checker.programs.normal import program_of_id
from synth_checker.twin import semantics
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.replay import replayed
from synth_machines.animation.settings import setting_of
from synth_machines.answers.gpu_times import LaunchTimes, times_of_launch, trace
from synth_machines.answers.traces import trace_steps
from synth_machines.projects import Project
from synth_machines.shipped import shipped

#: Two blocks of two threads, one after the other on one multiprocessor. The times are worked out by hand: the kernel is
#: divided until 5, and then one thread after the other has the memory for 3.
SMALL = ["--threads", "3", "--multiprocessors", "1", "--warp", "2", "--c", "5", "--duration", "3"]


@pytest.mark.full
def test_the_times_of_a_small_launch_are_those_worked_out_by_hand(synth):
    ran = synth("machine", "run", *SMALL, "--out", "t.json")
    assert ran.out.splitlines() == [
        "kernel: 0 to 17, 3 threads in 2 blocks",
        "block 0 on multiprocessor 1: 5 to 11; threads end at 8, 11",
        "block 1 on multiprocessor 1: 11 to 17; threads end at 14, 17",
    ]
    answer = json.loads(synth("machine", "run", *SMALL, "--json").out)
    assert answer["blocks"][1]["threads"] == [
        {"lane": 0, "start": 11, "waited": 0, "end": 14},
        {"lane": 1, "start": 11, "waited": 3, "end": 17},
    ]
    steps = len(json.loads(Path("t.json").read_text())["steps"])
    assert synth("machine", "replay", "@gpu", "t.json").out == f"thread_execution allows all {steps} steps\n"


@pytest.mark.parametrize(
    "launch",
    [
        LaunchTimes(3, 1, 2, 5, 3),
        LaunchTimes(3, 2, 1, 0, 1),
        LaunchTimes(5, 2, 2, 1, 2),
        LaunchTimes(1, 3, 2, 4, 1),
        LaunchTimes(4, 4, 1, 2, 2),
    ],
    ids=str,
)
def test_the_machine_allows_the_run_and_has_its_times(launch):
    """The twin: the machine itself keeps the times, and replaying computes them."""
    machine = Project(shipped("@gpu")).machine("thread_execution")
    fields, answer = trace(launch), times_of_launch(launch)
    animation = Animation(machine, setting_of(machine, fields["setting"]))
    states = replayed(animation, trace_steps(animation, fields["steps"]))
    assert isinstance(states, list)
    last = animation.values(states[-1])
    assert (last["Time_start"], last["Time_end"]) == (answer.start, answer.end)
    assert last["blocs_start_time"] == {(block.block, block.start) for block in answer.blocks}
    assert last["blocs_end_time"] == {(block.block, block.end) for block in answer.blocks}
    threads = {(block.block, thread.lane): thread for block in answer.blocks for thread in block.threads}
    assert last["threads_start_time"] == {(place, thread.start) for place, thread in threads.items()}
    assert last["threads_end_time"] == {(place, thread.end) for place, thread in threads.items()}
    assert all(thread.start + thread.waited + launch.duration == thread.end for thread in threads.values())


def test_the_usual_launch_has_sixteen_multiprocessors_and_warps_of_32_threads(synth):
    lines = synth("machine", "run", "--threads", "1024").out.splitlines()
    assert lines[0] == "kernel: 0 to 1025, 1024 threads in 32 blocks"
    assert lines[17].startswith("block 16 on multiprocessor 1: 33 to ")


@pytest.mark.full
def test_what_is_too_large_is_refused_in_one_line(synth):
    ran = synth("machine", "run", "--threads", "1000000", "--warp", "999999")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    ran = synth("machine", "run", "--threads", "10000", "--out", "t.json")
    assert (ran.code, ran.err) == (
        2,
        "synth: found a trace with more than 100,000 steps, expected a smaller launch\n",
    )
    assert synth("machine", "run", "--threads", "1", "--force").code == 2


@pytest.mark.full
@pytest.mark.parametrize("test", ["0011-00_0", "00_0-0011", "0100-0010", "01100002-01100002", "0000-0010-0010"])
@pytest.mark.parametrize("places", [1, 2, 3])
def test_the_machine_allows_the_run_of_a_litmus_test(synth, test, places):
    words = ["machine", "run", "--test", test, "--multiprocessors", str(places), "--c", "2", "--duration", "3"]
    ran = synth(*words, "--out", "t.json", "--force")
    assert ran.out.splitlines()[-1] in {f"{test} ends", f"{test} does not end"}
    assert ran.code == (not ran.out.endswith("ends\n"))
    assert synth("machine", "replay", "@gpu", "t.json").code == 0
    answer = json.loads(synth(*words, "--json").out)
    steps = [event for event in answer["events"] if event["event"] == "Thread_running"]
    state = semantics.start(program := program_of_id(test))
    for step in steps:  # the twin: the program itself, in the order of the run
        state = semantics.step(program, state, step["block"])
        assert list(state.memory) == step["memory"]
    assert answer["ended"] == semantics.has_terminated(program, state)


def test_a_test_that_does_not_end_shows_what_repeats(synth):
    ran = synth("machine", "run", "--test", "00_0-0011", "--multiprocessors", "1")
    assert ran.out.splitlines()[-5:] == [
        "from here on, again and again:",
        "1: Thread_running block 0 executes if (Mem[0] == 0) goto 0; Then Mem[0] = 0",
        "2: tick",
        "2: Thread_yield block 0",
        "00_0-0011 does not end",
    ]
    assert ran.code == 1
    ran = synth("machine", "run", "--test", "00_0-0011", "--steps", "1", "--multiprocessors", "1")
    assert ran.out.endswith("00_0-0011 does not end within these steps\n")
    assert ran.code == 75


@pytest.mark.parametrize("words", [[], ["--threads", "2", "--test", "0011-00_0"]])
def test_either_threads_or_a_test_is_given(synth, words):
    assert (
        synth("machine", "run", *words).err
        == "synth: found both or none of --threads and --test, expected one of them\n"
    )
