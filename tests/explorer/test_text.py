"""The page reads the text of a program as the core's reader does, and finds the same fault in a wrong one."""

import json
import random

import pytest

from synth_checker.errors import UserError
from synth_checker.programs.normal import written_out
from synth_checker.programs.text import read_program, write_program
from synth_corpus.store import Corpus

pytestmark = [pytest.mark.full, pytest.mark.command("npm")]
WORDS = [
    "THREAD",
    "0",
    "1",
    "7",
    "36",
    "99",
    "999999",
    ":",
    "if",
    "(",
    ")",
    "Mem",
    "[",
    "]",
    "=",
    "==",
    ";",
    "Exch",
    ",",
]
WORDS += ["goto", "END", "// a comment\n", "\n", " ", "x", "é", "THREAD 0\n"]


def changed(text, chance):
    """The text with one or two of its words replaced, removed or doubled."""
    words = text.replace("\n", " \n ").split(" ")
    for _ in range(chance.randint(0, 2)):
        at = chance.randrange(len(words))
        words[at : at + 1] = chance.choice([[], [chance.choice(WORDS)], [words[at], chance.choice(WORDS)]])
    return " ".join(words)


def read(text):
    try:
        return {"program": written_out(read_program(text, "text"))}
    except UserError as error:
        return {"fault": str(error).removeprefix("text:")}


def test_programs_and_faults_are_those_of_the_core(under_node):
    chance = random.Random(4)
    programs = [record.program for record in Corpus("@complete/2x3")] + [
        record.program for record in Corpus("@minimal/3x4")
    ]
    texts = [changed(write_program(program), chance) for program in programs for _ in range(3)]
    expected = [read(text) for text in texts]
    assert 100 < sum("fault" in answer for answer in expected) < len(texts) - 100
    assert under_node("texts", [json.dumps(text) for text in texts]) == expected
