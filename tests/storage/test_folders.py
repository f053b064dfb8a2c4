"""Test that folders are complete or missing, whatever happens while they are written."""

import contextlib
import errno
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import folder_steps
from folder_steps import NEW, OLD, OURS, put
from synth_checker.errors import InputError, ResourceError
from synth_storage import folders
from synth_storage.folders import check_place, put_folder, write_texts

PARTIAL = re.compile(r"\.out-[0-9a-f]{16}\.partial")
LOCK = ".out-lock"


def texts_in(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def line_of(raised):
    text = str(raised.value)
    assert "\n" not in text
    return text


def refusing(number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    return refuse


# What is written, and where


@pytest.mark.parametrize(
    "name", ["out", "with space", "ein schöner Ordner", "🔒" * 60, "*?[a]", "out.corpus", "\udcff"]
)
def test_a_new_folder_is_made_with_the_folders_above_it(tmp_path, name):
    folder = tmp_path / "above" / name
    put(folder, OLD)
    assert texts_in(folder) == OLD
    assert names_in(folder.parent) == [name]


def test_texts_are_utf_8_with_the_same_line_ends_everywhere(tmp_path):
    write_texts(tmp_path, {"a/b/c": "ü\n\r\n"})
    assert (tmp_path / "a" / "b" / "c").read_bytes() == b"\xc3\xbc\n\r\n"


def test_the_umask_holds_for_the_folder(tmp_path):
    (tmp_path / "made").mkdir()
    put(tmp_path / "out", OLD)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "made").stat().st_mode


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "out").mkdir()
    put(tmp_path / "out", OLD)
    assert texts_in(tmp_path / "out") == OLD


def test_one_of_its_kind_is_replaced_whole_but_only_by_force(tmp_path):
    folder = tmp_path / "out"
    put(folder, OLD)
    with pytest.raises(InputError) as raised:
        put(folder, NEW)
    assert (
        line_of(raised)
        == f"{folder}: found a folder of ours, expected a new or empty folder; give --force to replace it"
    )
    assert texts_in(folder) == OLD
    put(folder, NEW, force=True)
    assert texts_in(folder) == NEW
    assert names_in(tmp_path) == ["out"]


def test_behind_a_link_the_folder_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "real").mkdir()
    for name, target in {"link": "real", "to nothing": "made"}.items():
        (tmp_path / name).symlink_to(target)
        put(tmp_path / name, OLD)
        put(tmp_path / name, NEW, force=True)
        assert (tmp_path / name).is_symlink()
        assert texts_in(tmp_path / target) == NEW


# Places that can't be used: asked before, and said when it comes to writing


