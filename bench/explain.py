"""`synth explain` from its start to its end, and certificates of all verdicts of some tests, made and checked.

The commands are run a few times each, and the fastest counts. The tests are a sample of each bound that ships, drawn
with a fixed seed.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from support.tables import print_reading, print_table

from synth_checker.certificates.certification import certify
from synth_checker.models import library
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus

RUNS = 7
BOUNDS = ("2x2", "2x3", "3x3", "2x4", "3x4")
SAMPLE = 200
#: The mutex both ways, the livelock of 2x2, and three threads that wait for each other's messages.
QUESTIONS = (
    ("01100002-01100002", "HSA.weak"),
    ("01100002-01100002", "OBE.weak"),
    ("0010-0100", "fair.strong"),
    ("0011-00_01012-10_0", "LOBE.strong"),
)


def main() -> None:
    """Print both tables."""
    synth = str(Path(sys.executable).with_name("synth"))
    commands = [["--help"], *(["explain", id_, "--model", verdict] for id_, verdict in QUESTIONS)]
    rows = [(f"synth {' '.join(words)}", *command([synth, *words])) for words in commands]
    print_table("Whole commands", ("command", "processor: s", "wall: s"), rows)
    print_table(
        f"Certificates of {SAMPLE} tests, or all", ("bound", "verdicts", "s", "ms a verdict"), list(map(sample, BOUNDS))
    )
    print_reading("The goal for `synth explain` is 0.3 s. A verdict costs its product, its certificate and the check.")


def command(words: list[str]) -> tuple[str, str]:
    """The least processor and wall seconds of a command."""
    measured = []
    for _ in range(RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)  # noqa: S603  (our own)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        measured.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall))
    processor, wall = (min(seconds) for seconds in zip(*measured, strict=True))
    return f"{processor:.2f}", f"{wall:.2f}"


def sample(bound: str) -> tuple[str, ...]:
    """One row."""
    ids = [json.loads(line)["id"] for line in Corpus(locate_corpus(f"@complete/{bound}")).lines()]
    programs = [program_of_id(id_) for id_ in random.Random(1).sample(ids, min(SAMPLE, len(ids)))]  # noqa: S311
    start, verdicts = time.process_time(), 0
    for program in programs:
        for model in library():
            for form in model.forms:
                certify(program, model.automaton(len(program)), form)
                verdicts += 1
    seconds = time.process_time() - start
    return bound, str(verdicts), f"{seconds:.2f}", f"{1000 * seconds / verdicts:.2f}"


if __name__ == "__main__":
    main()
