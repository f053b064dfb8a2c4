"""Test corpora on disk: they are read as they were written, and refused if they are damaged."""

import contextlib
import json
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import corpora
import strategies
from quick import mostly_full
from synth_checker.errors import InputError, InternalError, LimitError, ResourceError
from synth_checker.programs.normal import written_out
from synth_corpus.record import RecordWriter
from synth_corpus.store import MANIFEST, RECORDS, Corpus, is_corpus, write_corpus

NEW, OLD = corpora.some(3), corpora.some(5)


@pytest.fixture
def folder(tmp_path):
    """A corpus."""
    corpora.write(tmp_path / "out.corpus", OLD)
    return tmp_path / "out.corpus"


def lines_in(folder):
    return list(Corpus(folder).lines())


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


# What is written


@mostly_full("size", [0, 1, 3000], quick=2)
def test_a_corpus_is_read_as_it_was_written(tmp_path, size):
    lines = corpora.some(size)
    written = corpora.write(tmp_path / "out", lines)
    corpus = Corpus(tmp_path / "out")
    assert list(corpus.lines()) == lines
    assert corpus.manifest == written
    assert names_in(tmp_path / "out") == [MANIFEST, RECORDS]


def test_two_runs_differ_only_in_what_the_manifest_has_under_run(tmp_path):
    for name in "ab":
        corpora.write(tmp_path / name, OLD, run={"host": name})
    assert (tmp_path / "a" / RECORDS).read_bytes() == (tmp_path / "b" / RECORDS).read_bytes()
    a, b = (json.loads((tmp_path / name / MANIFEST).read_text("utf-8")) for name in "ab")
    assert list(a)[-1] == "run"
    assert a | {"run": {"host": "b"}} == b


@pytest.mark.full
@given(st.sets(strategies.programs(threads=(1, 4), instructions=(1, 4), locations=36, values=36).map(written_out)))
def test_records_sorted_by_id_are_sorted_as_lines(ids):
    """So that the order of lines, which writing checks, is the order of the definitions."""
    writer = RecordWriter(("a.weak",))
    lines = [writer.line(id_, random.Random(id_).getrandbits(1)).encode() for id_ in sorted(ids, key=str.encode)]
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (OLD[::-1], "expected records sorted by id"),
        ([OLD[0], *OLD], "expected records sorted by id"),
        (OLD[1:], "found 4 records, expected 5"),
    ],
    ids=["unsorted", "twice", "too few"],
)
def test_records_that_are_not_as_promised_are_not_put_in_place(tmp_path, lines, message):
    with pytest.raises(InternalError, match=message):
        write_corpus(tmp_path / "out", map(str.encode, lines), corpora.manifest(tests=len(OLD)))
    assert names_in(tmp_path) == []


def test_a_corpus_is_replaced_only_by_force(folder):
    with pytest.raises(InputError, match="found a corpus, expected a new or empty folder"):
        corpora.write(folder, NEW)
    assert lines_in(folder) == OLD
    corpora.write(folder, NEW, force=True)
    assert lines_in(folder) == NEW


def foreign_manifest(folder):
    (folder / RECORDS).unlink()
    (folder / MANIFEST).write_text('{"name": "A web page", "format": 1, "kind": "web"}')


def file_of_the_user(folder):
    (folder / "notes.txt").touch()


def later_format(folder):
    (folder / MANIFEST).write_text((folder / MANIFEST).read_text().replace('"format": 1', '"format": 99'))


@pytest.mark.parametrize(
    ("change", "still"),
    [(foreign_manifest, False), (file_of_the_user, False), (later_format, True)],
)
def test_force_replaces_corpora_of_any_format_and_nothing_that_others_have_made(folder, change, still):
    change(folder)
    before = names_in(folder)
    assert is_corpus(folder) == still
    with contextlib.nullcontext() if still else pytest.raises(InputError, match="the folder contains other files"):
        corpora.write(folder, NEW, force=True)
    assert names_in(folder) == ([MANIFEST, RECORDS] if still else before)


# Damage


def cut(folder):
    path = folder / RECORDS
    path.write_bytes(path.read_bytes()[:-20])


