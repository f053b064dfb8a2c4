"""Test the words that name programs: files in both forms and all encodings, ids, corpora, and standard input."""

import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corpora
from quick import mostly_full
from synth_checker.errors import InputError, excerpt
from synth_checker.programs.normal import program_of_id, written_out
from synth_checker.programs.text import write_program
from synth_corpus.record import record_fields
from synth_corpus.store import MANIFEST
from synth_litmus.inputs import programs
from synth_litmus.inputs.programs import GivenProgram, given_program, given_programs

MUTEX, SPINNER = "01100002-01100002", "0011-00_0"
TEXT = write_program(program_of_id(MUTEX), "mutex") + "\n" + write_program(program_of_id(SPINNER))
RECORDS = "".join(
    json.dumps(record_fields(program_of_id(id_), {}) | more) + "\n"
    for id_, more in [(MUTEX, {"name": "mutex"}), (SPINNER, {})]
)
LONG_ID = "-".join(["01100002" * 17] * 2)


def as_windows_saves_it(text):
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


def as_mac_editors_save_it(text):
    return text.rstrip("\n").encode()


def with_blank_lines(text):
    return ("\n \n" + text.replace("\n", "\n\n")).encode()


def standard_input(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", None if data is None else io.TextIOWrapper(io.BytesIO(data)))


def found_in(word):
    return [(program.name, written_out(program.program)) for program in given_programs(word)]


@pytest.mark.parametrize("saved", [str.encode, as_windows_saves_it, as_mac_editors_save_it, with_blank_lines])
@pytest.mark.parametrize("form", [TEXT, RECORDS], ids=["text", "records"])
def test_a_file_or_standard_input_holds_programs_in_either_form_however_it_was_saved(
    tmp_path, monkeypatch, form, saved
):
    (tmp_path / "file").write_bytes(saved(form))
    standard_input(monkeypatch, saved(form))
    expected = [("mutex", MUTEX), (None, SPINNER)]
    assert found_in(str(tmp_path / "file")) == expected
    assert found_in("-") == expected


def test_each_program_knows_where_it_stands(tmp_path, monkeypatch):
    (tmp_path / "text").write_text(TEXT)
    (tmp_path / "records").write_text("\n" + RECORDS)
    corpora.write(tmp_path / "corpus", corpora.some(3))
    standard_input(monkeypatch, RECORDS.encode())
    monkeypatch.chdir(tmp_path)
    found = {
        word: [program.source for program in given_programs(word)] for word in ["text", "records", "corpus", "-", MUTEX]
    }
    assert found == {
        "text": ["text:2", "text:10"],
        "records": ["records:2", "records:3"],
        "corpus": ["corpus:1", "corpus:2", "corpus:3"],
        "-": ["<stdin>:1", "<stdin>:2"],
        MUTEX: [MUTEX],
    }


def test_a_corpus_is_its_programs(tmp_path):
    corpora.write(tmp_path / "out", corpora.some(3))
    ids = [json.loads(line)["id"] for line in corpora.some(3)]
    assert found_in(str(tmp_path / "out")) == [(None, id_) for id_ in ids]


@pytest.mark.parametrize("id_", [MUTEX, "1220", LONG_ID], ids=["a test", "no normal form", "longer than a file name"])
def test_an_id_is_its_program_as_it_stands(id_):
    assert given_program(id_) == GivenProgram(None, program_of_id(id_), id_)


def test_a_file_wins_over_the_id_that_it_is_called_by(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(MUTEX).write_text(TEXT)
    assert found_in(MUTEX) == [("mutex", MUTEX), (None, SPINNER)]


def named_twice(name, *, ascii_only):
    """A file of two records with this name."""
    line = json.dumps(record_fields(program_of_id(MUTEX), {}) | {"name": name}, ensure_ascii=ascii_only)
    return f"{line}\n{line}".encode()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("name", ["ein Schloß", "\u2028 \x85 \x0b \x1c", "🔒", ""])
def test_a_record_may_have_a_name_of_any_characters(monkeypatch, name, ascii_only):
    """Also of those at which a text has line ends for Python, but not for JSON."""
    standard_input(monkeypatch, named_twice(name, ascii_only=ascii_only))
    assert found_in("-") == [(name, MUTEX)] * 2


def test_a_name_that_no_text_can_have_is_shown_as_json_writes_it(monkeypatch):
    standard_input(monkeypatch, named_twice("half a \ud83d", ascii_only=True))
    assert found_in("-") == [("half a \\ud83d", MUTEX)] * 2


def test_a_name_that_is_no_text_is_none(monkeypatch):
    standard_input(monkeypatch, named_twice(7, ascii_only=True))
    assert found_in("-") == [(None, MUTEX)] * 2


def test_where_one_program_is_wanted_several_are_refused(tmp_path):
    (tmp_path / "file").write_text(TEXT)
    with pytest.raises(InputError) as raised:
        given_program(str(tmp_path / "file"))
    assert str(raised.value) == f"{tmp_path / 'file'}: found 2 programs, expected a single program"


FILES = {
    "empty": (b"", "found no program, expected at least one program"),
    "only a mark": (b"\xef\xbb\xbf", "found no program, expected at least one program"),
    "only comments": (b"// nothing\n\n", "found no program, expected at least one program"),
    "binary": (
        b"\x7fELF\x02\n\xff\xfe",
        "2: found a byte that is not UTF-8, expected programs in text form or records",
    ),
    "UTF-16": (TEXT.encode("utf-16"), "1: found a byte that is not UTF-8, expected programs in text form or records"),
    "zeros": (bytes(100), "1:1: found '\\x00', expected 'THREAD'"),
    "a bad text": (TEXT.replace("THREAD 1", "THREAD 2", 1).encode(), "6:8: found '2', expected thread number 1"),
    "a bad record": (
        f"{RECORDS}\n[]".encode(),
        "4: the key 'threads' with a list of threads is missing, expected a record",
    ),
    "a list of records": (f"[{RECORDS}]".encode(), "1:1: found '[', expected 'THREAD'"),
    "records in many lines": (b'{\n"threads": []}', "1: this is not JSON ("),
}


@pytest.mark.parametrize("case", FILES)
def test_what_holds_no_programs_is_told_in_one_line_with_its_place(tmp_path, monkeypatch, case):
    data, message = FILES[case]
    (tmp_path / "file").write_bytes(data)
    standard_input(monkeypatch, data)
    for word, source in {str(tmp_path / "file"): str(tmp_path / "file"), "-": "<stdin>"}.items():
        with pytest.raises(InputError) as raised:
            given_programs(word)
        place = ":" if message[0].isdigit() else ": "
        assert str(raised.value).startswith(f"{source}{place}{message}")
        assert "\n" not in str(raised.value)


@pytest.mark.full
@mostly_full(
    "word", ["nowhere", "no\nsuch\0file", "nowhere/file", "../nowhere", "0110z", "N" * 300, "--", "0110_-"], quick=2
)
def test_a_word_that_is_nothing_is_told_so(tmp_path, monkeypatch, word):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as raised:
        given_programs(word)
    assert str(raised.value) == (
        f"{excerpt(word)}: there is no such file, and no test of that name in the corpora that ship; "
        "expected a file with programs, '-', an id, the name of a test, or a corpus"
    )


def test_an_id_with_a_target_outside_its_thread_is_refused():
    with pytest.raises(InputError, match="as an id '0112': instruction 0: found target 2, expected 0 to 1"):
        given_programs("0112")


@mostly_full("word", ["0110" * 1250, "011z-" * 1250 + "0110", "x" * 5000])
def test_a_long_word_is_not_repeated_whole(word):
    with pytest.raises(InputError) as raised:
        given_programs(word)
    assert f"{word[:60]}... ({len(word):,} characters)" in str(raised.value)
    assert len(str(raised.value)) < 500


def test_an_empty_word_is_not_the_current_folder():
    with pytest.raises(InputError, match=r"^'': the name of the corpus is empty; give a path, or the name of a corpus"):
        given_programs("")


def test_a_folder_that_is_no_corpus_is_refused(tmp_path):
    with pytest.raises(InputError, match=f"there is no {MANIFEST} in it, expected the folder of a corpus"):
        given_programs(str(tmp_path))


def test_standard_input_that_has_been_closed_holds_no_program(monkeypatch):
    standard_input(monkeypatch, None)
    with pytest.raises(InputError, match="<stdin>: found no program, expected at least one program"):
        given_programs("-")


def test_a_file_that_cannot_be_read_is_told_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text(TEXT)

    def refuse(*_, **__):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr("synth_litmus.inputs.programs.beginning", refuse)
    with pytest.raises(InputError) as raised:
        given_programs(str(tmp_path / "file"))
    assert str(raised.value) == f"{tmp_path / 'file'}: Permission denied, expected programs"


@given(st.binary() | st.binary().map(lambda data: b"{" + data) | st.text(alphabet='{}[]",:0 \n').map(str.encode))
def test_any_bytes_are_read_or_refused_with_their_source(data):
    with pytest.MonkeyPatch.context() as patch:
        standard_input(patch, data)
        try:
            found = given_programs("-")
        except InputError as error:
            assert str(error).startswith("<stdin>:")  # noqa: PT017
        else:
            assert found


def test_a_file_without_end_is_refused_without_reading_it_all(monkeypatch):
    monkeypatch.setattr(programs, "MAX_BYTES", 1 << 20)
    with pytest.raises(
        InputError, match=r"/dev/zero: found more than 1 MB, which is too large; give a smaller file or a corpus"
    ):
        given_programs("/dev/zero")
