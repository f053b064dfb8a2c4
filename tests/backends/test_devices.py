"""Test emitted programs on devices without a GPU: schedulers with known behaviour give the known answers.

A program that hangs is killed. PoCL with two threads runs two workgroups at a time, in the order of their numbers, each
to its end. Its `basic` device runs one at a time. The threads of C++ are scheduled fairly.
"""

import os
import re
import subprocess

import pytest

from emitted import (
    MUTEX,
    NASTY_NAMES,
    PAPER,
    TAKES_A_LOCK,
    WAITS_FOR_EARLIER,
    WAITS_FOR_LATER,
    a_test,
    emitted,
    opencl_context,
)
from making import make, results_of
from processes import PATIENCE_S, in_session, processes_of
from result_lines import lines_in
from synth_backends.litmus_test import LitmusTest
from synth_checker.programs.normal import program_of_id

TWO_AT_A_TIME = {"POCL_DEVICES": "pthread", "POCL_MAX_PTHREAD_COUNT": "2"}
ONE_AT_A_TIME = {"POCL_DEVICES": "basic"}
#: For each device: target, environment, and the mappings under which the first test hangs; all else terminates.
DEVICES = {
    "C++": ("cpp", {}, []),
    "PoCL, two at a time": ("opencl", TWO_AT_A_TIME, ["round-robin", "chunked"]),
    "PoCL, one at a time": ("opencl", ONE_AT_A_TIME, PAPER),
}


@pytest.mark.full
@pytest.mark.parametrize("device", DEVICES)
def test_each_device_gives_the_answers_that_are_known_of_it(device, tmp_path):
    """Where a test hangs it hangs at once; where it ends it may take its time."""
    target, environment, hangs_under = DEVICES[device]
    if target == "opencl":
        opencl_context()
    found, expected = {}, {}
    for mapping in PAPER:
        tests = [a_test(text) for text in (WAITS_FOR_LATER, WAITS_FOR_EARLIER, MUTEX)]
        folder = emitted(target, tests, tmp_path / mapping, mapping=mapping, per_file=3)
        make(folder)
        hanging = [WAITS_FOR_LATER] if mapping in hangs_under else []
        ending = [test.id for test in tests if test.id not in hanging]
        lines = results_of(folder, environment, "--iterations 2 --timeout 60", *ending)
        if hanging:
            lines += results_of(folder, environment, "--iterations 2 --timeout 1", *hanging)
        for line in lines:
            found[mapping, line["id"]] = line["result"]
            expected[mapping, line["id"]] = "hung" if line["id"] in hanging else "terminated"
            assert sum(line["finished"].values()) == line["instances"]
            assert line["result"] == "hung" or set(line["finished"]) == set(line["started"]) == {"11"}
            assert line["order"] == ("seq_cst system" if target == "cpp" else "seq_cst device")
    assert found == expected
    assert len(found) == 9


@pytest.mark.full
def test_names_come_out_as_they_went_in(tmp_path):
    names = [name for name in NASTY_NAMES if "\ud800" not in name]  # half of a character is no name of a result
    tests = [LitmusTest(name, f"{k:04}", program_of_id(MUTEX)) for k, name in enumerate(names)]
    folder = emitted("cpp", tests, tmp_path / "names", per_file=len(tests))
    make(folder)
    lines = results_of(folder, {}, "--iterations 1 --timeout 60")
    assert [(line["name"], line["result"]) for line in lines] == [(name, "terminated") for name in names]


@pytest.mark.full
def test_a_hanging_run_leaves_no_process_behind(tmp_path):
    opencl_context()
    folder = emitted("opencl", [a_test(WAITS_FOR_LATER)], tmp_path / "hangs")
    make(folder)
    environment = os.environ | TWO_AT_A_TIME | {"POCL_CACHE_DIR": str(folder / "cache")}
    with in_session(["build/litmus", "--timeout", "1"], cwd=folder, env=environment, stdout=subprocess.PIPE) as process:
        out, _ = process.communicate(timeout=PATIENCE_S)
        assert not processes_of(process.pid)
    hung, canary = lines_in(out)
    assert (hung["result"], hung["finished"]) == ("hung", {"00": 32_767})
    assert 0 < hung["quiet_s"] <= hung["seconds"][-1]
    assert (canary["canary"], canary["result"]) == (True, "terminated")


