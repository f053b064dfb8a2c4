"""`synth sim`: what it says, its schedules, and what it refuses."""

import json
import re
import tracemalloc
from xml.etree import ElementTree as ET

import jsonschema
import pytest

import synth as api
from quick import mostly_full
from synth.schema import schemas
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_devices.sim.simulation import LaunchEvent, LaunchResult
from synth_devices.simulated import Launches, seeded_scheduler
from synth_devices.simulated.counts import count_hangs
from synth_devices.views.timeline import MOST_COLUMNS, MOST_ROWS, Timeline, timeline_lines

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
        assert all(sum(launch["finished"].values()) == 30 for launch in line["launches"])


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


@pytest.mark.parametrize("option", ["--events", "--timeline"])
def test_the_outcome_of_a_schedule_is_expected(synth, option):
    words = ["sim", "run", STORE_FIRST, SPINNER, "--scheduler", "serial", "--instances", "1", option, "--expect"]
    assert (synth(*words, "ended").code, synth(*words, "hung").code) == (1, 1)
    assert synth("sim", "run", STORE_FIRST, "--instances", "1", option, "--expect", "ended").code == 0


def test_several_schedules_say_whose_they_are(synth):
    ran = synth(
        "sim", "run", STORE_FIRST, SPINNER, "--scheduler", "serial", "--instances", "1", "--events", "--first", "3"
    )
    lines = ran.out.splitlines()
    assert [line for line in lines if line.startswith("#")] == [f"# {STORE_FIRST}, launch 3", f"# {SPINNER}, launch 3"]


@pytest.mark.parametrize("columns", [8, 34, MOST_COLUMNS])
def test_a_timeline_keeps_its_width(columns):
    drawing = Timeline([(0, 0)], columns)
    drawing.take([LaunchEvent("start", 0, 0), *[LaunchEvent("step", 0, 0)] * 200])
    drawing.take([LaunchEvent("step", 0, 0)])
    lines = list(timeline_lines(drawing, LaunchResult("hung", 201, 1, 1, b"", b"")))
    assert lines[1].endswith("  " + "#" * columns)
    assert f"{201 - columns} more steps" in lines


def test_a_drawing_is_written_as_svg(synth, tmp_path):
    file = tmp_path / "x.svg"
    words = ["sim", "run", STORE_FIRST, "--scheduler", "lockstep", "--instances", "2", "--svg", str(file)]
    assert (synth(*words).code, synth(*words).code, synth(*words, "--force").code) == (0, 2, 0)
    svg = ET.parse(file).getroot()  # noqa: S314  (our own file)
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    labels = [f"{w}: thread {w % 2} of instance {w // 2}" for w in range(4)]
    assert texts == ["has a slot", "steps", "ends with this step", *labels, "ended after 4 steps"]
    kinds = [rect.get("class") for rect in svg.iter("{http://www.w3.org/2000/svg}rect")]
    assert kinds.count("end") == 1 + 4  # in the legend, and the last step of each workgroup
    assert kinds.count("slot") == 1 + 3
    before = file.read_bytes()
    assert synth(*words, "--force").code == 0
    assert file.read_bytes() == before
    assert "expected one, as a file has one drawing" in synth("sim", "run", STORE_FIRST, SPINNER, "--svg", "y.svg").err


@mostly_full("scheduler", ["reverse", "serial", "linear"])
def test_a_timeline_of_many_workgroups_has_those_that_take_its_steps(synth, scheduler):
    """Also if those with the highest numbers are the first to start."""
    ran = synth("sim", "run", "mutex", "--scheduler", scheduler, "--instances", "200", "--timeline")
    rows = [line for line in ran.out.splitlines() if re.match(r" *\d+ +\d+ +\d  ", line)]
    assert len(rows) == MOST_ROWS
    assert all(any(row[27 + step] in "#|" for row in rows if len(row) > 27 + step) for step in range(8))


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
        (["--instances", "0"], "instances: found 0, expected 1 to 1048576"),
        (["--instances", "5", "--mapping", "plain"], "mapping plain: found 5 instances, expected 1; choose another"),
        (["--instances", "600000"], "instances: found 600000, expected at most 524288 of a program with 2 threads"),
        (["--launches", "0"], "launches: found 0, expected 1 to 18446744073709551615"),
        (["--first", "-1"], "first: found -1, expected 0 to 18446744073709551615"),
        (["--first", str(2**64)], "first: found 18446744073709551616, expected 0 to 18446744073709551615"),
        (["--first", str(2**64 - 1)], "expected at most 18446744073709551596 for 20 launches"),
        (["--events", "--timeline"], "--events cannot be combined with --timeline"),
        (["--timeline", "--svg", "x.svg"], "--timeline cannot be combined with --svg"),
        (["--force"], "--force needs --svg"),
        (["--jobs", "0"], "jobs: found 0"),
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