def thesis(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("years of work")
    return tmp_path / "out", "the folder contains other files, expected a new or empty folder, or a folder of ours"


def file(tmp_path):
    (tmp_path / "out").touch()
    return tmp_path / "out", "this is a file, expected a new or empty folder"


def below_a_file(tmp_path):
    (tmp_path / "out").touch(0o777)
    return (
        tmp_path / "out" / "a" / "b",
        f"nothing can be created in {tmp_path / 'out'}; choose a place in which you may create a folder",
    )


def circle(tmp_path):
    (tmp_path / "out").symlink_to("out")
    return tmp_path / "out", "Too many levels of symbolic links, expected a place for a new folder"


def long_name(tmp_path):
    return tmp_path / ("n" * 300), "File name too long, expected a place for a new folder"


def current_folder(tmp_path):
    (tmp_path / "out" / "below").mkdir(parents=True)
    os.chdir(tmp_path / "out" / "below")
    return (
        tmp_path / "out",
        "this folder is or contains the current folder, so it cannot be replaced; choose another folder",
    )


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("make", [thesis, file, below_a_file, circle, long_name, current_folder])
def test_what_is_no_place_for_a_folder_is_left_alone_and_told_in_one_line(tmp_path, monkeypatch, make, force):
    monkeypatch.chdir(tmp_path)
    folder, message = make(tmp_path)
    before = names_in(tmp_path), texts_in(tmp_path)
    for refused_call in (lambda: check_place(folder, OURS, force=force), lambda: put(folder, NEW, force=force)):
        with pytest.raises(InputError) as raised:
            refused_call()
        assert line_of(raised) == f"{folder}: {message}"
    assert (names_in(tmp_path), texts_in(tmp_path)) == before


@pytest.mark.parametrize("there", [False, True])
def test_a_place_beside_which_nothing_can_be_written_is_known_before(tmp_path, monkeypatch, there):
    if there:
        put(tmp_path / "out", OLD)
    monkeypatch.setattr(folders.os, "access", lambda path, _mode: path != tmp_path)
    with pytest.raises(InputError) as raised:
        check_place(tmp_path / "out", OURS, force=True)
    assert f"nothing can be created in {tmp_path}" in line_of(raised)


def test_the_root_of_a_file_system_which_nothing_can_replace_is_known_before(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "out")
    (tmp_path / "out").mkdir()
    with pytest.raises(InputError, match="this is the root of a file system"):
        check_place(tmp_path / "out", OURS)


def test_looking_at_a_place_changes_nothing(tmp_path):
    check_place(tmp_path / "a" / "b", OURS)
    put(tmp_path / "out", OLD)
    check_place(tmp_path / "out", OURS, force=True)
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_place_that_refuses_is_the_callers_fault(tmp_path, monkeypatch, number):
    monkeypatch.setattr(folders.os, "mkdir", refusing(number))
    with pytest.raises(InputError) as raised:
        put(tmp_path / "out", OLD)
    assert line_of(raised) == f"{tmp_path / 'out'}: {os.strerror(number)}, expected a place for a new folder"


# Others at the same place, at the same time


def put_while(folder, files, meanwhile, *, force):
    """Put a folder, with something happening when it has been written and is not yet in place."""

    def fill(new):
        write_texts(new, files)
        meanwhile()

    put_folder(folder, fill, OURS, force=force)


def test_of_two_runs_the_faster_wins_unless_the_other_has_force(tmp_path):
    folder = tmp_path / "out"
    with pytest.raises(InputError, match="found a folder of ours"):
        put_while(folder, NEW, lambda: put(folder, OLD), force=False)
    assert texts_in(folder) == OLD
    put_while(folder, NEW, lambda: put(folder, OLD, force=True), force=True)
    assert texts_in(folder) == NEW
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("there", [False, True], ids=["empty before", "ours before"])
def test_what_others_write_there_meanwhile_is_not_replaced(tmp_path, there):
    folder = tmp_path / "out"
    if there:
        put(folder, OLD)

    def others():
        write_texts(folder, {"thesis.tex": "years of work"})
        (folder / "ours").unlink(missing_ok=True)

    with pytest.raises(InputError, match="the folder contains other files"):
        put_while(folder, NEW, others, force=True)
    assert texts_in(folder)["thesis.tex"] == "years of work"
    assert names_in(tmp_path) == ["out"]


def test_many_writers_leave_the_folder_of_one_of_them(tmp_path):
    folder = tmp_path / "out"
    faults = []

    def write(name):
        for _ in range(10):
            try:
                put(folder, {"ours": name, name: name}, force=True)
            except (InputError, ResourceError) as error:
                faults.append(error)

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    texts = texts_in(folder)
    assert faults == []
    assert texts == {"ours": texts["ours"], texts["ours"]: texts["ours"]}
    assert names_in(tmp_path) == ["out"]


HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_run_waits_for_another_at_the_same_place_but_not_for_a_dead_one(tmp_path):
    written = threading.Event()

    def write():
        put(tmp_path / "out", NEW)
        written.set()

    words = [sys.executable, "-c", HOLD, str(tmp_path / LOCK)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        holder.stdout.readline()
        writer = threading.Thread(target=write)
        writer.start()
        assert not written.wait(0.3)
        holder.kill()
        assert written.wait(10)
        writer.join()
    assert texts_in(tmp_path / "out") == NEW
    assert names_in(tmp_path) == ["out"]


def test_one_run_at_a_time_looks_at_a_place_and_replaces_what_is_there(tmp_path, monkeypatch):
    put(tmp_path / "out", OLD)
    inside, most = [], []
    replace = folders._replace

    def slow(new, place):
        inside.append(new)
        most.append(len(inside))
        time.sleep(0.02)
        replace(new, place)
        inside.remove(new)

    monkeypatch.setattr(folders, "_replace", slow)

    def write():
        for _ in range(3):  # who comes again makes a new lock where the last was removed
            put(tmp_path / "out", NEW, force=True)

    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert most == [1] * 12
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize(("number", "works"), [(errno.ENOLCK, True), (errno.ENOSYS, True), (errno.EIO, False)])
def test_a_file_system_that_has_no_locks_will_do(tmp_path, monkeypatch, number, works):
    monkeypatch.setattr(folders.fcntl, "flock", refusing(number))
    with contextlib.nullcontext() if works else pytest.raises(ResourceError):
        put(tmp_path / "out", NEW)
    assert names_in(tmp_path) == (["out"] if works else [LOCK])


# Faults at every step


def hit_at_every_step(folder, how, way):
    """Runs of which each is hit one step later than the one before: (the place, the exit code)."""
    words = [sys.executable, folder_steps.__file__, folder, how, way]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    lines = [line.rsplit(" ", 1) for line in run.stdout.splitlines()]
    assert len(lines) > 5
    return [(Path(parent, "out"), int(code)) for parent, code in lines]


@pytest.mark.full
def test_a_run_killed_at_any_step_leaves_the_old_folder_or_the_new_one(tmp_path):
    seen = set()
    for place, code in hit_at_every_step(tmp_path, "killed", "exchange"):
        assert code == 9
        assert texts_in(place) in (OLD, NEW)
        beside = set(names_in(place.parent)) - {"out"}
        assert all(PARTIAL.fullmatch(name) or name == LOCK for name in beside)
        seen.add((texts_in(place) == NEW, tuple(sorted("lock" if name == LOCK else "partial" for name in beside))))
        put(place, OLD, force=True)
        assert LOCK not in names_in(place.parent)
    assert seen == {
        (False, ()),
        (False, ("partial",)),
        (False, ("lock", "partial")),
        (True, ("lock", "partial")),
        (True, ("partial",)),
    }


@pytest.mark.full
def test_where_names_cannot_be_exchanged_it_may_leave_the_old_folder_beside_its_place(tmp_path):
    aside = 0
    for place, _ in hit_at_every_step(tmp_path, "killed", "two-renames"):
        if place.exists():
            assert texts_in(place) in (OLD, NEW)
        else:
            (old,) = place.parent.glob(".out-*.replaced")
            assert texts_in(old) == OLD
            aside += 1
    assert aside == 1


@pytest.mark.full
@pytest.mark.parametrize("way", ["exchange", "two-renames"])
def test_a_disk_that_is_full_at_any_step_leaves_the_old_folder_and_says_so(tmp_path, way):
    outcomes = hit_at_every_step(tmp_path, "refused", way)
    for place, code in outcomes:
        assert code in (0, 3)
        assert texts_in(place) == (OLD if code else NEW)
        assert code == 0 or names_in(place.parent) == ["out"]
    assert {code for _, code in outcomes} == {0, 3}


@pytest.mark.parametrize("there", [False, True])
def test_what_cannot_be_synced_is_not_put_in_place(tmp_path, monkeypatch, there):
    folder = tmp_path / "out"
    if there:
        put(folder, OLD)
    monkeypatch.setattr(folders.os, "fsync", refusing(errno.EIO))
    with pytest.raises(ResourceError) as raised:
        put(folder, NEW, force=True)
    assert line_of(raised) == f"{folder}: Input/output error"
    assert names_in(tmp_path) == (["out"] if there else [])
    assert not there or texts_in(folder) == OLD


def test_a_file_system_that_has_no_sync_will_do(tmp_path, monkeypatch):
    monkeypatch.setattr(folders.os, "fsync", refusing(errno.EINVAL))
    put(tmp_path / "out", NEW)
    assert texts_in(tmp_path / "out") == NEW


def test_an_interrupt_between_two_renames_puts_the_old_folder_back(tmp_path, monkeypatch):
    put(tmp_path / "out", OLD)
    rename = Path.rename

    def interrupted(path, target):
        if path.suffix == ".partial" and not target.exists():
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(folders, "_exchange", lambda _one, _other: False)
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(tmp_path / "out", NEW, force=True)
    assert names_in(tmp_path) == ["out"]
    assert texts_in(tmp_path / "out") == OLD


# What killed runs have left


def leftover(folder, name, *, hours):
    write_texts(folder / name, {"a/b": "some of it"})
    then = time.time() - hours * 3600
    for path in (folder / name, *(folder / name).rglob("*")):
        os.utime(path, (then, then))
    return name


def test_the_next_run_removes_what_was_left_at_its_place_a_day_ago_and_nothing_else(tmp_path):
    folder = tmp_path / "out [1]"
    gone = leftover(tmp_path, f".{folder.name}-{'a' * 16}.partial", hours=25)
    kept = [
        leftover(tmp_path, f".{folder.name}-{'b' * 16}.partial", hours=23),
        leftover(tmp_path, f".{folder.name}-{'c' * 16}.replaced", hours=25),
        leftover(tmp_path, f".{folder.name}-mine.partial", hours=25),
        leftover(tmp_path, f".out 1-{'d' * 16}.partial", hours=25),
    ]
    put(folder, NEW)
    assert gone not in names_in(tmp_path)
    assert names_in(tmp_path) == sorted([*kept, folder.name])


def test_a_folder_in_which_anything_is_new_has_a_writer_yet(tmp_path):
    name = leftover(tmp_path, f".out-{'a' * 16}.partial", hours=25)
    (tmp_path / name / "a" / "b").write_text("more of it")
    put(tmp_path / "out", NEW)
    assert names_in(tmp_path) == [name, "out"]
