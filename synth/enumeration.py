"""The main job: every test of a question, with its verdicts, and the corpus that keeps them.

Question -> units -> engine, in processes -> ids -> checked and judged in C++ -> records, manifest
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import time
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from synth.engines.sat import DEFAULT_SOLVER, SatEngine, plan
from synth.engines.workers import Workers
from synth.stopping import Reason, Stop
from synth_checker.errors import InputError, InternalError, ResourceError
from synth_checker.models import models_named, verdict_names
from synth_checker.rules import RULES, broken_rules, rule_mask, rule_names
from synth_checker.verdicts import judge
from synth_corpus.manifest import Manifest
from synth_corpus.record import RecordWriter
from synth_encodings.orbits import least_of_orbits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from synth_checker.models import Model
    from synth_checker.question import Question


@dataclass(frozen=True)
class Enumeration:
    """The tests of a question: their ids, sorted.

    `stopped` says why a run ended early; it is then not `complete`, unless nothing was left to do. Where the reason is
    a fault, `fault` says which.
    """

    question: Question
    ids: list[str]
    complete: bool
    stopped: Reason | None
    seconds: float
    solver: str
    jobs: int
    fault: ResourceError | None = None

    @functools.cached_property
    def passes(self) -> list[int]:
        """Per test, the bit mask of the verdicts it passes; decided when first asked for."""
        return judge(self.ids, self._models)

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of the verdicts, one a bit."""
        return verdict_names(self._models)

    @property
    def _models(self) -> tuple[Model, ...]:
        return models_named(self.question.models)

    def lines(self) -> Iterator[str]:
        """The records, in order, as lines."""
        return map(RecordWriter(self.verdicts).line, self.ids, self.passes)

    def splits(self) -> dict[str, int]:
        """How many tests each split has, for all splits of the question."""
        width = 4  # digits an instruction
        found = Counter("+".join(str(len(part) // width) for part in id_.split("-")) for id_ in self.ids)
        names = ["+".join(map(str, sizes)) for bound in self.question.bounds for sizes in bound.splits()]
        return {name: found[name] for name in names}

    def signatures(self) -> dict[str, int]:
        """How many tests each signature has, one letter `p` or `f` a verdict; the most frequent first."""
        found = Counter(self.passes)
        ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return {signature_letters(mask, len(self.verdicts)): count for mask, count in ordered}

    def manifest(self) -> Manifest:
        """The manifest of a corpus of these tests; its checksum is filled in when that is written."""
        return Manifest(
            question=self.question,
            rules=tuple(rule for rule in RULES if rule not in self.question.without),
            models={model.name: model.definition for model in self._models},
            verdicts=self.verdicts,
            complete=self.complete,
            tests=len(self.ids),
            splits=self.splits(),
            signatures=self.signatures(),
            sha256="",
            run=self._run(),
        )

    def _run(self) -> dict[str, Any]:
        return {
            "tool": f"synth {version('progress-synth')}",
            "engine": "sat",
            "solver": self.solver,
            "jobs": self.jobs,
            "seconds": round(self.seconds, 3),
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "host": platform.node(),
            "stopped": self.stopped.words if self.stopped else None,
        }


def signature_letters(passes: int, verdicts: int) -> str:
    """A bit mask of verdicts as letters, `p` for pass and `f` for fail, in the order of the verdicts."""
    return "".join("p" if passes >> k & 1 else "f" for k in range(verdicts))


def usable_cpus() -> int:
    """How many CPUs this process may use."""
    with contextlib.suppress(AttributeError):  # only some systems say
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def enumerate_tests(  # noqa: PLR0913  (all but the question have defaults and names)
    question: Question,
    *,
    jobs: int | None = None,
    solver: str = DEFAULT_SOLVER,
    stop: Stop | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    known: Iterable[str] = (),
) -> Enumeration:
    """Find all tests of a question, in `jobs` processes.

    An interrupt, a worker process lost again and again, and whatever else `stop` watches for, ends the run early; the
    result then says so and holds what was found, and the ids that were `known` before. `progress` is told, now and
    then, how many units of work are done, how many there are, and how many tests have been found.

    Raises:
        InputError: an unknown solver, or fewer than one job.
        InternalError: the engine and the core disagree on whether a program is a test.
    """
    if jobs is not None and jobs < 1:
        msg = f"jobs: found {jobs}, expected at least 1"
        raise InputError(msg)
    jobs = jobs or usable_cpus()
    start = time.monotonic()
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(Stop()) if stop is None else stop
        ids, complete = _find(question, jobs, solver, watch, progress)
        ids.update(known)
        _check(sorted(ids), question)
        return Enumeration(
            question=question,
            ids=kept(ids, question),
            complete=complete,
            stopped=watch.reason,
            seconds=time.monotonic() - start,
            solver=solver,
            jobs=jobs,
            fault=watch.fault,
        )


def kept(ids: Iterable[str], question: Question) -> list[str]:
    """Of all tests those that a question keeps, sorted."""
    if not question.up_to:
        return sorted(ids)
    return least_of_orbits(ids, keep_store_checks=question.keep_store_checks)


def _find(
    question: Question, jobs: int, solver: str, stop: Stop, progress: Callable[[int, int, int], None] | None
) -> tuple[set[str], bool]:
    engine = SatEngine(question, solver)
    units = plan(question, jobs)
    found: set[str] = set()
    done = 0
    with Workers(engine.solve, jobs, stop) as workers:
        try:
            for batch in workers.run(units):
                found.update(batch.results)
                done += batch.done
                if progress is not None:
                    progress(done, len(units), len(found))
        except ResourceError as error:
            stop.note_fault(error)
        if done < len(units):
            for batch in workers.stop():
                found.update(batch.results)
                done += batch.done
    return found, done == len(units)


def _check(ids: list[str], question: Question) -> None:
    """The core decides the rules, too, by other means; a disagreement must not pass for a result."""
    allowed = rule_mask(question.without)
    for id_, broken in zip(ids, broken_rules(ids), strict=True):
        if broken & ~allowed:
            msg = f"the engine found {id_}, which breaks {', '.join(rule_names(broken & ~allowed))} by the core"
            raise InternalError(msg)