@pytest.mark.full
def test_schedulers_are_listed_and_shown(synth):
    listed = [line.split()[0] for line in synth("sim", "list").out.splitlines()]
    assert [scheduler["name"] for scheduler in json.loads(synth("sim", "list", "--json").out)] == listed
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
    assert [(launch.outcome, launch.steps, launch.slots) for launch in found.launches] == [
        (launch["outcome"], launch["steps"], launch["slots"]) for launch in told["launches"]
    ]
    assert repr(found) == f"<Simulation of {STORE_FIRST}, chunked: {found.hung} of 3 launches hang>"
    assert found.ended + found.hung == 3


def test_instances_fill_the_workgroups_of_a_launch():
    asked = Launches(seeded_scheduler("linear", None))
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
    assert [fault["name"] for fault in told["faults"] if not any(fault["caught_by"].values())] == [
        line.split()[0] for line in lines if line.endswith("not caught")
    ]


def test_tests_that_pass_nothing_catch_nothing(synth):
    """It waits for what never comes, and so breaks a rule and passes no verdict."""
    ran = synth("sim", "power", "01_0-0000")
    assert (ran.code, ran.out.splitlines()[-1].split(":")[0]) == (0, "The suite of 1 test catches 0 of 20 faults")


def test_pieces_change_nothing(monkeypatch):
    programs = [api.read_program(text) for text in ("THREAD 0\n0: Mem[0] = 1;",)] + [
        program_of_id(SPINNER), program_of_id(STORE_FIRST)
    ]  # fmt: skip
    asked = Launches(seeded_scheduler("varying", 4), "chunked", 20, 3, 11)
    whole = list(count_hangs(programs, asked, each=True, jobs=1))
    monkeypatch.setattr("synth_devices.simulated.counts.PIECE", 100)
    reports = []
    assert (
        list(count_hangs(programs, asked, each=True, jobs=2, progress=lambda *report: reports.append(report))) == whole
    )
    assert reports == [(done, 15) for done in range(1, 16)]
    for counts in whole:
        assert [launch.launch for launch in counts.each] == list(range(3, 14))
        assert counts.hung == sum(launch.outcome == "hung" for launch in counts.each)
        assert counts.first_hang == next((launch for launch in counts.each if launch.outcome == "hung"), None)


def test_a_thousand_launches_need_little_memory():
    """Each has a result of 64 KB, of which only counts are kept."""
    asked = Launches(seeded_scheduler("reverse", None), "chunked", 8_192, 0, 1_000)
    next(count_hangs([program_of_id("0000-00_0")], Launches(asked.scheduler, "chunked", 8_192, 0, 1)))
    tracemalloc.start()
    (found,) = count_hangs([program_of_id(STORE_FIRST)], asked, jobs=2)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.hung == 1_000
    assert most < 4 << 20


def test_more_jobs_than_work(synth):
    ran = synth("sim", "run", STORE_FIRST, "--instances", "3", "--launches", "2", "--jobs", "99999")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        {"instances": "3"}, {"instances": 2.5}, {"instances": True}, {"seed": "a"}, {"seed": 1.5}, {"scheduler": 5},
        {"scheduler": None}, {"launches": True}, {"launches": "2"}, {"first": 1.0}, {"mapping": 3},
        {"first": 1 << 64}, {"instances": 1 << 20_000}, {"mapping": "plain", "instances": 2},
    ],
)  # fmt: skip
def test_a_wrong_argument_of_python_is_refused(words):
    with pytest.raises(InputError) as error:
        api.simulate(STORE_FIRST, **{"launches": 1, **words})
    assert len(str(error.value)) < 300


