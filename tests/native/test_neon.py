"""Code in lanes on another processor: compiled for ARM, and run by an emulator.

The programs are unit tests of the core. That of the explicit search compares the ids and counts of each path that the
processor has, of which `neon` is one, with those of the path one by one. That of sets of states compares rules and
verdicts with those of graphs.
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
#: What the programs use.
FOLDERS = ("work", "lanes", "transitions", "program", "verdicts", "sets", "search")
#: For each program the paths that it prints.
PROGRAMS = {"test_explicit_search": ["neon", "portable", "one-by-one"], "test_sets": ["neon", "portable"]}


def test_the_lanes_of_neon_decide_what_others_decide(tmp_path):
    sources = [
        *(HERE / f"{name}.cpp" for name in PROGRAMS),
        *(path for name in FOLDERS for path in CORE.glob(f"{name}/*.cpp")),
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        objects = dict(zip(sources, pool.map(lambda source: compiled(source, tmp_path), sources), strict=True))
        list(pool.map(lambda name: check(name, objects, tmp_path / name), PROGRAMS))


def check(name, objects, program):
    """Link a program without the other ones, and run it."""
    others = [made for source, made in objects.items() if source.stem == name or source.stem not in PROGRAMS]
    subprocess.run([COMPILER, "-static", *others, "-o", program], check=True)
    found = subprocess.run([EMULATOR, program], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.split() == PROGRAMS[name]


def compiled(source, folder):
    made = folder / f"{source.stem}.o"
    flags = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{CORE}")
    subprocess.run([COMPILER, *flags, "-c", source, "-o", made], check=True)
    return made
