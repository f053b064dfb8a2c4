"""Targets that hold the shaders of others, and the commands around them."""

import re
import subprocess

import pytest

import amber_script
from emitted import ALL_SHAPES, MAPPINGS, MUTEX, NASTY_NAMES, THREE, a_test, emitted, source_of, ten_tests, written
from making import make
from shaders import nodes_of, parsed_script, script_of_page, shaders_of_script
from synth_backends.rendering import in_script, template_literal
from synth_backends.target import Choices, files_of


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
        assert [text.lstrip("\n") for text in shaders_of_script(page)] == [of_wgsl]


def test_a_page_has_a_shader_for_each_test_and_no_text_of_a_test_ends_its_script():
    (page,) = (text for name, text in files_of("web", ten_tests()).items() if name.endswith(".html"))
    assert len(shaders_of_script(script_of_page(page))) == len(ten_tests())
    for name in [*NASTY_NAMES, "</script><!--", "<!-- <script>", "</SCRIPT >", "${alert()} `"]:
        script = script_of_page(source_of("web", a_test(MUTEX, name)))
        assert len(shaders_of_script(script)) == 1
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


def test_make_runs_more_scripts_than_a_command_line(tmp_path):
    """They are empty, with names that are longer together than what Linux lets one argument be, 128 KiB."""
    folder = emitted("amber", [a_test(MUTEX)], tmp_path / "many")
    for number in range(600):
        (folder / f"test-{number:0220}.amber").touch()
    assert make(folder, "run", "AMBER=true", "TIMES=0").count("0 of 0 terminated\n") == 601


@pytest.mark.parametrize(
    ("amber", "told"),
    [
        ("true", "2 of 2 terminated\n"),
        ("false", "0 of 2 terminated, see above\n"),
        ("tail -f", "0 of 2 terminated, ended when TIMEOUT was over"),
    ],
)
def test_make_tells_what_came_of_a_script(amber, told, tmp_path):
    """Of one that terminates, one that fails, and one that hangs."""
    folder = emitted("amber", [a_test(MUTEX)], tmp_path / "one")
    assert told in make(folder, "run", f"AMBER={amber}", "TIMES=2", "TIMEOUT=timeout 0.3")


def test_without_amber_nothing_is_said_to_have_run(tmp_path):
    folder = emitted("amber", [a_test(MUTEX)], tmp_path / "one")
    run = subprocess.run(
        ["make", "-s", "run", "AMBER=no-amber"], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("no-amber: not found\n")


@pytest.mark.parametrize("per_file", [1, 3])
def test_a_script_launches_all_workgroups_and_expects_all_flags(per_file):
    tests = [a_test(MUTEX), a_test(THREE), written(ALL_SHAPES)]
    files = files_of("amber", tests, Choices("hybrid", 50, stress=2, per_file=per_file))
    scripts = [amber_script.read(text) for name, text in files.items() if name.endswith(".amber")]
    assert len(scripts) == 3 / per_file
    launches = []
    for script in scripts:
        assert script.timeouts == [2000]
        for (pipeline, workgroups, *rest), (found, expected) in zip(script.runs, script.expected, strict=True):
            memory, finished = (script.pipelines[pipeline][binding] for binding in (0, 1))
            assert (rest, finished) == ([1, 1], found)
            assert (script.buffers[found][1], script.buffers[expected][1]) == (0, 1)
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
    ("BUFFER finished DATA_TYPE", "BUFFER memory DATA_TYPE"),
    ("BUFFER all DATA_TYPE", "BUFFER all TYPE"),
    ("FILL 1", "FILL one"),
    ("FILL 1", "FILL -1"),
    ("SIZE 65534 FILL 1", "SIZE 65533 FILL 1"),
    ("SIZE 65534 FILL 1", "SIZE 0 FILL 1"),
    ("PIPELINE compute run", "PIPELINE graphics run"),
    ("  ATTACH litmus\n", ""),
    ("  ATTACH litmus\n", "  ATTACH litmus\n  ATTACH litmus\n"),
    ("ATTACH litmus", "ATTACH other"),
    ("BIND BUFFER finished", "BIND BUFFER flags"),
    ("BINDING 1", "BINDING 0"),
    ("AS storage", "AS color"),
    ("  BIND BUFFER finished", "  CLEAR run\n  BIND BUFFER finished"),
    ("BINDING 1\nEND\n", "BINDING 1\n"),
    ("RUN run 65534 1 1", "RUN run 65534 1"),
    ("RUN run 65534 1 1", "RUN run 65534 1 0"),
    ("RUN run 65534 1 1", "RUN litmus 65534 1 1"),
    ("RUN run 65534 1 1\n", ""),
    ("EQ_BUFFER all", "EQ_BUFFER none"),
    ("EXPECT finished EQ_BUFFER", "EXPECT finished NE_BUFFER"),
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
