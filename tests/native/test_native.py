"""Run the unit tests and a fuzzer of the C++ core under AddressSanitizer and UndefinedBehaviorSanitizer.

Each test_*.cpp is a program that exits with status 0 if all its checks hold. They are compiled once a session, with the
warnings of the build as errors.
"""

import os
import re
import shlex
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fuzzing import SECONDS

#: Compiling the core with sanitizers takes more than a minute of one processor.
pytestmark = pytest.mark.full

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "checker" / "native"
UNITS = sorted(path.stem for path in HERE.glob("test_*.cpp"))
FLAGS = [
    *("-std=c++20", "-O1", "-g1", "-fno-omit-frame-pointer"),
    # Pointers are looked at by ASan; to have each looked at once more takes half of the compiler's time.
    *("-fsanitize=address,undefined", "-fno-sanitize=null,alignment,object-size,vptr", "-fno-sanitize-recover"),
    *("-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{CORE}"),
]


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """The folder of the compiled programs."""
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    if not shutil.which(compiler[0]):
        pytest.skip(f"no compiler {compiler[0]}")
    folder = tmp_path_factory.mktemp("native")

    def compiled(source):
        made = subprocess.run(
            [*compiler, *FLAGS, "-c", source, "-o", folder / f"{source.stem}.o"], capture_output=True, text=True
        )
        assert not made.returncode, made.stderr

    def linked(name):
        objects = [folder / f"{source.stem}.o" for source in (*core, HERE / name)]
        made = subprocess.run([*compiler, *FLAGS, *objects, "-o", folder / name], capture_output=True, text=True)
        assert not made.returncode, made.stderr

    core = [path for path in CORE.glob("*/*.cpp") if path.parent.name != "bindings"]  # which needs Python
    names = [*UNITS, "fuzz", "faulty"]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compiled, [*core, *(HERE / f"{name}.cpp" for name in names)]))
        list(pool.map(linked, names))
    return folder


def run(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, errors="replace")


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_of_the_core_does_what_it_says(unit, programs):
    found = run(programs / unit)
    assert (found.returncode, found.stderr) == (0, "")


def test_any_bytes_go_through_the_core_without_a_fault(programs):
    limits = [str(SECONDS), str(time.time_ns() // 1000)] if SECONDS else ["5", "0", "3000"]
    found = run(programs / "fuzz", *limits)
    assert (found.returncode, found.stderr) == (0, "")
    inputs, read, judged = map(
        int, re.fullmatch(r"(\d+) inputs, (\d+) programs, (\d+) judged\n", found.stdout).groups()
    )
    assert inputs // 2 < read < inputs
    assert judged > inputs // 3


@pytest.mark.parametrize(
    ("fault", "report"),
    [
        ("outside", "heap-buffer-overflow"),
        ("overflow", "signed integer overflow"),
        ("freed", "heap-use-after-free"),
        ("leak", "detected memory leaks"),
        ("check", 'not so: fault != "check"'),
    ],
)
def test_a_planted_fault_is_found(fault, report, programs):
    assert run(programs / "faulty").returncode == 0
    found = run(programs / "faulty", fault)
    assert found.returncode != 0
    assert report in found.stderr
