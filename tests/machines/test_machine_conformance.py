"""Test that the simulated device and the machines `@schedulers` agree: schedules replay, and faulty ones do not."""

import random
from dataclasses import replace

import pytest

from faulty_twin import FAULTY
from quick import mostly_full
from simulation_twin import ProgramSteps, TwinLaunch, TwinSimulator
from synth_backends.mapping import LitmusLaunch, read_mapping
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_devices.sim.presets import preset
from synth_devices.sim.schedules import line_of
from synth_machines.animation.machine_steps import Animation
from synth_machines.animation.replay import Rejection, replayed
from synth_machines.animation.settings import setting_of
from synth_machines.answers.conformance import MACHINES, trace_of_schedule
from synth_machines.answers.traces import trace_steps
from synth_machines.projects import Project
from synth_machines.shipped import shipped

PROJECT = Project(shipped("@schedulers"))
TESTS = ("0011-00_0", "00_0-0011", "0100-0010", "01100002-01100002", "0000-0010-0010")


def rejection_of(lines, name, workgroups, scheduler):
    trace = trace_of_schedule(lines, name, workgroups, scheduler)
    machine = PROJECT.machine(trace["machine"])
    animation = Animation(machine, setting_of(machine, trace["setting"]))
    replay = replayed(animation, trace_steps(animation, trace["steps"]))
    return replay if isinstance(replay, Rejection) else None


def schedule_of(name, chance, rules=TwinLaunch, slots=None):
    """The beginning of a random launch of a preset as lines, with the number of workgroups and the scheduler."""
    program = program_of_id(chance.choice(TESTS))
    instances = chance.randrange(1, 5)
    mapping = read_mapping(chance.choice(["round-robin", "chunked"]))
    launch = LitmusLaunch(mapping, len(program), instances)
    places = [launch.place(number) for number in range(len(program) * instances)]
    scheduler = replace(preset(name).scheduler, seed=chance.randrange(1000))
    least, most = scheduler.slots
    if most < 100:  # so few workgroups never wait for so many slots
        first = slots or chance.randrange(1, 4)
        scheduler = replace(scheduler, slots=(first, first if least == most else first + 2))
    if scheduler.order in ("stride", "jitter"):
        scheduler = replace(scheduler, spread=chance.randrange(1, 5))
    if scheduler.quantum:
        scheduler = replace(scheduler, quantum=chance.randrange(1, 4))
    twin = TwinSimulator(scheduler, ProgramSteps(program), places, rules)
    _, events = twin.schedule(chance.randrange(100), most=chance.randrange(1, 25))
    return [line_of(event) for event in events], len(places), scheduler


def check_schedules(name, traces):
    chance = random.Random(name)
    for _ in range(traces):
        lines, workgroups, scheduler = schedule_of(name, chance)
        assert rejection_of(lines, name, workgroups, scheduler) is None, lines


@mostly_full("name", MACHINES, quick=3)
def test_schedules_of_a_preset_replay_on_its_machine(name):
    check_schedules(name, 15)


@pytest.mark.full
@pytest.mark.parametrize("name", MACHINES)
def test_a_thousand_schedules_of_a_preset_replay_on_its_machine(name):
    check_schedules(name, 1000)


#: Faults of schedulers: the preset, the faulty rules, and the event and the guard that the machine refuses.
FAULTS = [
    ("linear", "newest-first", "Affectation", "grd10"),
    ("linear", "second-first", "Affectation", "grd10"),
    ("serial", "reversed-queue", "Affectation", "grd10"),
    ("varying", "odd-first", "Affectation", "grd10"),
    ("weighted", "swapped-halves", "Affectation", "grd10"),
    ("linear", "starts-pairs", "Affectation", "grd10"),
    ("strided", "newest-first", "Affectation", "grd21"),
    ("reverse", "odd-first", "Affectation", "grd21"),
    ("lockstep", "skips-last-slot", "Thread_running", "grd6"),
    ("lockstep", "sticks", "Thread_running", "grd6"),
    ("preemptive-fair", "preempted-first", "Affectation", "grd2"),
    ("preemptive-fair", "newest-first", "Affectation", "grd2"),
    ("preemptive-fair", "sticks", "Thread_running", "grd4"),
]


