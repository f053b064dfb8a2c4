"""Test that the programs of the target cpp run: their Makefile builds them, and they keep their time limits."""

import json
import re
import shutil
import subprocess

import pytest

from emitted import MUTEX, SPINS_FOR_EVER, VERDICTS, a_test, emitted, written
from making import make
from result_lines import lines_in, results_in
from synth_backends.target import release
from synth_checker.programs.program import Instruction, program


def result_of(program_file, *arguments):
    run = subprocess.run([program_file, *arguments], capture_output=True, text=True, check=True, timeout=60)
    assert run.stderr == ""
    (result,) = results_in(run.stdout)
    return result


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """A mutex and a program that hangs, emitted and built by their Makefile, below a folder with a space."""
    folder = tmp_path_factory.mktemp("with space") / "and one more"
    emitted("cpp", [a_test(MUTEX, "mutex of Figure 2", VERDICTS), a_test(SPINS_FOR_EVER)], folder)
    make(folder, "-j2", "CXXFLAGS=-O0 -Wall -Wextra -Werror -Wconversion")
    return folder


@pytest.mark.full
def test_make_run_prints_a_result_line_for_each_test(output):
    """Here are all keys of a line, in their order; only what the machine says of itself is left out."""
    lines = lines_in(make(output, "run", "ARGS=--timeout 1"))
    measured = [{key: line.pop(key) for key in ("driver", "device", "seconds")} for line in lines]
    assert all(told["driver"].startswith("std::jthread, ") for told in measured)
    assert all(told["device"].keys() == {"os", "name", "driver", "driver_version"} for told in measured)
    assert [len(told["seconds"]) for told in measured] == [1, 1, 20]
    hung, canary, ended = lines
    assert 0.5 < hung.pop("quiet_s") <= measured[0]["seconds"][0] < 30
    target = {"target": "cpp", "mapping": "plain"}
    launched = {"instances": 1, "stress": 0, "width": 1}
    asked = {"iterations": 20, "timeout_s": 1, "synth": release(), "order": "seq_cst system"}
    assert hung == {"format": 2, "id": SPINS_FOR_EVER, "name": SPINS_FOR_EVER, **target, "threads": 2, **launched,
                    "workgroups": 2, **asked, "expected": {}, "process": 1, "result": "hung", "iteration": 1,
                    "started": {"11": 1}, "finished": {"01": 1}}  # fmt: skip
    assert canary == {"format": 2, "id": "0011", "name": "canary", **target, "threads": 1, **launched,
                      "workgroups": 1, **asked, "iterations": 1, "expected": {}, "process": 1, "canary": True,
                      "result": "terminated", "iteration": 1, "started": {"1": 1}, "finished": {"1": 1}}  # fmt: skip
    assert ended == {"format": 2, "id": MUTEX, "name": "mutex of Figure 2", **target, "threads": 2, **launched,
                     "workgroups": 2, **asked, "expected": VERDICTS, "process": 1, "result": "terminated",
                     "iteration": 20, "started": {"11": 1}, "finished": {"11": 1}}  # fmt: skip


@pytest.mark.full
def test_make_clean_removes_what_was_built(output, tmp_path):
    folder = shutil.copytree(output, tmp_path / "copy")
    make(folder, "clean")
    assert {path.suffix for path in folder.iterdir()} == {".cpp", ".md", ".h", ".json", ""}
    assert not (folder / "build").exists()


@pytest.mark.full
def test_a_failing_program_fails_the_makefile(output):
    with pytest.raises(AssertionError, match="--timeout: found 'never', expected a number"):
        make(output, "run", "ARGS=--timeout never")


