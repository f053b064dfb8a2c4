"""Test the output: nobody need read it, it can't control the terminal, and a narrow terminal loses no letter."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from quick import mostly_full
from synth_checker.errors import InputError
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_corpus.record import record_fields
from synth_documents.phrases import shown

SYNTH = Path(sys.executable).with_name("synth")
#: Fails OBE.
SPINNER = "0011-00_0"
CLEARS, REVERSES, RINGS = "\x1b[2J", "\u202e", "\x07"
NAME = f"a{CLEARS}b{REVERSES}c{RINGS}\x9bd ein Schloß"


def bash(command, folder):
    """The exit code of the first command of a pipe, and what came to standard error."""
    script = f'{command}; exit "${{PIPESTATUS[0]}}"'
    path = f"{SYNTH.parent}:/usr/local/bin:/usr/bin:/bin"
    ran = subprocess.run(["bash", "-c", script], cwd=folder, env={"PATH": path}, capture_output=True, text=True)
    return ran.returncode, ran.stderr


@pytest.mark.full
@mostly_full(
    ("words", "code"),
    [
        (f"check {SPINNER} --model OBE", 1),
        ("enumerate --bounds 2x2 --out - --expect 7", 1),
        ("enumerate --bounds 2x4 --out - --memory 1K", 75),
        *(
            pytest.param(words, code, marks=pytest.mark.full)
            for words, code in [
                (f"check {SPINNER} --model HSA", 0),
                ("enumerate --bounds 2x2 --expect 7", 1),
                (f"check {SPINNER} --model OBE --json", 1),
                (f"show {SPINNER}", 0),
                ("enumerate --bounds 2x2 --count-only --expect 7", 1),
                ("enumerate --bounds 2x4 --memory 1K", 75),
            ]
        ),
    ],
)
def test_a_reader_that_has_gone_does_not_change_the_answer(words, code, tmp_path):
    """`true` reads nothing; it has surely gone once the other side of the pipe is closed."""
    found, told = bash(f"{{ sleep 0.3; exec synth {words}; }} | true", tmp_path)
    assert found == code
    assert "Traceback" not in told
    assert "Broken" not in told


@pytest.mark.full
@mostly_full("where", ["2>&1 | true", "2>/dev/full"])
def test_a_fault_that_cannot_be_told_is_in_the_exit_code(where, tmp_path):
    assert bash(f"{{ sleep 0.3; exec synth check 00_1; }} {where}", tmp_path) == (2, "")
    assert bash(f"{{ sleep 0.3; exec synth enumerate --bounds 2x2 --expect 7; }} {where}", tmp_path) == (1, "")


@pytest.mark.full
def test_a_file_that_may_grow_no_further_is_one_line_and_exit_code_3(tmp_path):
    assert bash("(ulimit -f 0; synth check 00_0 > out)", tmp_path) == (3, "synth: File too large\n")


@pytest.mark.parametrize("command", [("check",), ("show",), ("explain", "--model", "unfair")], ids=" ".join)
@pytest.mark.parametrize("form", ["text", "records"])
def test_a_name_cannot_steer_the_terminal(synth, command, form):
    program = program_of_id(SPINNER)
    as_record = json.dumps(record_fields(program, {}) | {"name": NAME})
    given = write_program(program, NAME) if form == "text" else as_record
    ran = synth(*command, "-", stdin=given)
    assert ran.out.startswith(f"a\\x1b[2Jb\\u202ec\\x07\\x9bd ein Schloß: {SPINNER}\n")
    ran = synth(*command, "-", "--json", stdin=given)
    assert json.loads(ran.out)["name"] == NAME
    assert re.search(r"[^\n -~]", ran.out) is None


def test_neither_can_a_name_of_two_lines_in_a_record(synth):
    given = json.dumps(record_fields(program_of_id(SPINNER), {}) | {"name": "a\nTHREAD 0"})
    assert synth("check", "-", stdin=given).out.startswith(f"a\\nTHREAD 0: {SPINNER}\n")


@pytest.mark.parametrize("name", ["[bold]x[/]", ":lock:", "a  b"])
def test_a_name_is_shown_as_it_is(synth, name):
    ran = synth("check", "-", stdin=write_program(program_of_id(SPINNER), name))
    assert ran.out.startswith(f"{name}: {SPINNER}\n")


def test_neither_can_a_word_of_the_command_line(synth, tmp_path):
    assert CLEARS not in synth("check", f"no{CLEARS}file").err
    assert CLEARS not in synth(f"no{CLEARS}command").err
    ran = synth("enumerate", "--bounds", "2x2", "--out", f"a{CLEARS}\udcff")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("8 tests in a\\x1b[2J\\udcff\n")
    assert [path.name for path in tmp_path.iterdir()] == [f"a{CLEARS}\udcff"]


@pytest.mark.parametrize("text", ["", "ein Schloß", "[[x]]", "a b"])
def test_what_can_be_printed_is_shown_as_it_is(text):
    assert shown(text) == text


def test_a_program_is_written_with_a_name_of_one_line():
    with pytest.raises(InputError) as raised:
        write_program(program_of_id(SPINNER), "a\n0: Mem[0] = 1;")
    assert str(raised.value) == r"name: found the text 'a\n0: Mem[0] = 1;', expected a single line"


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ("check", "01100002-01100002"),
        ("show", "01100002-01100002"),
        ("enumerate", "--bounds", "2x2..3x3", "--out", "-", "--without", "effective-stores"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("columns", [1, 20, 40])
def test_a_narrow_terminal_loses_no_letter(synth, monkeypatch, words, columns):
    wide = synth(*words)
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = synth(*words)
    for wide_line, other in zip(wide[1:], narrow[1:], strict=True):
        assert re.sub(r"[0-9.]+ s, [0-9,]+ tests/s", "", wide_line) == re.sub(r"[0-9.]+ s, [0-9,]+ tests/s", "", other)
