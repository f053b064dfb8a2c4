"""Test the layout of ids: fields read from an id are those of its program, and no other module knows the layout."""

import ast
import re
from pathlib import Path

from hypothesis import given

from quick import mostly_full
from strategies import programs
from synth_checker import _native
from synth_checker.programs import id_layout
from synth_checker.programs.normal import program_of_id, written_out

ROOT = Path(__file__).parents[2]
OWNERS = {"checker/synth_checker/programs/id_layout.py", "checker/native/program/id_layout.hpp"}
PACKAGES = ("backends", "checker", "corpus", "encodings", "storage", "synth")


@given(programs().filter(len))
def test_what_is_read_off_an_id_is_what_its_program_has(program):
    id_ = written_out(program)
    threads = id_layout.threads_of(id_)
    assert id_layout.joined_threads(threads) == id_
    assert id_layout.thread_count(id_) == len(program) == _native.common_threads([id_])
    assert id_layout.thread_and_instruction_count(id_) == (len(program), program.size)
    assert id_layout.sizes(id_) == tuple(map(len, program))
    assert id_layout.sizes(id_.encode().translate(id_layout.SHAPE).decode()) == tuple(map(len, program))
    for digits, thread in zip(threads, program, strict=True):
        assert id_layout.fields_of(digits) == [(i.loc, i.check, i.target, i.exch) for i in thread]
        assert list(map(id_layout.number, digits[id_layout.LOC])) == [i.loc for i in thread]
        assert list(map(id_layout.number, digits[id_layout.CHECK])) == [i.check for i in thread]
        assert list(map(id_layout.number, digits[id_layout.TARGET])) == [i.target for i in thread]
        written = [None if digit == id_layout.NO_EXCHANGE else id_layout.number(digit) for digit in digits[2::4]]
        assert digits[id_layout.EXCH] == digits[2::4]
        assert written == [i.exch for i in thread]


def test_the_layout_is_that_of_the_definitions():
    """Written by hand: `loc check exch target`."""
    id_ = "3y_2a0b1-0011"
    assert id_layout.ID_PATTERN.fullmatch(id_)
    assert set(id_) <= id_layout.CHARACTERS
    first, second = program_of_id(id_)
    assert [(i.loc, i.check, i.exch, i.target) for i in first] == [(3, 34, None, 2), (10, 0, 11, 1)]
    assert [(i.loc, i.check, i.exch, i.target) for i in second] == [(0, 0, 1, 1)]


def layout_known(path):
    """Places of a file where the layout of ids is written out: its line, and what stands there."""
    text = path.read_text()
    if path.suffix != ".py":
        text = re.sub(r'"[^"\n]*"', '""', text)  # a message may quote it
        return [f"{text[: hit.start()].count(chr(10)) + 1}: {hit[0]}" for hit in re.finditer(r"'[-_]'", text)]
    return [
        f"{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(ast.parse(text))
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in {"split", "count"}
            and [getattr(arg, "value", None) for arg in node.args] in (["-"], [b"-"])
        )
        or (isinstance(node, ast.Slice) and isinstance(node.step, ast.Constant) and node.step.value == 4)
    ]


@mostly_full("package", PACKAGES, quick=2)
def test_the_layout_has_one_owner_in_each_language(package):
    files = [path for end in ("*.py", "*.cpp", "*.hpp") for path in sorted((ROOT / package).rglob(end))]
    places_of_files = {str(path.relative_to(ROOT)): layout_known(path) for path in files}
    assert {name: places for name, places in places_of_files.items() if places and name not in OWNERS} == {}


def test_a_second_owner_is_noticed(tmp_path):
    (tmp_path / "one.py").write_text("def f(id_):\n    return id_.split('-'), id_[2::4], 'a-b'.partition('-')\n")
    (tmp_path / "one.cpp").write_text("// ids\nif (id[at] == '-') fail(\"a '-'\");\n")
    assert layout_known(tmp_path / "one.py") == ["2: id_.split('-')", "2: 2::4"]
    assert layout_known(tmp_path / "one.cpp") == ["2: '-'"]