def test_the_last_launch_has_the_largest_number():
    assert api.simulate(STORE_FIRST, instances=2, launches=1, first=2**64 - 1).ended == 1


def test_the_file_of_a_scheduler_is_shown(synth, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("slots = 5")
    shown = synth("sim", "show", str(file))
    assert shown.out.splitlines()[:3] == ["A scheduler that a file describes.", "slots = 5", 'order = "linear"']
    assert "Every test" not in shown.out
    told = json.loads(synth("sim", "show", str(file), "--json").out)
    jsonschema.validate(told, json.loads(schemas()["sim-show.schema.json"]))
    assert (told["name"], told["scheduler"]["slots"], told["implied"]) == (str(file), [5, 5], [])


def test_a_test_that_is_given_twice_counts_once(synth):
    assert "The suite of 1 test catches" in synth("sim", "power", STORE_FIRST, STORE_FIRST).out


@pytest.mark.parametrize(
    ("scheduler", "outcome"),
    [("serial", "hangs"), ("lockstep", "ends"), ("weighted", "ends"), ("preemptive-fair", "ends")],
)
def test_a_schedule_is_replayed(synth, tmp_path, scheduler, outcome):
    words = ["--scheduler", scheduler, "--instances", "20", "--first", "2"]
    file = tmp_path / "schedule.txt"
    file.write_text("# the launch\n\n" + synth("sim", "run", SPINNER, *words, "--events").out)
    ran = synth("sim", "replay", SPINNER, str(file), *words)
    assert ran.code == 0
    assert ran.out.startswith(f"{SPINNER}: each line keeps the rules; the launch {outcome}")


def replayed(synth, tmp_path, lines, *words):
    file = tmp_path / "schedule.txt"
    file.write_text("".join(f"{line}\n" for line in lines))
    return synth("sim", "replay", STORE_FIRST, str(file), *words)


ONE_INSTANCE = ["--scheduler", "linear", "--instances", "1"]
GOOD = ["start 0 0", "start 1 1", "step 1", "step 0", "end 0", "step 1", "end 1", "ended"]


def test_a_schedule_drives_a_random_pick(synth, tmp_path):
    assert replayed(synth, tmp_path, GOOD, *ONE_INSTANCE).out == (
        f"{STORE_FIRST}: each line keeps the rules; the launch ends after 3 steps\n"
    )
    waiting = [*GOOD[:3], *["step 1"] * 50, *GOOD[3:]]
    assert "ends after 53 steps" in replayed(synth, tmp_path, waiting, *ONE_INSTANCE).out


@pytest.mark.parametrize(
    ("place", "line", "told"),
    [
        (0, "start 1 0", "line 1: found 'start 1 0', expected 'start 0 0'"),
        (1, "start 1 2", "line 2: found 'start 1 2', expected 'start 1 1'"),
        (2, "step 2", "line 3: found 'step 2', expected a step of a workgroup that has a slot"),
        (2, "step x", "line 3: found 'step x', expected 'step 0'"),
        (3, "end 1", "line 4: found 'end 1', expected 'step 1'"),
        (4, "end 1", "line 5: found 'end 1', expected 'end 0'"),
        (4, "preempt 0", "line 5: found 'preempt 0', expected 'end 0'"),
        (7, "hung", "line 8: found 'hung', expected 'ended'"),
    ],
)
def test_a_broken_line_of_a_schedule_is_named(synth, tmp_path, place, line, told):
    ran = replayed(synth, tmp_path, [*GOOD[:place], line, *GOOD[place + 1 :]], *ONE_INSTANCE)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert told in ran.err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (GOOD[:-1], "line 8: found the end of the schedule, expected 'ended'"),
        (GOOD[:3], "line 4: found the end of the schedule, expected a step of a workgroup that has a slot"),
        ([*GOOD, "step 0"], "line 9: found 'step 0', expected the end of the schedule"),
        ([], "line 1: found the end of the schedule, expected 'start 0 0'"),
    ],
)
def test_a_schedule_of_another_length_is_refused(synth, tmp_path, lines, told):
    assert told in replayed(synth, tmp_path, lines, *ONE_INSTANCE).err


