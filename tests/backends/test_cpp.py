"""The target cpp: its text against golden files, its meaning against the definitions, its runs against the clock."""

import difflib
import itertools
import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from golden import check_folder
from synth_backends import rendering
from synth_backends.target import LitmusTest, files_of, load_target
from synth_checker.normal import program_of_id, written_out
from synth_checker.program import Instruction, Program, Thread, program
from synth_checker.twin import semantics
from synth_corpus.folders import write_texts

GOLDEN = Path(__file__).parent / "golden" / "cpp"
COMPILE = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-O2", "-pthread"]

# Of the mutex: whoever holds the lock has started, so a model that keeps started threads running lets it release.
VERDICTS = {"unfair": "fail", "HSA.weak": "fail", "HSA.strong": "fail"} | {
    f"{model}.{form}": "pass" for model in ("OBE", "LOBE", "HSA+OBE", "fair") for form in ("weak", "strong")
}
MUTEX = "01100002-01100002"
SPINS_FOR_EVER = "00_0-1011"
# Store, check branch and exchange branch; jumps back, to the same place, forward and to the end; a no-op, a store that
# compares with 1; two locations, values up to 2. Checks and exchanges differ, so that swapping them shows.
ALL_SHAPES = program(
    [Instruction(0, 1, 0, 2), Instruction(1, 0, 2, 1), Instruction(0, 2, 0), Instruction(1, 0, 5, 2),
     Instruction(0, 0, 1), Instruction(1, 1, 6, 0), Instruction(0, 1, 7), Instruction(0, 2, 8, 1)],
    [Instruction(1, 1, 0), Instruction(1, 2, 2, 0)],
    [Instruction(0, 0, 1, 2)],
)  # fmt: skip

NASTY_NAMES = [
    'quote"; std::abort(); //',
    "line\nint injected = 1;\r\n#error",
    "*/ #error /*",
    "ends in a backslash \\",
    "ends in a trigraph ??/",
    "???/ ????",
    "%s %n %d {{ 7 * 7 }} {% raw %} $(shell false) `false`",
    ')" R"(',
    "\u202e\u2066 right to left, \u2028 lines \x85, \x00 \x1b[31m \x7f",
    "lone surrogate \ud800, pair \U0001f512, übrig",
    "\\u000a \\",
    "",
    "long " * 2000,
]


def a_test(text, name=None, verdicts=None):
    return LitmusTest(text if name is None else name, text, program_of_id(text), verdicts or {})


def labelled(threads, text="0000"):
    """A program that is in no normal form, under some id."""
    return LitmusTest("a program", text, threads)


def source_of(test):
    return load_target("cpp").emit([test])[f"{test.file_stem}.cpp"]


def built(source, program_file):
    """Compile one source text, with every warning an error."""
    source_file = program_file.with_suffix(".cpp")
    source_file.write_text(source, encoding="utf-8")
    subprocess.run([*COMPILE, "-o", program_file, source_file], check=True, timeout=60)
    return program_file


def result_of(program_file, *arguments):
    run = subprocess.run([program_file, *arguments], capture_output=True, text=True, check=True, timeout=60)
    assert run.stderr == ""
    assert run.stdout.count("\n") == 1
    return json.loads(run.stdout)


# Text


def test_the_output_is_as_in_the_golden_files():
    check_folder(GOLDEN, load_target("cpp").emit([a_test(MUTEX, "mutex of Figure 2", VERDICTS)]))


def test_the_output_is_the_same_in_every_run_and_order():
    tests = [a_test(MUTEX, verdicts=VERDICTS), a_test(SPINS_FOR_EVER)]
    written = [list(files_of("cpp", given).items()) for given in (tests, tests, tests[::-1])]
    assert written[0] == written[1] == written[2]


def test_lines_are_of_readable_length():
    assert max(map(len, source_of(a_test(MUTEX, verdicts=VERDICTS)).splitlines())) <= 120


