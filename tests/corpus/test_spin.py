"""Test that SPIN, an independent model checker, agrees on `unfair` and `fair.weak`, given the exported Promela."""

import json
import re
import shutil
import subprocess

import pytest

from synth_checker.errors import LimitError
from synth_checker.question import Question, parse_bounds
from synth_checker.verdicts import judge
from synth_corpus.formats import FORMATS
from synth_corpus.formats.format import Export
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus
from synth_search.enumeration.every_test import enumerate_tests

needs_spin = pytest.mark.skipif(shutil.which("spin") is None, reason="SPIN is not installed")
#: Tests in a model: with their threads no more than SPIN takes.
BATCH = 54


def promela(corpus, lines):
    verdicts = corpus.manifest.verdicts
    return "".join(FORMATS["promela"].write(Export(lambda: iter(lines), verdicts, "tests", lambda _: "tests:1")))


def verifier(folder, model):
    """SPIN's verifier of a model: a program that searches all states for a property."""
    (folder / "tests.pml").write_text(model)
    subprocess.run(["spin", "-a", "tests.pml"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-w", "-O0", "-DNOREDUCE", "-o", "pan", "pan.c"], cwd=folder, check=True)
    return folder / "pan"


def passes(pan, number, *words):
    run = subprocess.run(
        [pan, "-w12", "-a", *words, "-N", f"test_{number}"], cwd=pan.parent, capture_output=True, text=True
    )
    found = re.search(r"errors: ([01])\n", run.stdout)
    assert found is not None, run.stdout + run.stderr
    assert "search depth too small" not in run.stdout
    return found[1] == "0"


def by_spin(folder, lines, corpus):
    """Of each test, whether it passes `unfair` and `fair.weak`."""
    pan = verifier(folder, promela(corpus, lines))
    return [(passes(pan, number), passes(pan, number, "-f")) for number in range(len(lines))]


def by_us(lines):
    verdicts = [json.loads(line)["verdicts"] for line in lines]
    return [(found["unfair"] == "pass", found["fair.weak"] == "pass") for found in verdicts]


@needs_spin
@pytest.mark.full
@pytest.mark.parametrize("bound", ["2x2", "2x3", "3x3"])
def test_spin_agrees_on_every_test(bound, tmp_path):
    corpus = Corpus(locate_corpus(f"@complete/{bound}"))
    lines = [line.rstrip("\n").encode() for line in corpus.lines()]
    for first in range(0, len(lines), BATCH):
        folder = tmp_path / str(first)
        folder.mkdir()
        some = lines[first : first + BATCH]
        assert by_spin(folder, some, corpus) == by_us(some)


@needs_spin
@pytest.mark.full
def test_spin_agrees_that_some_programs_always_end(tmp_path):
    """Tests all fail under `unfair`; of programs that break rules some pass it, and SPIN must be seen to say so."""
    ids = ["0011", "0011-0011", "0010-0011", "00_0-0011", "00_0", "01_0-0011", "0111-0000"]
    records = [f'{{"id":"{id_}","threads":[[]],"verdicts":{{}}}}'.encode() for id_ in ids]
    corpus = Corpus(locate_corpus("@complete/2x2"))
    pan = verifier(tmp_path, promela(corpus, records))
    names = corpus.manifest.verdicts
    bits = [1 << names.index(name) for name in ("unfair", "fair.weak")]
    expected = [tuple(bool(mask & bit) for bit in bits) for mask in judge(ids)]
    assert [(passes(pan, k), passes(pan, k, "-f")) for k in range(len(ids))] == expected
    assert {(True, True), (False, True), (False, False)} <= set(expected)


def test_more_than_spin_takes_is_refused():
    found = enumerate_tests(Question(parse_bounds(["2x4"])), jobs=1)
    lines = [line.rstrip("\n").encode() for line in found.lines()][:300]
    with pytest.raises(LimitError, match=r"format promela: found .* expected at most 254 of both together"):
        promela(Corpus(locate_corpus("@complete/2x4")), lines)