@pytest.mark.full
def test_make_run_takes_more_programs_than_a_command_line(tmp_path):
    """Here they are empty, with names that are longer together than what Linux lets one argument be, 128 KiB."""
    folder = emitted("cpp", [a_test(MUTEX)], tmp_path / "many")
    (folder / "build").mkdir()
    for stem in (f"test-{k:0220}" for k in range(600)):
        (folder / f"{stem}.cpp").touch()
        (folder / "build" / stem).touch(mode=0o755)
    (folder / f"test-{MUTEX}.cpp").unlink()
    (folder / "build" / f"test-{0:0220}").write_text("echo one of them was run\n")
    assert make(folder, "run") == "one of them was run\n"


def test_a_hung_run_ends_soon_after_its_time_out(output):
    result = result_of(output / "build" / f"test-{SPINS_FOR_EVER}", "--iterations", "3", "--timeout", "1")
    assert (result["result"], result["iteration"], result["finished"]) == ("hung", 1, {"01": 1})


@pytest.mark.full
def test_the_mutex_terminates_every_time(output):
    """A process launches a test a thousand times at most, so that no line grows without end."""
    program_file = output / "build" / f"test-{MUTEX}"
    words = [program_file, "--iterations", "2001", "--timeout", "20"]
    run = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    lines = results_in(run.stdout)
    told = [(line["result"], line["process"], line["iteration"], len(line["seconds"])) for line in lines]
    assert told == [("terminated", 1, 1000, 1000), ("terminated", 2, 2000, 1000), ("terminated", 3, 2001, 1)]
    assert all(0 < seconds < 20 for line in lines for seconds in line["seconds"])


@pytest.mark.full
def test_after_a_hang_a_test_is_launched_as_often_as_asked_for(tmp_path):
    """One is made here whose first two processes hang, each in its second launch."""
    folder = emitted("cpp", [a_test(MUTEX)], tmp_path / "rare")
    (source,) = folder.glob("*.cpp")
    text, loop = source.read_text("utf-8"), "    while (pc != stopped) {"
    assert loop in text
    rarely = """
    static std::atomic<unsigned> threads;
    static const bool is_bad = mkdir("first", 0700) == 0 || mkdir("second", 0700) == 0;
    const bool is_late = ++threads > 2 && is_bad;
"""
    text = text.replace(loop, f"{rarely}    while (is_late || pc != stopped) {{")
    source.write_text(f"#include <sys/stat.h>\n{text}", "utf-8")
    make(folder, "CXXFLAGS=-O0")
    lines = lines_in(make(folder, "run", "ARGS=--timeout 1 --iterations 9 --after-hang 5 --no-canary"))
    told = [(line["result"], line["process"], line["iteration"], len(line["seconds"])) for line in lines]
    assert told == [("hung", 1, 2, 2), ("hung", 2, 4, 2), ("terminated", 3, 7, 3)]


def test_help_shows_the_arguments(output):
    run = subprocess.run(
        [output / "build" / f"test-{MUTEX}", "--help"], capture_output=True, text=True, check=True, timeout=10
    )
    options = re.findall(r"^  (--[a-z-]+)", run.stdout, re.MULTILINE)
    assert options == ["--iterations", "--timeout", "--device", "--after-hang", "--first", "--no-canary", "--expect"]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (
            ["--iteration", "3"],
            (
                "found --iteration, expected --iterations, --timeout, --device, --after-hang, --first, --expect, "
                "--no-canary or --help"
            ),
        ),
        (
            ["--expect", "OBE.weka"],
            "--expect: found 'OBE.weka', expected a verdict of these tests; expected.json has them",
        ),
        (["3"], "found 3, expected the id of a test"),
        (["--device", "x"], "--device: found 'x', expected a number from 0 to 1000"),
        (["--timeout"], "--timeout: found '', expected a number from 1 to 1000000"),
        *(
            (["--iterations", text], f"--iterations: found '{text}', expected a number from 1 to 1000000")
            for text in ["", "0", "-1", "1.5", "2s", " 2", "1000001", "99999999999999999999"]
        ),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_code_2(output, arguments, found):
    run = subprocess.run(
        [output / "build" / f"test-{MUTEX}", *arguments], capture_output=True, text=True, check=False, timeout=10
    )
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"{found}\n")