def test_without_verdicts_nothing_is_said_of_them():
    text = source_of(a_test(MUTEX))
    assert "Must terminate" not in text
    assert "May run" not in text
    assert "May run" not in source_of(a_test(MUTEX, verdicts={"fair.weak": "pass"}))


def test_names_change_nothing_but_the_two_lines_that_show_them():
    plain = source_of(a_test(MUTEX, "plain")).splitlines()
    for name in NASTY_NAMES:
        nasty = source_of(a_test(MUTEX, name)).split("\n")[:-1]
        changed = [line for line in difflib.ndiff(plain, nasty) if line.startswith("+")]
        starts = [line.split('"')[0] for line in changed]
        assert starts == ["+ // Progress litmus test ", "+ constexpr const char* name = "]
        assert all(line[-1] in '";' and line.isprintable() for line in changed)


def test_names_do_not_inject(tmp_path):
    """All in one file, each in its own namespace; what the programs print has the names as they were given."""
    tests = [a_test(MUTEX, name) for name in NASTY_NAMES]
    calls = "\n".join(f"    test_{k}::main(argc, argv);" for k in range(len(tests)))
    source = f"{in_namespaces(map(source_of, tests))}\nint main(int argc, char** argv) {{\n{calls}\n}}\n"
    run = subprocess.run(
        [built(source, tmp_path / "names"), "--iterations", "1"], capture_output=True, check=True, timeout=60
    )
    assert [json.loads(line)["name"] for line in run.stdout.splitlines()] == [test.name for test in tests]


# Meaning: every step of every thread from every memory, compared with the definitions


def in_namespaces(sources):
    """Several emitted files in one translation unit: the headers first, so that they are not in a namespace."""
    sources = list(sources)
    headers = sorted({line for source in sources for line in source.splitlines() if line.startswith("#include")})
    bodies = (f"namespace test_{k} {{\n{source}}}\n" for k, source in enumerate(sources))
    return "\n".join([*headers, *bodies])


EXPLORE = """
// Prints for each thread, location (the end included) and memory: what one step makes of them.
template <typename Steps, typename Memory, typename Finished>
void explore(int test, const Steps& steps, Memory& memory, Finished& finished, std::vector<unsigned> sizes,
             unsigned values) {
    unsigned memories = 1;
    for (std::size_t k = 0; k < memory.size(); ++k) {
        memories *= values;
    }
    for (unsigned thread = 0; thread < steps.size(); ++thread) {
        for (unsigned pc = 0; pc <= sizes[thread]; ++pc) {
            for (unsigned content = 0; content < memories; ++content) {
                finished.fill(false);
                unsigned rest = content;
                for (auto& location : memory) {
                    location = rest % values;
                    rest /= values;
                }
                std::printf("%d %u %u %u ", test, thread, pc, content);
                const unsigned next = steps[thread](pc);
                std::printf("%d", pc == sizes[thread] ? -1 : static_cast<int>(next));
                for (const auto& location : memory) {
                    std::printf(" %u", location.load());
                }
                for (const bool done : finished) {
                    std::printf(" %d", done);
                }
                std::puts("");
            }
        }
    }
}
"""


def steps_of_the_code(programs_and_sources, folder):
    """The steps of emitted sources, each as a set of lines."""
    pairs = list(programs_and_sources)
    calls = "".join(
        f"    explore({k}, test_{k}::steps, test_{k}::memory, test_{k}::finished,"
        f" {{{', '.join(str(len(thread)) for thread in program)}}}, {program.values() + 1});\n"
        for k, (program, _) in enumerate(pairs)
    )
    source = in_namespaces(source for _, source in pairs) + EXPLORE + f"int main() {{\n{calls}}}\n"
    run = subprocess.run([built(source, folder / "harness")], capture_output=True, text=True, check=True, timeout=60)
    found = [set() for _ in pairs]
    for line in run.stdout.splitlines():
        test, _, rest = line.partition(" ")
        found[int(test)].add(rest)
    return found


