"""Test damaged files and full disks: one line, the right exit code, and no file overwritten.

Disks and permissions are real. There is a limit of the system on the size of files, which needs no rights; a small
disk, where one can be mounted; and folders without write permission, for which root gives up its power to ignore that.
"""

import functools
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

import corpora
from processes import without_power
from quick import mostly_full
from synth_backends.emission import emit
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_corpus.store import MANIFEST, RECORDS

SYNTH = Path(sys.executable).with_name("synth")
MUTEX = "01100002-01100002"
TEXT = write_program(program_of_id(MUTEX), "mutex")
GIGABYTE = 1 << 30


def everything_in(folder):
    """Each file's size and, if that is small, content."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: path.read_bytes() if path.stat().st_size < 1 << 20 else path.stat().st_size for path in files}


def zeros(path, size=GIGABYTE):
    """A file of so many zeros, which takes no space."""
    with path.open("wb") as file:
        file.truncate(size)


# --- files, by every command that reads them ---

READING = {
    "check": ("check", "{}"),
    "check --json": ("check", "{}", "--json"),
    "show": ("show", "{}"),
    "explain": ("explain", "{}", "--model", "OBE.weak"),
    "lts": ("lts", "{}"),
    "emit": ("emit", "{}", "--target", "cpp", "--out", "new"),
}
every_reader = pytest.mark.parametrize("words", READING.values(), ids=READING)

NO_PROGRAMS = {
    "empty": (b"", "file: found no program, expected at least one program"),
    "a byte-order mark": (b"\xef\xbb\xbf", "file: found no program, expected at least one program"),
    "line ends": (b"\r\n\r\n", "file: found no program, expected at least one program"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\xff\xfe", "file:1: found a byte that is not UTF-8"),
    "UTF-16": (TEXT.encode("utf-16"), "file:1: found a byte that is not UTF-8"),
    "zeros": (bytes(1000), r"file:1:1: found '\x00', expected 'THREAD'"),
    "cut off": (TEXT[:40].encode(), "file:3:23: found the end of the text, expected '=='"),
}


@every_reader
@mostly_full("case", NO_PROGRAMS, quick=24)
def test_a_file_without_programs_is_told_by_every_command(synth, tmp_path, words, case):
    data, told = NO_PROGRAMS[case]
    (tmp_path / "file").write_bytes(data)
    ran = synth(*(word.format("file") for word in words))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"synth: {told}")
    assert everything_in(tmp_path) == {tmp_path / "file": data}


@every_reader
def test_a_file_as_windows_saves_it_is_read_by_every_command(synth, tmp_path, words):
    (tmp_path / "plain").write_text(TEXT)
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    plain = synth(*(word.format("plain") for word in words), *(("--force",) if "emit" in words else ()))
    ran = synth(*(word.format("file") for word in words), *(("--force",) if "emit" in words else ()))
    assert ran == plain
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.full
@every_reader
def test_a_gigabyte_of_zeros_is_refused_by_every_command_without_being_read_whole(synth, tmp_path, words):
    zeros(tmp_path / "file")
    ran = synth(*(word.format("file") for word in words))
    assert ran == (2, "", "synth: file: found more than 64 MB, which is too large; give a smaller file or a corpus\n")


def zeros_as_manifest(corpus):
    zeros(corpus / MANIFEST)


def zeros_as_records(corpus):
    zeros(corpus / RECORDS)


def zeros_in_the_records(corpus):
    compressor = zstandard.ZstdCompressor().compressobj(size=GIGABYTE)
    block = bytes(1 << 24)
    with (corpus / RECORDS).open("wb") as file:
        for _ in range(GIGABYTE // len(block)):
            file.write(compressor.compress(block))
        file.write(compressor.flush())


READING_CORPORA = {
    "check": ("check", "it.corpus"),
    "corpus export": ("corpus", "export", "it.corpus"),
    "emit": ("emit", "it.corpus", "--target", "cpp", "--out", "new"),
    "enumerate": ("enumerate", "--bounds", "2x4", "--out", "it.corpus"),
}


@pytest.mark.full
@mostly_full("words", READING_CORPORA.values(), ids=READING_CORPORA)
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (zeros_as_manifest, f"{MANIFEST}: the file has more than 64 MB, expected a manifest"),
        (zeros_as_records, f"{RECORDS}:1: "),
        pytest.param(
            zeros_in_the_records,
            f"{RECORDS}:1: found a line of more than 1 MB, expected a record",
            marks=pytest.mark.full,
        ),
    ],
)
def test_a_gigabyte_of_zeros_in_a_corpus_is_refused_without_being_read_whole(synth, tmp_path, words, damage, told):
    corpora.write(tmp_path / "it.corpus", corpora.some(3), complete=False)
    damage(tmp_path / "it.corpus")
    before = everything_in(tmp_path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ran = synth(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"synth: it.corpus/{told}")
    assert everything_in(tmp_path) == before
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) << 10 < GIGABYTE / 2


# --- disks ---

#: Bytes of the small disk: a file takes whole pages, and some are left beside what is there.
PAGE = 4096
SPARE = 3 * PAGE
#: Found in no time, and more than the small disk holds.
MANY = ("--bounds", "2x3", "--without", "all-branches,inter-thread-influence,effective-stores", "--jobs", "1")


def started(words, folder, **options):
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, **options)
    return ran.returncode, ran.stdout, ran.stderr


@functools.cache
def mounting():
    """The words that give a shell file systems of its own to mount, or None where this system does not let us."""
    for words in (("unshare", "--mount"), ("unshare", "--user", "--map-root-user", "--mount")):
        if shutil.which("unshare") and started([*words, "mount", "-t", "tmpfs", "none", "/mnt"], "/")[0] == 0:
            return words
    return None


def on_a_full_disk(words, folder):
    """Run a command where the folder `disk` has little space left for files, and see what it then holds."""
    if mounting() is None:
        prefix = ["bash", "-c", '(ulimit -f 4; "$@"); code=$?; cp -r disk after; exit $code']
        told = "File too large"
    else:
        size = SPARE + sum(-(-len(data) // PAGE) * PAGE for data in texts_in(folder / "disk").values())
        mount = f"cp -r disk copy && mount -t tmpfs -o size={size} none disk && cp -r copy/. disk || exit 99"
        prefix = [*mounting(), "bash", "-c", f'{mount}; "$@"; code=$?; cp -r disk after; exit $code']
        told = "No space left on device"
    return started([*prefix, "bash", SYNTH, *words], folder), told


@pytest.fixture
def disk(tmp_path):
    corpora.write(tmp_path / "disk" / "it", corpora.some(3))
    corpora.write(tmp_path / "large.corpus", corpora.some(200))
    emit("cpp", [MUTEX], tmp_path / "disk" / "made")
    return tmp_path / "disk"


def texts_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.full
@pytest.mark.parametrize(
    "words",
    [
        ("enumerate", *MANY, "--out", "disk/it", "--force"),
        pytest.param(("enumerate", *MANY, "--out", "disk/new"), marks=pytest.mark.full),
        pytest.param(
            ("emit", "large.corpus", "--target", "cpp", "--out", "disk/made", "--force"), marks=pytest.mark.full
        ),
        ("emit", "large.corpus", "--target", "cpp", "--out", "disk/new"),
    ],
    ids=" ".join,
)
def test_a_full_disk_is_one_line_and_exit_code_3_and_what_was_there_stays(tmp_path, disk, words):
    before = texts_in(disk)
    (code, out, err), told = on_a_full_disk(words, tmp_path)
    out_folder = words[words.index("--out") + 1]
    assert (code, out, err) == (3, "", f"synth: {out_folder}: {told}\n")
    assert texts_in(tmp_path / "after") == before


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("enumerate", "--bounds", "2x2", "--out", "disk/new"), "disk/new: nothing can be created in {}"),
        pytest.param(
            ("enumerate", "--bounds", "2x2", "--out", "disk/it", "--force"),
            "disk/it: nothing can be created in {}",
            marks=pytest.mark.full,
        ),
        pytest.param(
            ("emit", MUTEX, "--target", "cpp", "--out", "disk/new"),
            "disk/new: nothing can be created in {}",
            marks=pytest.mark.full,
        ),
        (
            ("emit", MUTEX, "--target", "cpp", "--out", "disk/made", "--force"),
            "disk/made: nothing can be created in {}",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_folder_that_may_not_be_written_is_one_line_and_exit_code_2(tmp_path, disk, rights, words, told):
    before = texts_in(disk)
    rights(disk, 0o555)
    code, out, err = started([SYNTH, *words], tmp_path, preexec_fn=without_power)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"synth: {told.format(disk)}")
    assert texts_in(disk) == before


@pytest.mark.full
@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("check", "disk/secret"), "disk/secret"),
        (("check", "disk/it"), f"disk/it/{RECORDS}"),
        pytest.param(("corpus", "export", "disk/it"), f"disk/it/{MANIFEST}", marks=pytest.mark.full),
        pytest.param(
            ("enumerate", "--bounds", "2x2", "--out", "disk/it"), f"disk/it/{MANIFEST}", marks=pytest.mark.full
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_a_file_that_may_not_be_read_is_one_line_and_exit_code_2(tmp_path, disk, rights, words, path):
    (disk / "secret").write_text(TEXT)
    before = texts_in(disk)
    rights(tmp_path / path, 0)
    code, out, err = started([SYNTH, *words], tmp_path, preexec_fn=without_power)
    rights(tmp_path / path, 0o600)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"synth: {path}: Permission denied, expected ")
    assert texts_in(disk) == before