def test_workgroups_that_cannot_be_started_are_a_failure_of_the_system(output):
    """A thread's stack, here of 1 GB, finds no room in half of that."""
    limited = f"ulimit -s 1000000 && ulimit -v 500000 && exec build/test-{MUTEX}"
    run = subprocess.run(["sh", "-c", limited], cwd=output, capture_output=True, text=True, check=False, timeout=10)
    assert run.returncode == 3
    assert run.stderr.startswith(f"test {MUTEX}: workgroup 0 can't be started: ")
    result = json.loads(run.stdout)
    assert (result["result"], result["iteration"], result["finished"]) == ("failed", 1, {"00": 1})


def test_another_device_is_a_failure(output):
    program_file = output / "build" / f"test-{MUTEX}"
    run = subprocess.run([program_file, "--device", "1"], capture_output=True, text=True, check=False, timeout=10)
    assert (run.returncode, run.stderr) == (3, f"test {MUTEX}: --device: found 1, expected 0: there is no other\n")
    assert (json.loads(run.stdout)["result"], json.loads(run.stdout)["driver"]) == ("not run", "")


def test_a_test_that_hangs_late_is_told_as_such(tmp_path):
    """One is made here: in the third iteration the threads of the mutex, which have finished, don't end."""
    folder = emitted("cpp", [a_test(MUTEX)], tmp_path / "late")
    (source,) = folder.glob("*.cpp")
    text, loop = source.read_text("utf-8"), "    while (pc != stopped) {"
    assert loop in text
    late = "    static std::atomic<unsigned> runs;\n    const bool is_late = ++runs > 4;\n"
    source.write_text(text.replace(loop, f"{late}    while (is_late || pc != stopped) {{"))
    make(folder, "CXXFLAGS=-O0")
    (program_file,) = (folder / "build").iterdir()
    result = result_of(program_file, "--timeout", "1")
    assert (result["result"], result["iteration"], result["finished"]) == ("hung", 3, {"11": 1})


@pytest.mark.full
def test_all_instances_are_counted_and_ids_choose_tests(tmp_path):
    """Of the program that hangs, every thread 1 finishes; workgroups that stress memory end by themselves."""
    tests = [a_test(text) for text in (MUTEX, SPINS_FOR_EVER, "0011-00_0")]
    folder = emitted("cpp", tests, tmp_path / "three", mapping="random", instances=20, stress=5, per_file=3)
    make(folder, "CXXFLAGS=-O0")
    (hung,) = results_in(make(folder, "run", f"ARGS=--timeout 1 {SPINS_FOR_EVER}"))
    assert (hung["result"], hung["finished"], hung["workgroups"], hung["stress"]) == ("hung", {"01": 20}, 45, 5)
    assert hung["started"] == {"11": 20}
    ended = results_in(make(folder, "run", f"ARGS=--timeout 60 --iterations 3 {MUTEX} 0011-00_0"))
    assert {launch["id"] for launch in ended} == {MUTEX, "0011-00_0"}
    for run in ended:
        assert (run["result"], run["finished"], run["mapping"]) == ("terminated", {"11": 20}, "random:0")


@pytest.mark.full
def test_many_threads_of_many_instructions_compile_and_run(tmp_path):
    """Each of 34 threads waits for the one before it, stores 33 times, and lets the next one go."""
    stores = [Instruction(0, 0, pc + 1, 1) for pc in range(1, 34)]
    waiting = [[Instruction(k, 0, 0), *stores, Instruction(k + 1, 0, 35, 1)] for k in range(1, 35)]
    folder = emitted("cpp", [written(program([Instruction(1, 0, 1, 1)], *waiting))], tmp_path / "chain")
    make(folder, "CXXFLAGS=-O0")
    (result,) = results_in(make(folder, "run", "ARGS=--timeout 60 --iterations 1"))
    assert (result["result"], result["finished"]) == ("terminated", {"1" * 35: 1})