def steps_of_the_definitions(program):
    """The same lines by section 1 of the definitions; at its end a thread changes nothing but that it has finished."""
    values, locations = program.values() + 1, program.locations()
    lines = set()
    for content, digits in enumerate(itertools.product(range(values), repeat=locations)):
        memory = digits[::-1]  # the first location is the fastest
        for tid, thread in enumerate(program):
            for pc in range(len(thread)):
                pcs = tuple(pc if k == tid else 0 for k in range(len(program)))
                after = semantics.step(program, semantics.State(memory, pcs), tid)
                numbers = [tid, pc, content, after.pcs[tid], *after.memory, *[0] * len(program)]
                lines.add(" ".join(map(str, numbers)))
            finished = [int(k == tid) for k in range(len(program))]
            lines.add(" ".join(map(str, [tid, len(thread), content, -1, *memory, *finished])))
    return lines


def random_program(rng, threads, size):
    def instruction(end):
        exch = rng.choice([None, *range(4)])
        return Instruction(rng.randrange(3), rng.randrange(4), rng.randrange(end + 1), exch)

    return Program(tuple(Thread(tuple(instruction(size) for _ in range(size))) for _ in range(threads)))


def test_each_step_is_as_in_the_definitions(tmp_path):
    """And the harness sees each fault that is planted in the template."""
    kinds = {ALL_SHAPES[tid].kind(pc) for tid, pc, _ in ALL_SHAPES.instructions()}
    assert len(kinds) == 4
    rng = random.Random("cpp")
    programs = [ALL_SHAPES, program_of_id(MUTEX), random_program(rng, 3, 7)]
    pairs = [(threads, source_of(labelled(threads))) for threads in programs]
    pairs += [(ALL_SHAPES, faulty_source(*fault)) for fault in FAULTS.values()]
    found = steps_of_the_code(pairs, tmp_path)
    for threads, lines in zip(programs, found, strict=False):
        assert lines == steps_of_the_definitions(threads)
    expected = steps_of_the_definitions(ALL_SHAPES)
    unseen = [name for name, lines in zip(FAULTS, found[len(programs) :], strict=True) if lines == expected]
    assert unseen == []


FAULTS = {
    "wrong target": ("{{ i.check }} ? {{ i.target }} :", "{{ i.check }} ? 0 :"),
    "branches swapped": ("? {{ i.target }} : {{ next }}", "? {{ next }} : {{ i.target }}"),
    "exchange missing": ("exchange({{ i.exch }})", "fetch_add(0)"),
    "values swapped": ("== {{ i.check }} ?", "== {{ i.check if i.exch is none else i.exch }} ?"),
    "exchange of the checked value": ("exchange({{ i.exch }})", "exchange({{ i.check }})"),
    "one location for all": ("memory[{{ i.loc }}]", "memory[0]"),
    "a store that waits": ("        return {{ next }};", "        return {{ loop.index0 }};"),
    "a read that writes": ("fetch_add(0)", "fetch_add(1)"),
    "finishes another thread": ("finish({{ loop.index0 }})", "finish(0)"),
    "finishes only at times": ("        finish(", "        if (memory[0] == 0) finish("),
}


def faulty_source(right, wrong):
    read_template = rendering.read_template

    def read_faulty(folder, name):
        text = read_template(folder, name)
        assert name != "test.cpp" or right in text
        return text.replace(right, wrong)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "read_template", read_faulty)
        return source_of(labelled(ALL_SHAPES))


@pytest.mark.full
def test_each_step_of_many_programs_is_as_in_the_definitions(tmp_path):
    rng = random.Random("cpp, full")
    programs = [random_program(rng, rng.randint(1, 5), rng.randint(1, 12)) for _ in range(60)]
    programs.append(random_program(rng, 2, 35))
    found = steps_of_the_code([(threads, source_of(labelled(threads))) for threads in programs], tmp_path)
    assert found == [steps_of_the_definitions(threads) for threads in programs]


# Runs


