"""The way in for all targets: names, tests, and folders that are written wholly or not at all."""

import errno
import os
import subprocess
import sys

import pytest

from synth_backends import target as target_module
from synth_backends.target import MARK, TARGETS, LitmusTest, emit, load_target, write_folder
from synth_checker.errors import InputError, ResourceFault
from synth_checker.normal import program_of_id
from synth_checker.program import Program

MUTEX = "01100002-01100002"
FILES = {"README.md": f"{MARK}\n", "test.txt": "new\n"}


def a_test(text=MUTEX, name="a test", verdicts=None):
    return LitmusTest(name, text, program_of_id(text), verdicts or {})


def one_line(error):
    text = str(error.value)
    assert "\n" not in text
    return text


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_every_target_can_be_loaded_and_knows_its_name():
    assert [load_target(name).name for name in TARGETS] == list(TARGETS)


def test_an_unknown_target_is_one_line_that_names_the_others(tmp_path):
    with pytest.raises(InputError) as error:
        emit("ccp", [a_test()], tmp_path / "out")
    assert one_line(error) == "target 'ccp': unknown (did you mean cpp?), expected one of: cpp"
    with pytest.raises(InputError) as error:
        emit("new\nline", [a_test()], tmp_path / "out")
    assert one_line(error) == "target 'new\\nline': unknown, expected one of: cpp"
    assert names_in(tmp_path) == []


def test_naming_targets_loads_no_template_engine():
    code = "import sys, synth_backends.target as t; print(list(t.TARGETS), 'jinja2' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "['cpp'] False\n"


@pytest.mark.parametrize("text", ["", "../etc", "01100002/0", "01100002-", "01100002\n", "01100002-01100002x"])
def test_an_id_that_could_not_be_a_file_name_is_refused(text):
    with pytest.raises(InputError) as error:
        LitmusTest("a test", text, program_of_id(MUTEX))
    assert "expected four base-36 digits" in one_line(error)


def test_a_program_without_threads_is_refused():
    with pytest.raises(InputError, match="without threads"):
        LitmusTest("a test", MUTEX, Program(()))


@pytest.mark.parametrize("verdicts", [{"fair\nint x;": "pass"}, {"": "pass"}, {"fair.weak": "perhaps"}])
def test_verdicts_are_checked(verdicts):
    with pytest.raises(InputError) as error:
        a_test(verdicts=verdicts)
    assert "expected a verdict's name and pass or fail" in one_line(error)


def test_file_names_are_short_and_differ():
    ids = [f"{'00_0' * 35}-{'00_0' * 34}00_{k}" for k in "01"]
    stems = {a_test(text).file_stem for text in ids}
    assert len(stems) == len(ids)
    assert all(len(f"{stem}.cpp") < 200 for stem in stems)
    assert a_test().file_stem == f"test-{MUTEX}"


def test_no_test_and_the_same_test_twice_are_refused(tmp_path):
    with pytest.raises(InputError, match="found no test"):
        emit("cpp", [], tmp_path / "out")
    with pytest.raises(InputError, match="found twice"):
        emit("cpp", [a_test(name="one"), a_test(name="two")], tmp_path / "out")
    assert names_in(tmp_path) == []


def test_a_new_folder_is_made_with_the_folders_above_it(tmp_path):
    folder = tmp_path / "with space" / "out"
    assert write_folder(folder, FILES) == [folder / name for name in FILES]
    assert {path.name: path.read_text() for path in folder.iterdir()} == FILES
    assert names_in(folder.parent) == ["out"]


def test_the_umask_holds_for_the_folder(tmp_path):
    (tmp_path / "made").mkdir()
    write_folder(tmp_path / "out", FILES)
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "made").stat().st_mode


def test_an_empty_folder_is_used_and_one_that_is_not_empty_refused(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    write_folder(folder, FILES)
    before = {path.name: path.read_text() for path in folder.iterdir()}
    with pytest.raises(InputError) as error:
        write_folder(folder, {"README.md": "other"})
    assert "not empty" in one_line(error)
    assert {path.name: path.read_text() for path in folder.iterdir()} == before
    assert names_in(tmp_path) == ["out"]


def test_force_replaces_an_earlier_output_whole(tmp_path):
    folder = tmp_path / "out"
    write_folder(folder, FILES)
    (folder / "build").mkdir()
    (folder / "build" / "test").touch()
    write_folder(folder, {"README.md": f"{MARK}, again"}, force=True)
    assert names_in(folder) == ["README.md"]
    assert names_in(tmp_path) == ["out"]


def test_force_never_replaces_what_others_have_written(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="files of others"):
        write_folder(tmp_path, FILES, force=True)
    assert names_in(tmp_path) == ["thesis.tex"]


def test_force_does_not_pull_the_current_folder_away(tmp_path, monkeypatch):
    write_folder(tmp_path / "out", FILES)
    (tmp_path / "out" / "build").mkdir()
    monkeypatch.chdir(tmp_path / "out" / "build")
    with pytest.raises(InputError, match="current folder"):
        write_folder(tmp_path / "out", FILES, force=True)


def test_behind_a_link_the_folder_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write_folder(tmp_path / "link", FILES)
    assert (tmp_path / "link").is_symlink()
    assert names_in(tmp_path / "real") == sorted(FILES)


def test_a_file_in_the_way_is_one_line(tmp_path):
    (tmp_path / "file").write_text("kept")
    for place in ("file", "file/out"):
        with pytest.raises(InputError) as error:
            write_folder(tmp_path / place, FILES, force=True)
        assert str(tmp_path / place) in one_line(error)
    assert (tmp_path / "file").read_text() == "kept"


def test_a_place_without_permission_is_one_line(tmp_path, monkeypatch):
    def refuse(_folder, _mode=0o777):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(target_module.os, "mkdir", refuse)
    with pytest.raises(InputError) as error:
        write_folder(tmp_path / "out", FILES)
    assert one_line(error) == f"{tmp_path / 'out'}: Permission denied, expected a place for a new folder"


@pytest.mark.parametrize("force", [False, True])
def test_a_full_disk_leaves_everything_as_it_was(tmp_path, monkeypatch, force):
    folder = tmp_path / "out"
    if force:
        write_folder(folder, FILES)

    def fail(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(target_module.os, "fsync", fail)
    with pytest.raises(ResourceFault) as error:
        write_folder(folder, {"README.md": "other"}, force=force)
    assert one_line(error) == f"{folder}: No space left on device"
    assert names_in(tmp_path) == (["out"] if force else [])
    assert not force or names_in(folder) == sorted(FILES)


def test_an_interrupt_between_the_renames_puts_the_old_folder_back(tmp_path, monkeypatch):
    folder = tmp_path / "out"
    write_folder(folder, FILES)
    rename = target_module.Path.rename

    def interrupted(path, place):
        if path.name.endswith("-new"):
            raise KeyboardInterrupt
        return rename(path, place)

    monkeypatch.setattr(target_module.Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_folder(folder, {"README.md": "other"}, force=True)
    assert names_in(tmp_path) == ["out"]
    assert names_in(folder) == sorted(FILES)
