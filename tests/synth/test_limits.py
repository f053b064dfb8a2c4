"""What can't be done is said before the work, and what ends a run from outside loses nothing."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import synth
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library
from synth_checker.verdicts import judge_automata
from synth_corpus.store import Corpus


@pytest.mark.parametrize(
    ("bound", "message"),
    [("9x9", "bound 9x9: found 9 threads, expected at most 8"), ("8x40", "bound 8x40: found 15,380,937 splits")],
)
def test_a_bound_that_cannot_be_judged_or_listed_is_refused_before_the_run(bound, message):
    with pytest.raises(LimitError, match=message):
        synth.question(bound)


def test_automata_for_different_numbers_of_threads_are_refused():
    fair = library()[-1]
    with pytest.raises(InputError, match=r"automata: found ones for \[2, 3\] threads"):
        judge_automata(["00_0-0011"], [fair.automaton(3), fair.automaton(2)])


def test_a_closed_terminal_loses_nothing(tmp_path):
    command = [
        Path(sys.executable).parent / "synth",
        "enumerate",
        "--bounds",
        "2x5",
        "--engine",
        "sat",
        "--out",
        "it.corpus",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        time.sleep(3)
        run.send_signal(signal.SIGHUP)
        run.communicate(timeout=60)
    assert run.returncode == 129
    manifest = Corpus(tmp_path / "it.corpus").manifest
    assert not manifest.complete
    assert manifest.run["stopped"] == "hung up"