def emptied(folder):
    (folder / RECORDS).write_bytes(b"")


def flipped(folder):
    path = folder / RECORDS
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def followed_by_garbage(folder):
    with (folder / RECORDS).open("ab") as file:
        file.write(b"garbage")


def records_of_another_corpus(folder):
    corpora.write(folder.parent / "other", NEW)
    shutil.copy(folder.parent / "other" / RECORDS, folder)


def not_compressed(folder):
    (folder / RECORDS).write_text("".join(OLD))


def not_text(folder):
    (folder / RECORDS).write_bytes(zstandard.compress(b"\xff\n"))


def without_records(folder):
    (folder / RECORDS).unlink()


def records_that_are_a_folder(folder):
    (folder / RECORDS).unlink()
    (folder / RECORDS).mkdir()


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (cut, ":1: "),
        (emptied, ":1: found 0 records, expected 5 as in the manifest"),
        (flipped, ":"),
        (followed_by_garbage, ":1: "),
        (records_of_another_corpus, ":4: found 3 records, expected 5 as in the manifest"),
        (not_compressed, ":1: "),
        (not_text, ":1: found '\\\\xff', expected a record"),
        (without_records, ": No such file or directory"),
        (records_that_are_a_folder, ": Is a directory"),
    ],
)
def test_damaged_records_are_told_in_one_line(folder, damage, found):
    damage(folder)
    with pytest.raises(InputError) as raised:
        lines_in(folder)
    message = str(raised.value)
    assert message.startswith(f"{folder / RECORDS}{found}")
    assert ", expected " in message
    assert "\n" not in message


@pytest.mark.full
def test_no_byte_of_the_records_can_be_lost_unnoticed(folder):
    data = (folder / RECORDS).read_bytes()
    for size in range(len(data)):
        (folder / RECORDS).write_bytes(data[:size])
        with pytest.raises(InputError):
            lines_in(folder)


def test_records_compressed_anew_in_several_frames_are_the_same(folder):
    (folder / RECORDS).write_bytes(b"".join(zstandard.compress(line.encode()) for line in OLD))
    assert lines_in(folder) == OLD


def test_a_reader_may_leave_before_the_end(folder):
    assert next(Corpus(folder).lines()) == OLD[0]


# Manifests


def in_manifest(**changes):
    def change(folder):
        path = folder / MANIFEST
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes))

    return change


def in_question(**changes):
    def change(folder):
        path = folder / MANIFEST
        found = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(found | {"question": found["question"] | changes}))

    return change


def without(key):
    def change(folder):
        path = folder / MANIFEST
        found = json.loads(path.read_text("utf-8"))
        del found[key]
        path.write_text(json.dumps(found))

    return change


def text(content):
    return lambda folder: (folder / MANIFEST).write_bytes(content)


