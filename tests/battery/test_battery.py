"""Test that the commands of commands.txt do, byte for byte, what they did when somebody last looked."""

from pathlib import Path

import pytest

from battery import run
from golden import check_folder

KEPT = Path(__file__).parent / "kept"


def test_what_differs_from_run_to_run_is_replaced():
    text = '3.2 s, 1,204 tests/s, {"load_before":0.5,"timeout_s":2.0} in /home/x/y at 2026-11-29T03:04'
    steady = 'TIME, RATE, {"load_before":LOAD,"timeout_s":2.0} in FOLDER/y at DATE'
    assert run.steady(text, Path("/home/x")) == steady


def test_the_kept_outputs_are_those_of_the_commands():
    for number, line in enumerate(run.lines(), 1):
        assert (KEPT / f"{number:02}.txt").read_text("utf-8").startswith(f"$ {line}\n")
    assert len(list(KEPT.iterdir())) == len(run.lines())


@pytest.mark.exhaustive
def test_the_commands_answer_as_they_were_kept(tmp_path):
    run.run(tmp_path)
    check_folder(KEPT, {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()})
