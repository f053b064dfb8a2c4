"""Test that code in lanes shares no function with other code: the linker may keep one that a processor cannot run."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytestmark = [pytest.mark.full, pytest.mark.command("g++"), pytest.mark.command("nm")]

CORE = Path(__file__).parents[2] / "checker" / "native"
SOURCES = sorted({*CORE.glob("search/lanes_*.cpp"), *CORE.glob("sets/sets_*.cpp")})


def shared(source, folder):
    """The functions that the linker may take from this file or from another, without any optimisation."""
    made = folder / f"{source.stem}.o"
    subprocess.run(["g++", "-std=c++20", "-O0", f"-I{CORE}", "-c", source, "-o", made], check=True)
    symbols = subprocess.run(["nm", "-C", made], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^[0-9a-f]+ [WVu] (.*)$", symbols, re.MULTILINE)


def test_code_in_lanes_has_no_function_that_other_files_may_have(tmp_path):
    assert len(SOURCES) == 8
    with ThreadPoolExecutor(2) as pool:
        assert not [names for names in pool.map(lambda source: shared(source, tmp_path), SOURCES) if names]


def test_a_shared_function_is_seen(tmp_path):
    source = tmp_path / "one.cpp"
    source.write_text("inline int one(int k) { return k + 1; }\nint two(int k) { return one(k) + 1; }\n")
    assert shared(source, tmp_path) == ["one(int)"]
