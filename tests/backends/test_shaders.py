"""Test the targets that contain shaders of other targets, and the commands around these shaders."""

import re
import subprocess
import sys

import pytest

import amber_script
from emitted import (
    ALL_SHAPES,
    MAPPINGS,
    MUTEX,
    NASTY_NAMES,
    SPINS_FOR_EVER,
    THREE,
    a_test,
    emitted,
    source_of,
    ten_tests,
    written,
)
from result_lines import lines_in
from shaders import nodes_of, parsed_script, script_of_page, shaders_of_script
from synth_backends.target import Choices, files_of
from synth_backends.template_files import in_script, template_literal


def shader(text):
    """A shader without what is said of its test."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[next(k for k, line in enumerate(lines) if line.startswith(("#version", "@group"))) :])


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_scripts_specs_and_pages_have_the_shaders_of_glsl_and_wgsl(mapping):
    for test in (a_test(MUTEX), a_test(THREE), written(ALL_SHAPES)):
        choices = {"mapping": mapping, "stress": 3}
        (in_script,) = amber_script.read(source_of("amber", test, **choices)).shaders.values()
        assert in_script == shader(source_of("glsl", test, **choices)).replace("END", "end")
        of_wgsl = shader(source_of("wgsl", test, **choices))
        assert [text.lstrip("\n") for text in shaders_of_script(source_of("cts", test, **choices))] == [of_wgsl]
        page = script_of_page(source_of("web", test, **choices))
        in_page, _canary = (text.lstrip("\n") for text in shaders_of_script(page))
        assert in_page == of_wgsl


def test_a_page_has_a_shader_for_each_test_and_the_canary_and_no_text_of_a_test_ends_its_script():
    (page,) = (text for name, text in files_of("web", ten_tests()).items() if name.endswith(".html"))
    assert len(shaders_of_script(script_of_page(page))) == len(ten_tests()) + 1
    for name in [*NASTY_NAMES, "</script><!--", "<!-- <script>", "</SCRIPT >", "${alert()} `"]:
        script = script_of_page(source_of("web", a_test(MUTEX, name)))
        assert len(shaders_of_script(script)) == 2
        assert script.rstrip().endswith("runAll();\n}")


@pytest.mark.parametrize("text", ["`", "${x}", "\\", "\\`", "$\\{", "</script>", "<!--", "a\nb"])
def test_what_is_written_into_a_template_literal_is_its_value(text):
    literal = in_script(template_literal(text))
    assert re.fullmatch(r"(?:[^`\\$]|\\.|\$(?!\{))*", literal, re.DOTALL)
    assert re.sub(r"\\(.)", r"\1", literal, flags=re.DOTALL) == text
    assert "</" not in literal


def test_a_spec_waits_for_an_iteration_before_the_next():
    """And a test for its last one: whatever is not awaited runs beside what comes next, as subcases do."""
    tree = parsed_script(source_of("cts", a_test(MUTEX)))
    (loop,) = (node for node in nodes_of(tree) if node.type == "for_statement")
    in_loop, everywhere = (
        [node.text.partition(b"(")[0] for node in nodes_of(part) if node.type == "await_expression"]
        for part in (loop, tree)
    )
    assert in_loop == [b"await t.queue.onSubmittedWorkDone"]
    assert everywhere == [*in_loop, b"await run"]
    assert b"Subcases" not in tree.text


# AmberScript


LAUNCHED, COMPARED = "echo '4: ComputeCommand'", "echo '5: CompareBufferCommand'"
#: Programs that talk as Amber does about a script, and what is to be said of its test: result, iteration, reason.
AMBERS = {
    "terminates": ([LAUNCHED, COMPARED, "echo 'Summary: 1 pass, 0 fail'"], ("terminated", 2, None)),
    "leaves early": (
        [LAUNCHED, COMPARED, 'echo "$script: Buffers have different values. 1 values differed" >&2', "exit 1"],
        ("left early", 1, None),
    ),
    "hangs": ([LAUNCHED, "sleep 1000"], ("hung", 1, None)),
    "hangs, and says so": (
        [LAUNCHED, 'echo "$script: Vulkan::Calling vkWaitForFences Timeout" >&2', "sleep 1000"],
        ("hung", 1, None),
    ),
    "loses the device": (
        [LAUNCHED, 'echo "$script: Vulkan::Calling vkWaitForFences Fail (DEVICE_LOST)" >&2', "exit 1"],
        ("lost", 1, "Vulkan::Calling vkWaitForFences Fail (DEVICE_LOST)"),
    ),
    "dies": ([LAUNCHED, "kill -9 $$"], ("failed", 1, "its process was ended by signal 9")),
    "fails once it has run": (
        ["test -e ran && exit 7", "touch ran", LAUNCHED, COMPARED],
        ("failed", 2, "its process ended with exit code 7"),
    ),
    "has no driver": (
        ["echo 'Unable to create vulkan instance: -9'", "exit 1"],
        ("not run", 0, "Unable to create vulkan instance: -9"),
    ),
    "can't build": (['echo "$script: broken shader" >&2', "exit 1"], ("not run", 0, "broken shader")),
    "does nothing": ([], ("not run", 0, "Amber ended without running anything")),
}


def run_by(folder, amber, *arguments):
    return subprocess.run(
        [
            "make",
            "-s",
            "--no-print-directory",
            "run",
            f"AMBER={amber}",
            f"ARGS={' '.join(arguments)}",
            f"PYTHON={sys.executable}",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.full
@pytest.mark.parametrize("amber", AMBERS)
def test_the_host_of_amber_tells_what_came_of_a_test(amber, tmp_path):
    """A run that fails or never began is an error of make; a hang costs its time-out, and not what `run_by` allows."""
    words, expected = AMBERS[amber]
    folder = emitted("amber", [a_test(MUTEX)], tmp_path / "one", mapping="plain")
    (folder / "amber").write_text("\n".join(["#!/bin/sh", "for script; do :; done", *words]), "utf-8")
    (folder / "amber").chmod(0o755)
    run = run_by(folder, "./amber", "--iterations 2 --timeout 1")
    line, *canaries = lines_in(run.stdout)
    assert (line["result"], line["iteration"], line.get("reason")) == expected
    assert line.get("code") == ("VK_ERROR_DEVICE_LOST" if line["result"] == "lost" else None)
    assert line["started"] == line["finished"] == ({"11": 1} if line["result"] == "terminated" else {})
    assert [canary["canary"] for canary in canaries] == [True] * (line["result"] in {"hung", "lost"})
    assert run.returncode == (2 if line.get("reason") or canaries else 0)
    assert run.stderr.startswith(f"test {MUTEX}: {expected[2]}\n" if expected[2] else "")


def test_without_amber_one_line_says_that_nothing_is_run(tmp_path):
    folder = emitted("amber", [a_test(MUTEX), a_test(THREE)], tmp_path / "two")
    run = run_by(folder, "no-amber")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.splitlines()[0] == "no-amber: not found, so nothing is run; set AMBER to where Amber is"
    assert len(run.stderr.splitlines()) == 2  # the other one is make's


@pytest.mark.full
def test_of_several_tests_in_a_script_each_is_run_alone_and_named(tmp_path):
    """Here the program that stands in for Amber hangs at the mutex, and says what it was given."""
    tests = [a_test(MUTEX), a_test(THREE), a_test(SPINS_FOR_EVER)]
    folder = emitted("amber", tests, tmp_path / "three", per_file=3)
    entry_point = f"run_{tests[0].identifier} "
    words = [f'cp "$script" given; cat "$script" >> all; {LAUNCHED}; grep -q "RUN {entry_point}" given && sleep 60']
    (folder / "amber").write_text("\n".join(["#!/bin/sh", "for script; do :; done", *words, COMPARED]), "utf-8")
    (folder / "amber").chmod(0o755)
    run = run_by(folder, "./amber", "--iterations 1 --timeout 1 --no-canary")
    results = {line["id"]: line["result"] for line in lines_in(run.stdout)}
    assert results == {MUTEX: "hung", THREE: "terminated", SPINS_FOR_EVER: "terminated"}
    assert run.returncode == 0
    given = (folder / "all").read_text("utf-8").split("#!amber\n")[1:]
    assert [len(amber_script.read(f"#!amber\n{script}").runs) for script in given] == [1, 1, 1]
    (whole,) = folder.glob("tests-*.amber")
    in_one = amber_script.read(whole.read_text("utf-8"))
    alone = [amber_script.read(f"#!amber\n{script}") for script in given]
    for field in ("shaders", "buffers", "pipelines"):
        assert {name: what for script in alone for name, what in getattr(script, field).items()} == getattr(
            in_one, field
        )
    mutex, canary = lines_in(run_by(folder, "./amber", f"--iterations 1 --timeout 1 {MUTEX}").stdout)
    assert (mutex["result"], canary["result"], canary["canary"]) == ("hung", "terminated", True)


@pytest.mark.parametrize("per_file", [1, 3])
def test_a_script_launches_all_workgroups_and_expects_all_flags(per_file):
    tests = [a_test(MUTEX), a_test(THREE), written(ALL_SHAPES)]
    files = files_of("amber", tests, Choices("hybrid", 50, stress=2, per_file=per_file))
    scripts = [amber_script.read(text) for name, text in files.items() if re.fullmatch(r"test.*\.amber", name)]
    assert len(scripts) == 3 / per_file
    launches = []
    for script in scripts:
        assert script.timeouts == [2000]
        for (pipeline, workgroups, *rest), (found, expected) in zip(script.runs, script.expected, strict=True):
            memory, finished = (script.pipelines[pipeline][binding] for binding in (0, 1))
            assert (rest, finished) == ([1, 1], found)
            assert (script.buffers[found][1], script.buffers[expected][1]) == (0, 2)
            assert script.buffers[memory][1] == 0
            launches.append((workgroups, script.buffers[memory][0], script.buffers[found][0]))
    assert sorted(launches) == sorted(
        (50 * len(test.program) + 2, 50 * test.program.locations() + 256, 50 * len(test.program)) for test in tests
    )


#: What is right in an emitted script, and what is wrong instead.
WRONG = [
    ("#!amber\n", ""),
    ("#!amber\n", "\n#!amber\n"),
    ("fence_timeout_ms 2000", "fence_timeout_ms 0"),
    ("fence_timeout_ms", "timeout"),
    ("SHADER compute litmus GLSL", "SHADER vertex litmus GLSL"),
    ("SHADER compute litmus GLSL", "SHADER compute litmus-1 GLSL"),
    ("SHADER compute litmus GLSL", "SHADER compute GLSL"),
    ("BUFFER flags DATA_TYPE", "BUFFER memory DATA_TYPE"),
    ("BUFFER all DATA_TYPE", "BUFFER all TYPE"),
    ("FILL 2", "FILL two"),
    ("FILL 2", "FILL -2"),
    ("SIZE 65534 FILL 2", "SIZE 65533 FILL 2"),
    ("SIZE 65534 FILL 2", "SIZE 0 FILL 2"),
    ("PIPELINE compute run", "PIPELINE graphics run"),
    ("  ATTACH litmus\n", ""),
    ("  ATTACH litmus\n", "  ATTACH litmus\n  ATTACH litmus\n"),
    ("ATTACH litmus", "ATTACH other"),
    ("BIND BUFFER flags", "BIND BUFFER none"),
    ("BINDING 1", "BINDING 0"),
    ("AS storage", "AS color"),
    ("  BIND BUFFER flags", "  CLEAR run\n  BIND BUFFER flags"),
    ("BINDING 1\nEND\n", "BINDING 1\n"),
    ("RUN run 65534 1 1", "RUN run 65534 1"),
    ("RUN run 65534 1 1", "RUN run 65534 1 0"),
    ("RUN run 65534 1 1", "RUN litmus 65534 1 1"),
    ("RUN run 65534 1 1\n", ""),
    ("EQ_BUFFER all", "EQ_BUFFER none"),
    ("EXPECT flags EQ_BUFFER", "EXPECT flags NE_BUFFER"),
    ("}\nEND\n", "}\n"),
    ("default:  // end", "default:  // END"),
    ("goto 0;", "goto END;"),
    ("const uint stopped", "const uint STOPPEND"),
]


@pytest.mark.parametrize(("right", "wrong"), WRONG)
def test_a_script_that_is_none_is_refused(right, wrong):
    text = source_of("amber", a_test(MUTEX))
    amber_script.read(text)
    assert right in text
    with pytest.raises(amber_script.AmberError, match=r"\A(?:line [0-9]+: [^\n]+|nothing is run)\Z"):
        amber_script.read(text.replace(right, wrong))