@pytest.mark.full
def test_of_the_threads_of_a_workgroup_only_the_first_runs(tmp_path):
    """The only thread of the program takes a lock that nobody frees. A second one would wait for ever."""
    opencl_context()
    folder = emitted("opencl", [a_test(TAKES_A_LOCK)], tmp_path / "wide", instances=5, width=4, stress=3)
    make(folder)
    (line,) = results_of(folder, ONE_AT_A_TIME, "--iterations 2 --timeout 10")
    assert (line["result"], line["finished"], line["width"]) == ("terminated", {"1": 5}, 4)


@pytest.mark.full
def test_threads_of_a_test_can_share_a_workgroup(tmp_path):
    """PoCL runs the threads of a workgroup one after the other. So the first one can't wait for the second."""
    opencl_context()
    tests = [a_test(WAITS_FOR_LATER), a_test(WAITS_FOR_EARLIER)]
    folder = emitted("opencl", tests, tmp_path / "inside", mapping="invocations", instances=5)
    make(folder)
    lines = results_of(folder, TWO_AT_A_TIME, "--iterations 2 --timeout 60", WAITS_FOR_EARLIER)
    lines += results_of(folder, TWO_AT_A_TIME, "--iterations 2 --timeout 1", WAITS_FOR_LATER)
    assert [(line["result"], line["workgroups"], line["width"]) for line in lines] == [
        ("terminated", 5, 2),
        ("hung", 5, 2),
    ]


@pytest.mark.full
def test_a_device_that_leaves_loops_early_is_told_from_one_that_hangs(tmp_path):
    """Such a device is made here: the loop that runs a thread is left after some steps."""
    opencl_context()
    folder = emitted("opencl", [a_test(WAITS_FOR_LATER)], tmp_path / "early", mapping="chunked", instances=50)
    (kernel,) = folder.glob("test*.cl")
    text = kernel.read_text("utf-8")
    loop = "while (pc != stopped) {"
    assert loop in text
    kernel.write_text(text.replace(loop, "for (uint steps = 0u; pc != stopped && steps < 65536u; ++steps) {"), "utf-8")
    make(folder)
    (line,) = results_of(folder, ONE_AT_A_TIME, "--timeout 60")
    assert (line["result"], line["iteration"], line["finished"]) == ("left early", 1, {"01": 50})
    assert line["started"] == {"11": 50}


@pytest.mark.full
@pytest.mark.parametrize("wrong", ["__kernel broken", ""])
def test_a_kernel_that_cannot_be_built_is_not_run(wrong, tmp_path):
    opencl_context()
    folder = emitted("opencl", [a_test(MUTEX)], tmp_path / "wrong")
    make(folder)
    (kernel,) = folder.glob("test*.cl")
    kernel.write_text(wrong, "utf-8")
    run = subprocess.run(["build/litmus"], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 3
    assert f"test {MUTEX}: test-{MUTEX}.cl: " in run.stderr
    (result,) = lines_in(run.stdout)
    assert (result["result"], result["iteration"], result["finished"]) == ("not run", 0, {})
    assert run.stderr.endswith(f"test {MUTEX}: {result['reason']}\n")


#: Where there are no drivers: what makes each interface find none, and what its host says then.
NO_DRIVERS = [
    pytest.param("opencl", ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"], "found no OpenCL driver", id="opencl"),
    pytest.param("glsl", ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"], "found no Vulkan driver", id="vulkan"),
    pytest.param("cuda", ["CUDA_VISIBLE_DEVICES"], "found no device: .+", id="cuda", marks=pytest.mark.command("nvcc")),
]


@pytest.mark.full
@pytest.mark.parametrize(("target", "names", "reason"), NO_DRIVERS)
def test_without_a_driver_nothing_is_run_and_each_line_says_so(target, names, reason, tmp_path):
    (tmp_path / "none").mkdir()
    tests = [a_test(MUTEX), a_test(WAITS_FOR_EARLIER)]
    folder = emitted(target, tests, tmp_path / "tests", per_file=1 if target == "glsl" else 2)
    make(folder, "NVCCFLAGS=-O0") if target == "cuda" else make(folder, "build/litmus")
    (program,) = (folder / "build").iterdir()
    environment = os.environ | dict.fromkeys(names, str(tmp_path / "none"))
    run = subprocess.run(
        [program], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    lines = lines_in(run.stdout)
    assert [(line["result"], line["iteration"], line["finished"]) for line in lines] == [("not run", 0, {})] * 2
    assert all(re.fullmatch(reason, line["reason"]) for line in lines)
    assert run.returncode == 3
    said = [line for line in run.stderr.splitlines() if line.startswith("test ")]
    assert said == [f"test {line['id']}: {line['reason']}" for line in lines]
