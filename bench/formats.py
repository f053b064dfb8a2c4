"""Records per second that each format writes, from a corpus on disk to text that goes nowhere.

    formats.py [BOUND]

takes the tests of 2x5 unless told otherwise. `published`, whose JSON is indented, gets those of 2x4.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from support.tables import print_reading, print_table

import synth
from synth_corpus.exports import export_texts
from synth_corpus.formats import FORMATS, export_of
from synth_corpus.shipped import locate_corpus
from synth_corpus.store import Corpus

REPETITIONS = 3
GOAL = 200_000


def main(bound: str = "2x5") -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        synth.save(synth.enumerate_tests(synth.question(bound)), Path(folder) / "it.corpus")
        corpus = Corpus(Path(folder) / "it.corpus")
        rows = [
            row(name, corpus) for name, form in FORMATS.items() if form.write is not None and "table" not in form.needs
        ]
    print_table(f"Export of {corpus.manifest.tests:,} records", ("format", "records/s", "MB/s", "goal"), rows)
    print_reading(
        f"CPU seconds of one process, the best of {REPETITIONS} turns: decompression, checksum, format. Names, results "
        "and aliases, which these records lack, take more."
    )


def row(name: str, corpus: Corpus) -> tuple[str, ...]:
    """How fast a format is."""
    form = FORMATS[name]
    corpus = Corpus(locate_corpus("@complete/2x4")) if name == "published" else corpus
    model = "OBE.weak" if form.needs or form.takes else None
    seconds, size = [], 0
    for _ in range(REPETITIONS):
        start = time.process_time()
        size = sum(map(len, export_texts(form, export_of(corpus, model=model))))
        seconds.append(time.process_time() - start)
    best = min(seconds)
    goal = f"{GOAL:,}" if name in {"jsonl", "csv"} else ""
    return name, f"{corpus.manifest.tests / best:,.0f}", f"{size / best / 1e6:,.0f}", goal


if __name__ == "__main__":
    main(*sys.argv[1:])
