"""What shards cost and what they are worth: a job against one plain process, and the handling of very many shards.

    jobs.py [BOUND [TURNS]] [--all]

takes the minimal tests of 3x5, three times, unless told otherwise; one turn of 3x6 takes four minutes. `--all` keeps
all tests, and then a bound such as 2x5 is enough. Each turn begins with a plain loop over the programs of 2x5, which
says how fast the machine is.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from support.plain_loop import GOAL_MACHINE_S, PlainLoop
from support.tables import print_reading, print_table
from support.timing import Taken, timed, timed_side_by_side

from synth_checker.question import Question, parse_bounds
from synth_corpus.store import RECORDS
from synth_jobs.committed import ShardCounts, commit
from synth_jobs.driver import drive, shards_left
from synth_jobs.estimate import Estimate, Probe
from synth_jobs.executors.local import LocalExecutor
from synth_jobs.finish import finish
from synth_jobs.job import Job
from synth_jobs.shards import shards_of
from synth_jobs.start import start_job
from synth_search.engines.choice import engine_for
from synth_workers.execution import Execution
from synth_workers.stop import Stop

BOUND, TURNS = "3x5", "3"
LOOP = "2x5"
#: What a job of 3x6 or 2x6 may take: processor seconds on the machine of `GOAL_MACHINE_S`.
GOAL_S = 60
#: What is timed: the first two side by side, then the others, one after the other.
ROWS = ("plain", "1 process, at the same time", "1 process", "2 processes")
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
        f"Medians of {turns} turns. A job samples, makes shards, does them, and merges them to a corpus; the plain "
        "process does all at once and writes the same corpus. The first ratio is of processor seconds, spent at the "
        "same time on a core each; the second of wall times, one after the other."
    )


def sharding_table(question: Question, turns: int, folder: Path) -> None:
    """A plain process, and jobs of one and two processes."""
    loop = PlainLoop(folder)
    loops, takes = [], []
    for turn in range(turns):
        loops.append(loop.count(LOOP)[0])
        takes.append(one_turn(question, folder, turn))
    of_plain = median(beside.cpu / plain.cpu for plain, beside, _, _ in takes)
    faster = median(alone.wall / two.wall for _, _, alone, two in takes)
    of_loop = median(two.cpu / loop for (*_, two), loop in zip(takes, loops, strict=True))
    of_two = f"{faster:.2f} times as fast; {of_loop:.1f} loops"
    ratios = ("", f"{of_plain:.3f} of plain", "", of_two)
    rows = [
        (name, f"{median(took.wall for took in each):.2f}", f"{median(took.cpu for took in each):.2f}", ratio)
        for name, each, ratio in zip(ROWS, zip(*takes, strict=True), ratios, strict=True)
    ]
    rows.append(
        (f"plain loop of {LOOP}", "", f"{median(loops):.2f}", f"{GOAL_S:.0f} s are {GOAL_S / GOAL_MACHINE_S:.1f} loops")
    )
    shards = len(Job(folder / "0-1.job").shards)
    print_table(f"{question.name}, {shards} shards", ("", "wall s", "CPU s", ""), rows)


def one_turn(question: Question, folder: Path, turn: int) -> list[Taken]:
    """What each row takes, once; all must end with the same records."""
    plain, beside, one, two = places = [folder / f"{turn}-{number}.job" for number in range(len(ROWS))]
    takes = [
        *timed_side_by_side([partial(one_shard, question, plain), partial(whole_job, question, beside, 1)]),
        timed(partial(whole_job, question, one, 1))[0],
        timed(partial(whole_job, question, two, 2))[0],
    ]
    if len({(place / "corpus" / RECORDS).read_bytes() for place in places}) > 1:
        raise SystemExit(f"{folder}: found other records by shards than without, in turn {turn}")
    return takes


def one_shard(question: Question, folder: Path) -> None:
    """All of a question as a job of one shard, and so in one process that is never interrupted."""
    with Stop() as stop:
        finished(cut(question, 1, folder), Execution(stop, jobs=1))


def whole_job(question: Question, folder: Path, jobs: int) -> None:
    """A job from its start to its corpus."""
    with Stop() as stop:
        how = Execution(stop, jobs=jobs)
        finished(start_job(folder, question, "auto", None, None, how), how)


def finished(job: Job | None, how: Execution) -> None:
    """Do all shards, and write the corpus."""
    if job is None or not drive(job, LocalExecutor(how.jobs), how).complete:
        raise SystemExit("stopped")
    finish(job, job.corpus, how)


def many_table(folder: Path) -> None:
    """Many shards: planned, written down, read and listed; and, of fewer, those that are done looked at."""
    rows = []
    for number, done in ((LISTED, False), (RESUMED, True)):
        place = folder / f"{number}.job"
        made, job = timed(lambda n=number, p=place: cut(Question(parse_bounds(["3x6"])), n, p))
        for name in job.shards if done else ():
            commit(job.results, name, job.checksum, ShardCounts(1, 1, 1, (0,)), b"0010-00_0\n")
        looked, _ = timed(lambda p=place: shards_left(Job(p)))
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