def test_the_turns_of_a_deterministic_scheduler_are_checked(synth, tmp_path):
    lines = ["start 0 0", "start 1 1", "step 1", "step 0", "end 0", "step 1", "end 1", "ended"]
    ran = replayed(synth, tmp_path, lines, "--scheduler", "lockstep", "--instances", "1")
    assert "line 3: found 'step 1', expected 'step 0'" in ran.err


def test_a_schedule_that_cannot_be_read_is_refused(synth, tmp_path):
    assert synth("sim", "replay", STORE_FIRST, str(tmp_path / "none.txt")).code == 2
    (tmp_path / "bytes.txt").write_bytes(b"start \xff")
    assert "not UTF-8" in synth("sim", "replay", STORE_FIRST, str(tmp_path / "bytes.txt")).err


def test_an_attack_is_written_and_replayed(synth, tmp_path):
    words = ["sim", "attack", STORE_FIRST, "--verdict", "OBE.strong"]
    ran = synth(*words)
    assert (ran.code, ran.out.splitlines()) == (0, ["start 0 0", "start 1 1", "step 1", "cycle", "step 1", "hung"])
    file = tmp_path / "attack.txt"
    assert synth(*words, "--force").code == 2
    assert [synth(*words, "--out", str(file), *more).code for more in ([], [], ["--force"])] == [0, 2, 0]
    assert file.read_text() == ran.out
    ran = synth("sim", "replay", STORE_FIRST, str(file), "--verdict", "OBE.strong")
    assert (ran.code, ran.out) == (
        0,
        (
            f"{STORE_FIRST}: after 1 step, a cycle of 1 step leads back to its start, so the test hangs; "
            "the schedule keeps the promise of OBE.strong\n"
        ),
    )
    ran = synth("sim", "replay", STORE_FIRST, str(file), "--verdict", "fair.weak")
    assert ran.code == 1
    assert "the schedule does not keep the promise of fair.weak: " in ran.out
    assert synth("sim", "replay", STORE_FIRST, str(file)).code == 0


def test_a_test_without_an_attack_says_so(synth):
    ran = synth("sim", "attack", STORE_FIRST, "--verdict", "HSA.weak")
    assert (ran.code, ran.out) == (
        1, f"{STORE_FIRST}: no schedule that keeps the promise of HSA.weak makes this test hang\n"
    )  # fmt: skip
    assert "did you mean" in synth("sim", "attack", STORE_FIRST, "--verdict", "HSA.week").err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["start 0 0", "cycle", "step 1", "hung"], "line 2: found 'cycle', expected 'start 1 1'"),
        (["start 0 0", "start 1 1", "cycle", "hung"], "line 4: found 'hung', expected a cycle with a step before it"),
        (["start 0 0", "start 1 1", "cycle", "step 0", "hung"], "line 5: found 'hung', expected 'end 0'"),
        (
            ["start 0 0", "start 1 1", "step 0", "end 0", "cycle", "step 0", "hung"],
            "line 6: found 'step 0', expected one of step 1, hung",
        ),
        (
            ["start 0 0", "start 1 1", "cycle", "step 1", "step 0", "end 0", "hung"],
            "line 7: found 'hung', expected steps that lead back to the state at the line 'cycle'",
        ),
        (["start 0 0", "start 1 1", "cycle", "step 1"], "line 5: found the end of the schedule, expected one of"),
        (["start 0 0", "start 1 1", "cycle", "step 1", "hung", "x"], "line 6: found 'x', expected the end"),
    ],
)
def test_a_broken_line_of_an_attack_is_named(synth, tmp_path, lines, told):
    ran = replayed(synth, tmp_path, lines)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert told in ran.err


def test_a_verdict_needs_an_attack(synth, tmp_path):
    assert "no line is 'cycle'" in replayed(synth, tmp_path, GOOD, *ONE_INSTANCE, "--verdict", "OBE.weak").err


def test_python_attacks_a_test():
    assert api.attack(STORE_FIRST, "OBE.strong") == api.Attack((1,), (1,))
    assert api.attack(STORE_FIRST, "HSA.weak") is None
