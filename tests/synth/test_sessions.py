"""What each command prints, in every form it has: a session a command, against a golden file.

`SYNTH_PROMOTE=1 pytest tests/synth/test_sessions.py` writes them anew. The helps and the lines about wrong words have
golden files of their own, see test_cli.py.
"""

import re
from pathlib import Path

import pytest

from golden import check_file, transcript
from synth.enumeration import enumerate_tests
from synth.saving import save
from synth.stopping import Stop
from synth_checker.normal import program_of_id
from synth_checker.question import Question, parse_bounds
from synth_checker.text import write_program

GOLDEN = Path(__file__).parent / "golden"
MUTEX = "01100002-01100002"
SESSIONS = {
    "check": [
        ("check", "programs.txt"),
        ("check", "programs.txt", "--json"),
        ("check", "programs.txt", "--model", "HSA,OBE.weak"),
        ("check", "programs.txt", "--model", "OBE.weak", "--json"),
        ("check", MUTEX, "--model", "OBE"),
        ("check", MUTEX, "--model", "HSA", "--expect", "fail"),
        ("check", MUTEX, "--expect", "pass"),
        ("check", "2x2.corpus", "--model", "unfair"),
    ],
    "show": [
        ("show", MUTEX),
        ("show", MUTEX, "--json"),
        ("show", "unusual.txt"),
        ("show", "unusual.txt", "--json"),
        ("show", "00_0"),
    ],
    "enumerate": [
        ("enumerate", "--bounds", "2x3"),
        ("enumerate", "--bounds", "2x3"),
        ("enumerate", "--bounds", "2x2", "--json", "--jobs", "1"),
        ("enumerate", "--bounds", "2x2", "--out", "-", "--model", "OBE,fair"),
        ("enumerate", "--bounds", "2x2", "--out", "-", "--json"),
        ("enumerate", "--bounds", "2x2..3x3", "--count-only", "--up-to", "threads"),
        ("enumerate", "--bounds", "2x2..3x3", "--up-to", "threads", "--model", "OBE,fair"),
        ("enumerate", "--bounds", "2x2", "--count-only", "--json"),
        ("enumerate", "--bounds", "2x2", "--count-only", "--expect", "7"),
        ("enumerate", "--bounds", "1x2", "--count-only"),
        ("enumerate", "--bounds", "2x4", "--count-only", "--memory", "1K"),
        ("enumerate", "--bounds", "2x4", "--memory", "1K"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus", "--without", "all-branches"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus"),
        ("enumerate", "--bounds", "2x2", "--out", "part.corpus"),
    ],
    "crosscheck": [
        ("crosscheck", "--bounds", "2x2,2x3"),
        ("crosscheck", "--bounds", "2x2", "--json"),
        ("crosscheck", "--bounds", "2x4", "--engine", "explicit", "--engine", "sat", "--model", "fair"),
        ("crosscheck", "--bounds", "2x2", "--engine", "sat,explicit", "--all-verdicts", "--values", "1"),
        ("crosscheck", "--bounds", "2x2", "--memory", "1K"),
    ],
    "corpus": [
        ("corpus", "export", "2x2.corpus"),
        ("corpus", "export", "2x2.corpus", "--format", "text"),
        ("corpus", "export", "part.corpus"),
    ],
    "emit": [
        ("emit", MUTEX, "--target", "cpp", "--out", "made"),
        ("emit", "programs.txt", "--target", "cpp", "--out", "made"),
        ("emit", "programs.txt", "2x2.corpus", "--target", "cpp", "--out", "made", "--force"),
    ],
}


@pytest.fixture
def folder(tmp_path, unusual):
    """What the sessions are about; the synth fixture makes it the current folder."""
    (tmp_path / "unusual.txt").write_text(unusual)
    (tmp_path / "programs.txt").write_text(
        "\n".join((unusual, write_program(program_of_id("00_0-0011")), write_program(program_of_id("00_0"), "alone")))
    )
    question = Question(parse_bounds(["2x2"]))
    save(enumerate_tests(question, jobs=1), tmp_path / "2x2.corpus")
    with Stop(memory=1) as stop:  # nothing at all has been found
        save(enumerate_tests(question, jobs=1, stop=stop), tmp_path / "part.corpus")
    return tmp_path


def steady(text):
    """Without what differs from run to run and from machine to machine."""
    text = re.sub(r"[0-9.]+ s, [0-9,]+ tests/s", "SECONDS s, RATE tests/s", text)
    text = re.sub(r", [0-9.]+ s$", ", SECONDS s", text, flags=re.MULTILINE)
    text = re.sub(r'"seconds": [0-9.]+', '"seconds": SECONDS', text)
    return re.sub(r'"run": \{[^}]*\}', '"run": {...}', text)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", SESSIONS)
def test_a_session_is_as_in_its_golden_file(synth, command):
    session = "\n".join(transcript(words, synth(*words)) for words in SESSIONS[command])
    check_file(GOLDEN / f"session-{command}.txt", steady(session))
