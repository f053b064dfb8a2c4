"""Pipes with a name: they are read while somebody writes, and not waited for if nobody does."""

import contextlib
import os
import threading

import pytest

from synth_checker.errors import InputError
from synth_storage import open_file
from synth_storage.files import read_small
from synth_storage.open_file import open_for_reading


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@contextlib.contextmanager
def writing(pipe, *texts):
    """Write texts into a pipe from another thread, each of them when the one before it has been read."""

    def write():
        with pipe.open("w") as file:
            for text in texts:
                file.write(text)
                file.flush()

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    yield
    thread.join(30)
    assert not thread.is_alive()


def test_a_pipe_without_a_writer_is_refused(pipe, monkeypatch):
    monkeypatch.setattr(open_file, "PATIENCE_S", 0.05)
    with pytest.raises(OSError, match="nobody writes into this pipe"):
        open_for_reading(pipe)
    with pytest.raises(InputError) as raised:
        read_small(pipe, "a description")
    assert str(raised.value) == f"{pipe}: nobody writes into this pipe, expected a description"


def test_a_pipe_with_a_writer_is_read_to_its_end(pipe):
    with writing(pipe, "one", " and two"), open_for_reading(pipe) as file:
        assert file.read() == b"one and two"


def test_a_writer_may_come_a_little_later(pipe, monkeypatch):
    """It comes when the reader has looked once and found none."""
    monkeypatch.setattr(open_file, "PATIENCE_S", 30)
    came = threading.Event()
    writer = threading.Thread(target=lambda: (came.wait(30), pipe.write_text("late")), daemon=True)
    writer.start()
    monkeypatch.setattr(open_file.time, "sleep", lambda _: came.set())
    with open_for_reading(pipe) as file:
        assert file.read() == b"late"
    assert came.is_set()


def test_a_writer_that_waits_for_its_own_input_is_waited_for(pipe, monkeypatch):
    """It has opened its end, and says something only after the reader has begun to read."""
    monkeypatch.setattr(open_file, "PATIENCE_S", 0)
    end = os.open(pipe, os.O_RDWR)
    with open_for_reading(pipe) as file:
        os.write(end, b"at last")
        os.close(end)
        assert file.read() == b"at last"


def test_a_pipe_without_a_name_may_be_at_its_end(monkeypatch):
    """As that of <(true) in bash."""
    monkeypatch.setattr(open_file, "PATIENCE_S", 0)
    reader, writer = os.pipe()
    os.close(writer)
    with open_for_reading(f"/dev/fd/{reader}") as file:
        assert file.read() == b""
    os.close(reader)


def test_files_and_devices_are_opened_and_folders_refused(tmp_path):
    (tmp_path / "file").write_text("text")
    with open_for_reading(tmp_path / "file") as file:
        assert file.read() == b"text"
    with open_for_reading("/dev/null") as file:
        assert file.read() == b""
    with pytest.raises(IsADirectoryError):
        open_for_reading(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_for_reading(tmp_path / "none")
