"""Compiling emitted programs: what went wrong is told in one line, and no compiler is left behind."""

import os

import pytest

from synth_checker.child import marked_processes
from synth_checker.errors import ResourceError
from synth_devices import compilation
from synth_devices.compilation import interruptible_compilers, run_make


@pytest.fixture
def place(tmp_path):
    (tmp_path / "emitted").mkdir()
    return tmp_path / "emitted"


def write(place, *recipe):
    (place / "Makefile").write_text("all:\n" + "".join(f"\t@{line}\n" for line in recipe))


def test_what_make_builds_is_there_and_its_log_has_what_it_printed(place):
    write(place, "echo a warning >&2", "echo built > program", "cat")  # it has no input, and does not wait for any
    run_make(place)
    assert (place / "program").read_text() == "built\n"
    assert (place.parent / "make.log").read_text() == "a warning\n"


def test_the_first_error_of_a_compiler_is_told(place):
    write(place, "echo test.cpp:1: fine", "echo test.cpp:2: error: what", "echo another error", "exit 1")
    with pytest.raises(ResourceError, match=r"^compiling failed: test.cpp:2: error: what; .*make.log has everything"):
        run_make(place)
    write(place, "kill -9 $$$$")
    with pytest.raises(ResourceError, match=r"^compiling failed: make failed with exit code 2; "):
        run_make(place)


def test_without_make_the_message_says_how_to_install_it(place, monkeypatch):
    monkeypatch.setenv("PATH", str(place))
    with pytest.raises(ResourceError, match=r"^found no make, which compiling tests needs: sudo apt install make$"):
        run_make(place)


class Impatient:
    """Stops a compiler at once, if asked to."""

    def __init__(self):
        self.pipe = os.pipe()

    def must_stop(self):
        return True

    def fileno(self):
        return self.pipe[0]


def test_a_compiler_that_takes_too_long_or_is_stopped_is_killed_with_what_it_has_started(place, monkeypatch):
    write(place, "sleep 1000 & sleep 1000")
    monkeypatch.setenv("SYNTH_ATTEMPT", "of-a-test:")
    with interruptible_compilers(Impatient()), pytest.raises(ResourceError, match=r"^compiling was stopped$"):
        run_make(place)
    monkeypatch.setattr(compilation, "_LONGEST_S", 0.3)
    with pytest.raises(ResourceError, match=r"^compiling took longer than 0.3 seconds; .*make.log has"):
        run_make(place)
    assert marked_processes("of-a-test:") == []
