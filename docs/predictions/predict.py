"""Predict what the paper leaves open, and write lists of ids beside this file (docs/results/predictions.md).

    python docs/predictions/predict.py

The simulated device runs tests of 2x2 to 3x4 under some schedulers and mappings.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_backends.mapping import read_mapping
from synth_checker.programs.normal import program_of_id
from synth_corpus.shipped import BOUNDS
from synth_corpus.store import Corpus
from synth_devices.sim.presets import preset
from synth_devices.sim.scheduler import scheduler_of
from synth_devices.sim.simulation import Simulator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_devices.sim.scheduler import Scheduler

FOLDER = Path(__file__).parent
MAPPINGS = ("plain", "round-robin", "chunked", "hybrid:2")
#: Workgroups of a launch: enough to fill the slots of these schedulers many times.
WORKGROUPS = 768
LAUNCHES = 2
#: The preset `linear`, those that imply no more than HSA+OBE, and `batched` with other sizes of a batch.
SCHEDULERS: Mapping[str, Scheduler] = {
    **{name: preset(name).scheduler for name in ("linear", "batched", "jitter", "strided", "reverse", "shuffled")},
    **{f"batched, batch = {size}": scheduler_of(f"slots = 8\nbatch = {size}") for size in (2, 3, 5, 16)},
}
LINEAR, BATCHED, JITTER = "linear", "batched", "jitter"


class Hung(NamedTuple):
    """For each mapping, the tests that hang under it."""

    by: Mapping[str, frozenset[str]]

    def only(self, mapping: str) -> frozenset[str]:
        """Return the tests that hang under this mapping and neither under another of the paper's three."""
        return self.by[mapping].difference(*(self.by[other] for other in MAPPINGS[:3] if other != mapping))


def complete_tests() -> dict[str, Mapping[str, str]]:
    """Return the verdicts of all tests of the complete corpora, by id."""
    return {record.id: record.verdicts for bound in BOUNDS["complete"] for record in Corpus(f"@complete/{bound}")}


def hung(scheduler: Scheduler, ids: Iterable[str], mappings: Iterable[str] = MAPPINGS) -> Hung:
    """Launch tests on a simulated scheduler under some mappings."""
    listed = list(ids)
    return Hung({name: frozenset(id_ for id_ in listed if _hangs(scheduler, id_, name)) for name in mappings})


def _hangs(scheduler: Scheduler, test: str, mapping: str) -> bool:
    program = program_of_id(test)
    instances = 1 if mapping == "plain" else WORKGROUPS // len(program)
    simulator = Simulator(scheduler, program, read_mapping(mapping), instances)
    return any(simulator.hangs(number) for number in range(LAUNCHES))


def starves(test: str) -> frozenset[int]:
    """Return which of the threads 0 and 1 may step for ever while thread 2 starves.

    Threads 0 and 1 step in any order, and thread 2 not at all. A thread steps for ever if the other one has ended, and
    no number of its own steps ends it.
    """
    scheduler = SCHEDULERS[LINEAR]
    table = Simulator(scheduler, program_of_id(test), read_mapping("plain"), 1).table()
    return frozenset(
        thread
        for state in _reached(table, 0, (0, 1))
        for thread in (0, 1)
        if table[state][thread] != -1
        and table[state][1 - thread] == -1
        and all(table[after][thread] != -1 for after in _reached(table, state, (thread,)))
    )


def _reached(table: list[list[int]], start: int, threads: Iterable[int]) -> list[int]:
    """Return all states that steps of these threads reach."""
    found = [start]
    for state in found:  # grows while it is read
        found += {table[state][thread] for thread in threads if table[state][thread] != -1}.difference(found)
    return found


def predictions() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file."""
    tests = complete_tests()
    kept = [id_ for id_, verdicts in tests.items() if verdicts["LOBE.weak"] == "pass"]
    found = {name: hung(scheduler, kept) for name, scheduler in SCHEDULERS.items()}
    yield "lobe.csv", _counts(found)
    for name in (BATCHED, JITTER):
        about = f"pass LOBE.weak and hang on the scheduler {name} under round-robin, and not under plain or chunked"
        yield f"lobe-{name}.txt", _list(about, found[name].only("round-robin"))
    fairer = [
        id_
        for id_, verdicts in tests.items()
        if any(verdicts[f"fair.{form}"] == "pass" != verdicts[f"LOBE.{form}"] for form in ("weak", "strong"))
    ]
    by_chunked = hung(SCHEDULERS[LINEAR], fairer, ["chunked"]).by["chunked"]
    parallel = [id_ for id_ in fairer if id_ not in by_chunked and id_.count("-") == 2 and 0 in starves(id_)]
    yield (
        "parallel.txt",
        _list(
            "pass fair, fail LOBE and never hang on the scheduler linear under chunked. "
            "If thread 2 does not start, thread 0 may step for ever, but only if thread 1 runs in parallel",
            parallel,
        ),
    )
    further = {name: hung(scheduler, parallel) for name, scheduler in SCHEDULERS.items()}
    yield "parallel.csv", _counts(further)
    for name in (LINEAR, JITTER):
        about = f"are in parallel.txt and hang on the scheduler {name} under hybrid:2"
        yield f"hybrid-{name}.txt", _list(about, further[name].by["hybrid:2"])


def _counts(found: Mapping[str, Hung]) -> str:
    head = ["scheduler", *MAPPINGS, "round-robin only"]
    rows = [
        [f'"{name}"', *(str(len(hung.by[mapping])) for mapping in MAPPINGS), str(len(hung.only("round-robin")))]
        for name, hung in found.items()
    ]
    return "".join(",".join(row) + "\n" for row in (head, *rows))


def _list(about: str, ids: Iterable[str]) -> str:
    listed = sorted(ids, key=lambda id_: (len(id_), id_))
    return "".join(f"{line}\n" for line in (f"# {len(listed)} tests of 2x2 to 3x4: these {about}.", *listed))


if __name__ == "__main__":
    for name, text in predictions():
        (FOLDER / name).write_text(text, "utf-8")
        sys.stdout.write(f"{name}\n")