@pytest.mark.full
@mostly_full(("name", "fault", "event", "guard"), FAULTS, quick=5)
def test_a_faulty_scheduler_is_rejected_with_its_event_and_guard(name, fault, event, guard):
    chance = random.Random(fault)
    rejections = []
    for _ in range(60):
        lines, workgroups, scheduler = schedule_of(name, chance, FAULTY[fault], slots=2)
        if (rejection := rejection_of(lines, name, workgroups, scheduler)) is not None:
            rejections.append((rejection.event, rejection.label))
    assert rejections
    assert {rejected_event for rejected_event, _ in rejections} == {event}
    assert all(label.startswith(guard) for _, label in rejections)


#: Schedules with a planted fault: the preset, the lines, and what is rejected.
LINES = [
    ("linear", ["start 0 0", "start 1 0"], "Affectation", "grd4"),
    ("linear", ["start 0 0", "step 0", "start 0 1"], "Affectation", "grd2"),
    ("linear", ["start 0 0", "end 0"], "bloc_ending", "grd1"),
    ("linear", ["start 0 0", "step 0", "end 0", "step 0"], "Thread_running", "grd1"),
    ("linear", ["start 0 0", "step 1"], "Thread_running", "grd1"),
    ("linear", ["start 0 0", "start 1 2"], "Affectation", "grd3"),
    ("batched", ["start 0 0", "start 1 0"], "Affectation", "grd4"),
    ("batched", ["start 0 0", "step 0", "end 0", "start 2 0", "start 1 0"], "Affectation", "grd31"),
    ("preemptive-fair", ["start 0 0", "start 1 1", "step 0", "preempt 0"], "Preemption", "grd40"),
    ("preemptive-fair", ["start 0 0", "start 1 1", *["step 0", "step 1"] * 7], "Thread_yield", "grd40"),
    ("preemptive-fair", ["start 0 0", "step 0", "start 1 1"], "Thread_running", "grd40"),
    ("resident", ["start 0 1", "start 1 0"], "Affectation", "grd50"),
    ("lockstep", ["start 0 0", "step 0", "start 1 1"], "Thread_running", "grd60"),
]


@pytest.mark.parametrize(("name", "lines", "event", "guard"), LINES)
def test_a_wrong_line_is_rejected_with_its_event_and_guard(name, lines, event, guard):
    scheduler = preset(name).scheduler
    rejection = rejection_of(lines, name, 3 if name == "batched" else 2, replace(scheduler, slots=(2, 2)))
    assert (rejection.event, rejection.label) == (event, guard)


def test_a_token_that_is_not_returned_is_rejected():
    trace = trace_of_schedule(["start 0 0", "start 1 1", "step 0", "step 1"], "linear")
    kept = [step for step in trace["steps"] if step["event"] != "Thread_yield"]
    machine = PROJECT.machine(trace["machine"])
    animation = Animation(machine, setting_of(machine, trace["setting"]))
    rejection = replayed(animation, trace_steps(animation, kept))
    assert (rejection.event, rejection.label) == ("Thread_running", "grd2")


def test_a_workgroup_that_starts_too_late_has_no_setting():
    with pytest.raises(InputError, match="found no values"):
        rejection_of(
            [f"start {workgroup} 0" for workgroup in (3, 2, 1, 0)],
            "jitter",
            4,
            replace(preset("jitter").scheduler, spread=1),
        )


@pytest.mark.full
def test_the_command_replays_what_the_simulated_device_writes(synth, tmp_path):
    file = tmp_path / "s.txt"
    for name in MACHINES:
        words = ["0011-00_0", "--scheduler", name, "--instances", "5"]
        file.write_text(synth("sim", "run", *words, "--events").out)
        ran = synth("machine", "replay", "@schedulers", str(file), "--preset", name, "--workgroups", "10")
        assert (ran.code, ran.out.split(" allows ")[0]) == (0, MACHINES[name])
    file.write_text("start 0 0\nend 0\n")
    ran = synth("machine", "replay", "@schedulers", str(file), "--preset", "linear")
    assert (ran.code, ran.out) == (1, "step 3: bloc_ending: grd1: the guard does not hold\n")
    for text, words, message in [
        ("start 0\n", ["--preset", "linear"], "line 1: found 'start 0', expected start W SLOT"),
        ("start 4 0\n", ["--preset", "linear", "--workgroups", "2"], "found the workgroup 4, expected numbers below 2"),
        ("", ["--preset", "liner"], "preset: found 'liner'"),
        ("", ["--workgroups", "2"], "--workgroups needs --preset"),
    ]:
        file.write_text(text)
        ran = synth("machine", "replay", "@schedulers", str(file), *words)
        assert (ran.code, message in ran.err) == (2, True)
