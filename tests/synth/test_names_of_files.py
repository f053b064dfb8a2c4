"""The names of files and folders may hold anything: no command lets them control the terminal or begin a line."""

import json
from xml.etree import ElementTree as ET

import pytest

import corpora
from commands import COMMANDS
from processes import SYNTH, in_terminal
from quick import mostly_full
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program

RED, RINGS, REVERSES, LINE = "\x1b[31m", "\x07", "\u202e", "\nSPOOFED"
NAME = f"a{RED}b{RINGS}c{REVERSES}d{LINE}\udcff"
ESCAPED = r"a\x1b[31mb\x07c\u202ed\nSPOOFED\udcff"
GOOD = "kernel k\nglobal A: i32[8]\nentry:\n  write i32 A[gid.0] = 1:i32\n  return\n"
RACE = "kernel r\nglobal A: i32[8]\nentry:\n  write i32 A[0:i32] = gid.0\n  return\n"
BROKEN = "kernel \n"


def assert_harmless(ran):
    assert ran.code != 70
    for text in (ran.out, ran.err):
        assert text.replace("\n", "").isprintable(), ascii(text)
        assert not any(line.startswith(LINE[1:]) for line in text.splitlines())


@pytest.fixture
def files(tmp_path):
    """A folder with kernels, a file of programs, a broken file and a corpus: each has the name in it."""
    folder = tmp_path / f"folder {NAME}"
    folder.mkdir()
    for word, text in (("good", GOOD), ("race", RACE), ("broken", BROKEN)):
        (folder / f"{word} {NAME}.kernel").write_text(text)
    (tmp_path / f"programs {NAME}").write_text(write_program(program_of_id("01100002-01100002")))
    (tmp_path / f"garbage {NAME}").write_bytes(b"\x00\xff")
    corpora.write(tmp_path / f"corpus {NAME}", corpora.some(3))
    return folder


@pytest.mark.full
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@mostly_full("kind", ["folder", "programs", "garbage", "corpus", "missing"])
def test_a_name_of_a_file_steers_no_terminal(synth, words, kind):
    assert_harmless(synth(*words, *[f"{kind} {NAME}"] * COMMANDS[words]))


@pytest.mark.full
def test_a_folder_of_kernels_is_verified_without_its_names_at_work(synth, files):
    ran = synth("verify", files.name, "--local-size", "2", "--num-groups", "2")
    assert_harmless(ran)
    assert all(f"{word} {ESCAPED}.kernel" in ran.out for word in ("good", "race", "broken"))
    (good,) = [line for line in ran.out.splitlines() if line.startswith("good ")]
    assert good.split()[-2:-1] == ["verified"]


@pytest.mark.full
@mostly_full("form", ["html", "text", "markdown"])
def test_documents_have_no_control_characters_of_file_names(synth, files, tmp_path, form):
    assert_harmless(synth("verify", files.name, "--format", form, "--out", tmp_path / "made"))
    assert RED not in (tmp_path / "made").read_text("utf-8")


@pytest.mark.full
def test_json_sarif_and_junit_stay_valid(synth, files, tmp_path):
    ran = synth("verify", files.name, "--json", "--sarif", "found.sarif")
    assert_harmless(ran)
    assert {json.loads(line)["kernel"] for line in ran.out.splitlines()} == {"k", "r"}
    sarif = json.loads((tmp_path / "found.sarif").read_text("utf-8"))
    assert sarif["runs"][0]["results"]
    exported = synth("corpus", "export", f"corpus {NAME}", "--format", "junit", "--model", "OBE.weak")
    assert_harmless(exported)
    assert len(ET.fromstring(exported.out)[0])  # noqa: S314  (our own)


@pytest.mark.full
def test_a_terminal_gets_no_control_characters_of_file_names(files):
    """A pipe would lose some escapes on the way, and a terminal shows a bar with the name of the file at work."""
    with in_terminal([SYNTH, "verify", files.name], cwd=files.parent) as (process, screen):
        text = b""
        try:
            while data := screen.read(1 << 16):
                text += data
        except OSError:  # the command has closed the terminal
            pass
        assert process.wait() == 1
    said = text.decode("utf-8", "surrogateescape")
    assert ESCAPED in said
    assert not any(letters in said for letters in (RED, RINGS, REVERSES, "\udcff"))
