"""The search in lanes on another processor: compiled for ARM, and run by an emulator.

The program is the unit test of the explicit search. It compares the ids and counts of each path that the processor has,
of which `neon` is one, with those of the path one by one.
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64"
pytestmark = [pytest.mark.full, pytest.mark.command(COMPILER), pytest.mark.command(EMULATOR)]

HERE = Path(__file__).parent
CORE = HERE.parents[1] / "checker" / "native"
#: What the search uses.
FOLDERS = ("work", "transitions", "program", "search")


def test_the_lanes_of_neon_find_what_the_search_one_by_one_finds(tmp_path):
    sources = [HERE / "test_explicit_search.cpp", *(path for name in FOLDERS for path in CORE.glob(f"{name}/*.cpp"))]
    program = tmp_path / "search"
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = list(pool.map(lambda source: compiled(source, tmp_path), sources))
    subprocess.run([COMPILER, "-static", *objects, "-o", program], check=True)
    found = subprocess.run([EMULATOR, program], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.split() == ["neon", "portable", "one-by-one"]


def compiled(source, folder):
    made = folder / f"{source.stem}.o"
    flags = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{CORE}")
    subprocess.run([COMPILER, *flags, "-c", source, "-o", made], check=True)
    return made
