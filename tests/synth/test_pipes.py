"""A pipe in the place of a file: no command waits for one into which nobody writes, and the shell's pipes are read."""

import os
import subprocess

import pytest

from commands import COMMANDS
from processes import PATIENCE_S, SYNTH, in_session
from quick import mostly_full
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_storage import open_file

MUTEX = "01100002-01100002"
#: Names whose endings say how commands read them.
PIPES = ("tests.txt", "lines.jsonl", "k.kernel", "k.cl", "m.model", "t.csv", "m.bum", "s.toml")
#: Options with a file to read, beside words that would do without them.
OPTIONS = {
    "--from-launch": ("verify", "--from-launch", "{}"),
    "--compiled-by": ("verify", "good.kernel", "--compiled-by", "c.json"),
    "--models": ("check", MUTEX, "--model", "{}"),
    "--scheduler": ("sim", "run", MUTEX, "--scheduler", "{}"),
    "--proofs": ("machine", "prove", "@gpu", "--proofs", "{}"),
    "--describe": ("campaign", "import", "t.csv", "--describe", "{}"),
    "--verify": ("audit", "{}"),
    "--config": ("campaign", "run", "{}"),
}


@pytest.fixture(autouse=True)
def _pipes(tmp_path, monkeypatch):
    monkeypatch.setattr(open_file, "PATIENCE_S", 0.01)
    for name in (*PIPES, "c.json"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "good.kernel").write_text("kernel k\nentry:\n  return\n")


@pytest.mark.full
@mostly_full("words", COMMANDS, ids=" ".join, quick=20)
def test_no_command_waits_for_a_pipe_into_which_nobody_writes(synth, words):
    for name in PIPES:
        ran = synth(*words, *[name] * COMMANDS[words])
        assert (ran.code in {1, 2}, ran.err.count("\n") <= 1) == (True, True), ran


@mostly_full("words", OPTIONS.values(), ids=OPTIONS, quick=2)
def test_neither_does_an_option(synth, words):
    ran = synth(*(word.format("tests.txt") for word in words))
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_what_is_wrong_with_it_is_said(synth):
    assert synth("check", "tests.txt") == (
        2, "", "synth: tests.txt: nobody writes into this pipe, expected programs\n"
    )  # fmt: skip
    assert synth("verify", "k.cl") == (
        2, "", "synth: k.cl: found a pipe or a device, expected a file with kernels\n"
    )  # fmt: skip


@pytest.mark.full
def test_a_pipe_of_the_shell_is_read(tmp_path):
    (tmp_path / "mutex").write_text(write_program(program_of_id(MUTEX)))
    for given in ("<(cat mutex)", "<(sleep 0.3; cat mutex)", "/dev/stdin < mutex", "- < mutex"):
        ran = subprocess.run(
            ["bash", "-c", f"exec {SYNTH} check {given}"], cwd=tmp_path, capture_output=True, text=True
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert MUTEX in ran.stdout


@pytest.mark.full
def test_a_named_pipe_is_read_while_somebody_writes(tmp_path):
    (tmp_path / "mutex").write_text(write_program(program_of_id(MUTEX)))
    script = f"cat mutex > tests.txt & exec {SYNTH} check tests.txt"
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert MUTEX in ran.stdout


@pytest.mark.full
def test_ctrl_c_ends_the_wait_for_a_silent_writer(tmp_path):
    """Another process holds the pipe open and says nothing, so the command reads until it is interrupted."""
    end = os.open(tmp_path / "tests.txt", os.O_RDWR)
    with in_session([SYNTH, "check", "tests.txt"], cwd=tmp_path, stdout=-1, stderr=-1) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)  # it waits; how long it took to begin does not matter
        process.send_signal(2)
        _, said = process.communicate(timeout=PATIENCE_S)
    os.close(end)
    assert (process.returncode, said) == (130, "synth: interrupted\n")