@pytest.fixture(scope="module")
def output(tmp_path_factory):
    """A mutex and a program that hangs, emitted and built by their Makefile, below a folder with a space."""
    folder = tmp_path_factory.mktemp("with space") / "and one more"
    write_texts(folder, files_of("cpp", [a_test(MUTEX, "mutex of Figure 2", VERDICTS), a_test(SPINS_FOR_EVER)]))
    make(folder, "CXXFLAGS=-O2 -Wall -Wextra -Werror -Wconversion")
    return folder


def make(folder, *arguments):
    """Run make there, without what a make around this test has put into the environment."""
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    run = subprocess.run(
        ["make", "-s", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    assert run.stderr == ""
    return run.stdout


def test_make_run_prints_a_result_line_for_each_test(output):
    lines = [json.loads(line) for line in make(output, "run", "ARGS=--timeout 1").splitlines()]
    assert lines == [
        {"id": SPINS_FOR_EVER, "name": SPINS_FOR_EVER, "target": "cpp", "mapping": "plain", "iterations": 20,
         "timeout_s": 1, "result": "hung", "iteration": 1, "finished": [False, True]},
        {"id": MUTEX, "name": "mutex of Figure 2", "target": "cpp", "mapping": "plain", "iterations": 20,
         "timeout_s": 1, "result": "terminated", "iteration": 20, "finished": [True, True]},
    ]  # fmt: skip


def test_make_clean_removes_what_was_built(output, tmp_path):
    folder = shutil.copytree(output, tmp_path / "copy")
    make(folder, "clean")
    assert {path.suffix for path in folder.iterdir()} == {".cpp", ".md", ""}
    assert not (folder / "build").exists()


def test_a_failing_program_fails_the_makefile(output):
    with pytest.raises(subprocess.CalledProcessError):
        make(output, "run", "ARGS=--timeout never")


def test_a_hung_run_ends_soon_after_its_time_out(output):
    result = result_of(output / "build" / f"test-{SPINS_FOR_EVER}", "--iterations", "3", "--timeout", "1")
    assert (result["result"], result["iteration"], result["finished"]) == ("hung", 1, [False, True])


def test_the_mutex_terminates_every_time(output):
    result = result_of(output / "build" / f"test-{MUTEX}", "--iterations", "2000", "--timeout", "20")
    assert (result["result"], result["iteration"]) == ("terminated", 2000)


def test_help_shows_the_arguments(output):
    run = subprocess.run(
        [output / "build" / f"test-{MUTEX}", "--help"], capture_output=True, text=True, check=True, timeout=10
    )
    assert "[--iterations N] [--timeout SECONDS]" in run.stdout


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--iteration", "3"], "found --iteration, expected --iterations, --timeout or --help"),
        (["3"], "found 3, expected --iterations, --timeout or --help"),
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


def test_threads_that_cannot_be_started_are_one_line_and_exit_code_3(output):
    """A thread's stack, here of 1 GB, finds no room in half of that."""
    limited = f"ulimit -s 1000000 && ulimit -v 500000 && exec build/test-{MUTEX}"
    run = subprocess.run(["sh", "-c", limited], cwd=output, capture_output=True, text=True, check=False, timeout=10)
    assert run.returncode == 3
    assert run.stderr.startswith("thread 0 can't be started: ")


def test_many_threads_of_many_instructions_compile_and_run(tmp_path):
    """Each of 34 threads waits for the one before it, stores 33 times, and lets the next one go."""
    stores = [Instruction(0, 0, pc + 1, 1) for pc in range(1, 34)]
    waiting = [[Instruction(k, 0, 0), *stores, Instruction(k + 1, 0, 35, 1)] for k in range(1, 35)]
    threads = program([Instruction(1, 0, 1, 1)], *waiting)
    test = LitmusTest("a chain", written_out(threads), threads)
    result = result_of(built(source_of(test), tmp_path / "chain"), "--timeout", "20", "--iterations", "5")
    assert (result["result"], result["finished"]) == ("terminated", [True] * 35)
