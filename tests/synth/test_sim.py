"""`synth sim`: what it says, its schedules, and what it refuses."""

import json

import jsonschema
import pytest

import synth as api
from synth.simulating import Launches, seeded
from synth.views.schema import schemas

SPINNER, STORE_FIRST = "00_0-0011", "0011-00_0"


def test_launches_of_each_test_are_counted(synth):
    ran = synth("sim", "run", SPINNER, STORE_FIRST, "--scheduler", "serial", "--instances", "3", "--launches", "2")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        [
            (
                f"{SPINNER}: 2 launches of 3 instances: 2 hung; in the first of these, launch 0, "
                "the threads marked 1 have ended: 00 in 3 instances"
            ),
            f"{STORE_FIRST}: 2 launches of 3 instances: all ended",
        ],
    )


def test_plain_has_one_instance(synth):
    ran = synth("sim", "run", STORE_FIRST, "--mapping", "plain", "--launches", "1")
    assert ran.out == f"{STORE_FIRST}: 1 launch of 1 instance: all ended\n"


@pytest.mark.parametrize(("expected", "code"), [("ended", 0), ("hung", 1)])
def test_an_outcome_is_expected(synth, expected, code):
    assert synth("sim", "run", STORE_FIRST, "--instances", "3", "--expect", expected).code == code


def test_the_json_of_a_run_keeps_its_schema(synth):
    ran = synth(
        "sim", "run", "@complete/2x2", "--scheduler", "reverse", "--instances", "30", "--mapping", "chunked", "--json"
    )
    schema = json.loads(schemas()["sim-run.schema.json"])
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert len(lines) == 8
    for line in lines:
        jsonschema.validate(line, schema)
        assert line["ended"] + line["hung"] == len(line["launches"]) == 20
        assert all(sum(one["finished"].values()) == 30 for one in line["launches"])


def test_tests_come_in_their_order_whatever_the_jobs(synth):
    words = ["sim", "run", "@complete/2x2", "--instances", "200", "--json", "--launches", "3", "--jobs"]
    assert synth(*words, "1").out == synth(*words, "3").out


def test_events_tell_the_whole_schedule(synth):
    ran = synth("sim", "run", STORE_FIRST, "--scheduler", "serial", "--instances", "1", "--events")
    assert ran.out.splitlines() == [
        "start 0 0", "step 0", "end 0", "start 1 0", "step 1", "end 1", "ended",
    ]  # fmt: skip


def test_a_timeline_has_a_row_for_each_workgroup(synth):
    ran = synth("sim", "run", STORE_FIRST, "--scheduler", "lockstep", "--instances", "2", "--timeline")
    assert ran.out.splitlines() == [
        "workgroup instance thread",
        "        0        0      0  |",
        "        1        0      1  -|",
        "        2        1      0  --|",
        "        3        1      1  ---|",
        "ended after 4 steps",
    ]


def test_a_timeline_says_what_it_leaves_out(synth):
    ran = synth("sim", "run", SPINNER, "--scheduler", "serial", "--instances", "50", "--timeline")
    assert "36 more workgroups" in ran.out
    ran = synth("sim", "run", STORE_FIRST, "--instances", "60", "--timeline")
    assert "more steps" in ran.out


def test_another_seed_makes_other_launches(synth):
    words = ["sim", "run", STORE_FIRST, "--instances", "50", "--events", "--seed"]
    assert synth(*words, "1").out != synth(*words, "2").out
    assert synth(*words, "1").out == synth(*words, "1").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--scheduler", "linaer"], "did you mean linear?"),
        (["--mapping", "chunkt"], "did you mean chunked?"),
        (["--instances", "0"], "instances: found 0, expected at least 1"),
        (["--instances", "600000"], "instances: found 600000, expected at most 524288 of a program with 2 threads"),
        (["--launches", "0"], "launches: found 0, expected at least 1"),
        (["--first", "-1"], "first: found -1, expected at least 0"),
        (["--seed", "-1"], "seed: found -1"),
        (["--expect", "hang"], "did you mean"),
        (["--events", "--json"], "--json cannot be combined"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(synth, words, told):
    ran = synth("sim", "run", STORE_FIRST, *words)
    assert ran.code == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_schedulers_are_listed_and_shown(synth):
    listed = [line.split()[0] for line in synth("sim", "list").out.splitlines()]
    assert [one["name"] for one in json.loads(synth("sim", "list", "--json").out)] == listed
    for name in listed:
        shown = json.loads(synth("sim", "show", name, "--json").out)
        jsonschema.validate(shown, json.loads(schemas()["sim-show.schema.json"]))
        lines = synth("sim", "show", name).out.splitlines()
        assert lines[0] == shown["about"]
        assert lines[-2] == f"Every test that passes {' or '.join(shown['implied'])} ends on this scheduler."


def test_a_launch_of_python_is_that_of_the_command_line(synth):
    found = api.simulate(STORE_FIRST, "varying", mapping="chunked", instances=40, launches=3, first=2, seed=5)
    words = ["--mapping", "chunked", "--instances", "40", "--launches", "3", "--first", "2", "--seed", "5", "--json"]
    told = json.loads(synth("sim", "run", STORE_FIRST, "--scheduler", "varying", *words).out)
    assert [(one.outcome, one.steps, one.slots) for one in found.launches] == [
        (one["outcome"], one["steps"], one["slots"]) for one in told["launches"]
    ]
    assert repr(found) == f"<Simulation of {STORE_FIRST}, chunked: {found.hung} of 3 launches hang>"
    assert found.ended + found.hung == 3


def test_instances_fill_the_workgroups_of_a_launch():
    asked = Launches(seeded("linear", None))
    assert asked.instances_of(api.read_program("THREAD 0\n0: Mem[0] = 1;")) == 65_535
    assert asked.instances_of(api.read_program("THREAD 0\n0: Mem[0] = 1;\nTHREAD 1\n0: Mem[0] = 1;")) == 32_767


def test_the_power_of_a_suite_is_told(synth):
    ran = synth("sim", "power", STORE_FIRST, SPINNER)
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert len(lines) == 22
    assert lines[-2].startswith("The suite of 2 tests catches 17 of 20 faults: ")
    assert lines[-1].startswith(
        "The smallest part of the suite that catches the same faults under the same mappings has 2 tests: "
    )
    told = json.loads(synth("sim", "power", STORE_FIRST, SPINNER, "--json").out)
    jsonschema.validate(told, json.loads(schemas()["sim-power.schema.json"]))
    assert told["caught"] == 17
    assert [one["name"] for one in told["faults"] if not any(one["caught_by"].values())] == [
        line.split()[0] for line in lines if line.endswith("not caught")
    ]


def test_tests_that_pass_nothing_catch_nothing(synth):
    """It waits for what never comes, and so breaks a rule and passes no verdict."""
    ran = synth("sim", "power", "01_0-0000")
    assert (ran.code, ran.out.splitlines()[-1].split(":")[0]) == (0, "The suite of 1 test catches 0 of 20 faults")