NO_MANIFEST = "found no JSON object with the keys kind and format, expected kind 'progress litmus tests', format 1"
OF_FORMAT_1 = "expected format 1 of 'progress litmus tests'"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (text(b""), NO_MANIFEST),
        (text(b"[" * 100_000), NO_MANIFEST),
        (text(b"[1, 2]"), NO_MANIFEST),
        (text(b'"format kind"'), NO_MANIFEST),
        (text(b'{"a": "\xff"}'), "'utf-8' codec can't decode byte 0xff in position 7: "),
        (without("kind"), NO_MANIFEST),
        (in_manifest(format=2), f"found format 2 of 'progress litmus tests', {OF_FORMAT_1}"),
        (in_manifest(kind=[]), f"found format 1 of [], {OF_FORMAT_1}"),
        (without("sha256"), "sha256: found nothing, expected str"),
        (in_manifest(sha256=1), "sha256: found 1, expected str"),
        (in_manifest(complete="false"), "complete: found 'false', expected bool"),
        (in_manifest(complete=1), "complete: found 1, expected bool"),
        (in_manifest(tests=True), "tests: found True, expected int"),
        (in_manifest(tests=1e400), NO_MANIFEST),
        (in_manifest(question=["2x2"]), "question: found ['2x2'], expected an object"),
        (in_manifest(models=["HSA"]), "models: found ['HSA'], expected an object of str"),
        (in_manifest(models={"HSA": 1}), "models: found {'HSA': 1}, expected an object of str"),
        (in_manifest(rules="all"), "rules: found 'all', expected a list of str"),
        (in_manifest(verdicts=[1]), "verdicts: found [1], expected a list of str"),
        (in_manifest(splits={"1+1": "8"}), "splits: found {'1+1': '8'}, expected an object of int"),
        (in_manifest(run=None), "run: found nothing, expected an object"),
        (in_question(bounds="2x2"), "bounds: found '2x2', expected a list of str"),
        (in_question(bounds=["2by2"]), "bounds: found '2by2', expected TxN"),
        (in_question(bounds=[]), "bounds: found none, expected at least one in the form TxN"),
        (in_question(locations="2"), "locations: found '2', expected int"),
        (in_question(values=2.0), "values: found 2.0, expected int"),
        (in_question(values=0), "values: found 0, expected at least 1"),
        (in_question(without=["executed"]), "without: found 'executed', which cannot be dropped, expected one of "),
    ],
)
def test_a_manifest_that_is_none_is_told_in_one_line(folder, damage, message):
    damage(folder)
    with pytest.raises(InputError) as raised:
        Corpus(folder)
    found = str(raised.value)
    assert found.startswith(f"{folder / MANIFEST}: {message}")
    assert ", expected " in found
    assert "\n" not in found


def test_a_question_beyond_the_limits_is_a_limit_error(folder):
    in_question(values=37)(folder)
    with pytest.raises(LimitError, match=r"manifest\.json: values: found 37, expected at most 36"):
        Corpus(folder)


@pytest.mark.parametrize("make", ["nothing", "file", "folder"])
def test_where_there_is_no_corpus_that_is_said(tmp_path, make):
    place = tmp_path / make
    if make == "file":
        place.touch()
    elif make == "folder":
        place.mkdir()
    with pytest.raises(InputError) as raised:
        Corpus(place)
    assert str(raised.value) == f"{place}: there is no manifest.json in it, expected the folder of a corpus"


# Replacing one, with something going wrong


@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, ResourceError("a worker was lost")])
def test_a_fault_in_the_middle_leaves_the_old_corpus(folder, fault):
    def lines():
        yield NEW[0].encode()
        raise fault

    manifest = corpora.manifest(tests=len(NEW))
    with pytest.raises(fault if isinstance(fault, type) else type(fault)):
        write_corpus(folder, lines(), manifest, force=True)
    assert lines_in(folder) == OLD
    assert names_in(folder.parent) == ["out.corpus"]


REPLACE_FOR_EVER = """
import sys
from itertools import cycle
from pathlib import Path
import corpora
for size in cycle([2000, 3000]):
    corpora.write(Path(sys.argv[1]), corpora.some(size), force=True)
    print(size, flush=True)
"""


def killed_while_replacing(folder, rng):
    """Start a writer, and kill it a short while after its first corpus; which of its two corpora is there."""
    words = [sys.executable, "-c", REPLACE_FOR_EVER, folder]
    paths = {"PYTHONPATH": str(corpora.FOLDER)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=paths) as writer:
        writer.stdout.readline()
        time.sleep(rng.uniform(0, 0.15))
        writer.send_signal(signal.SIGKILL)
    found = lines_in(folder)
    assert found in (corpora.some(2000), corpora.some(3000))
    # The file of the lock stays, too, and goes with the next run.
    assert all(name in {"out", ".out-lock"} or name.endswith(".partial") for name in names_in(folder.parent))
    return len(found)


@pytest.mark.full
def test_a_writer_killed_at_any_moment_leaves_a_whole_corpus(tmp_path):
    rng = random.Random("kill")
    for _ in range(5):
        killed_while_replacing(tmp_path / "out", rng)


@pytest.mark.full
def test_writers_killed_at_many_moments_leave_whole_corpora_old_and_new(tmp_path):
    rng = random.Random("kill, full")
    assert {killed_while_replacing(tmp_path / "out", rng) for _ in range(60)} == {2000, 3000}
