"""What shards cost and what they are worth: a job against one plain process, and the handling of very many shards.

    jobs.py [BOUND [TURNS]] [--all]

takes the minimal tests of 3x5, three times, unless told otherwise; one turn of 3x6 takes 20 minutes. `--all` keeps
all tests, and then a bound such as 2x5 is enough.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from support.tables import print_reading, print_table
from support.timing import Taken, timed

from synth.engines.engine import engine_for
from synth.jobs.committed import Counts, commit
from synth.jobs.driving import drive, left_of
from synth.jobs.estimating import Estimate, Probe
from synth.jobs.executors.local import LocalExecutor
from synth.jobs.finishing import finish
from synth.jobs.job import Job
from synth.jobs.shards import shards_of
from synth.jobs.starting import start_job
from synth.stopping import Stop
from synth_checker.question import Question, parse_bounds
from synth_corpus.store import RECORDS

BOUND, TURNS = "3x5", "3"
#: Shards that are looked through when done, and shards that are planned and listed.
RESUMED, LISTED = 10_000, 100_000


def main() -> None:
    """Print both tables."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    bound, turns = (*words, *(BOUND, TURNS)[len(words) :])
    question = Question(parse_bounds([bound]), minimal="--all" not in sys.argv)
    with tempfile.TemporaryDirectory() as name:
        sharding_table(question, int(turns), Path(name))
        many_table(Path(name))
    print_reading(
        f"The least of {turns} turns each. A job samples, makes shards, does them, and merges them to a corpus; the "
        "plain process does all at once and writes the same corpus. 'Of plain' is of its processor seconds; 'faster' "
        "is the wall time of a job with one process by that with two."
    )


def sharding_table(question: Question, turns: int, folder: Path) -> None:
    """A plain process, and jobs of one and two processes; all must end with the same records."""
    takes: dict[str, list[Taken]] = {"plain": [], "1 process": [], "2 processes": []}
    for turn in range(turns):
        plain = folder / f"plain-{turn}.job"
        takes["plain"].append(timed(lambda place=plain: one_shard(question, place))[0])
        for jobs in (1, 2):
            place = folder / f"{jobs}-{turn}.job"
            taken, _ = timed(lambda p=place, j=jobs: whole_job(question, p, j))
            takes[f"{jobs} process{'es' * (jobs > 1)}"].append(taken)
            if (place / "corpus" / RECORDS).read_bytes() != (plain / "corpus" / RECORDS).read_bytes():
                raise SystemExit(f"{place}: other records than {plain}")
    shards = len(Job(folder / "1-0.job").shards)
    least = {name: Taken(min(t.wall for t in taken), min(t.cpu for t in taken)) for name, taken in takes.items()}
    rows = [
        (
            name,
            f"{taken.wall:.2f}",
            f"{taken.cpu:.2f}",
            f"{taken.cpu / least['plain'].cpu:.3f}",
            f"{least['1 process'].wall / taken.wall:.2f} x" if name != "plain" else "",
        )
        for name, taken in least.items()
    ]
    print_table(f"{question.name}, {shards} shards", ("", "wall s", "CPU s", "of plain", "faster"), rows)


def one_shard(question: Question, folder: Path) -> None:
    """All of a question as a job of one shard, and so in one process that is never interrupted."""
    with Stop() as stop:
        finished(cut(question, 1, folder), 1, stop)


def whole_job(question: Question, folder: Path, jobs: int) -> None:
    """A job from its start to its corpus."""
    with Stop() as stop:
        finished(start_job(folder, question, "auto", None, None, stop), jobs, stop)


def finished(job: Job | None, jobs: int, stop: Stop) -> None:
    """Do all shards, and write the corpus."""
    if job is None or not drive(job, LocalExecutor(jobs), stop).complete:
        raise SystemExit("stopped")
    finish(job, job.corpus, jobs)


def many_table(folder: Path) -> None:
    """Many shards: planned, written down, read and listed; and, of fewer, those that are done looked at."""
    rows = []
    for number, done in ((LISTED, False), (RESUMED, True)):
        place = folder / f"{number}.job"
        made, job = timed(lambda n=number, p=place: cut(Question(parse_bounds(["3x6"])), n, p))
        for name in job.shards if done else ():
            commit(job.results, name, job.checksum, Counts(1, 1, 1, (0,)), b"0010-00_0\n")
        looked, _ = timed(lambda p=place: left_of(Job(p)))
        size = (place / "shards.jsonl").stat().st_size / 1e6
        rows.append((f"{number:,}", "all" if done else "none", f"{made.wall:.2f}", f"{looked.wall:.2f}", f"{size:.1f}"))
    print_table("Many shards", ("", "done", "planned and written: s", "looked through: s", "MB of the list"), rows)


def cut(question: Question, number: int, folder: Path) -> Job:
    """A job of so many shards."""
    engine = engine_for(question)
    units = engine.units(1)
    estimates = [Estimate(unit, [Probe(1.0, 1.0, 0.0, 0.0)]) for unit in units]
    return Job.create(folder, question, engine, shards_of(engine, estimates, len(units) / number), 1.0)


if __name__ == "__main__":
    main()
