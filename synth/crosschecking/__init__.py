"""The same answer from whoever can give it: tests by several engines, verdicts by several oracles, compared.

An engine says which programs are tests, an oracle which verdicts a program passes. Each works alone, and what it says
is taken as it is: unlike an enumeration, the core does not look at it first. What two of them say otherwise is a
disagreement, and the smallest one is what to look at.
"""

from __future__ import annotations

import contextlib
import functools
import random
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth.work.execution import Execution, processes, tell_nobody, work_through
from synth_checker.models import models_named, verdict_names
from synth_checker.models.expression import Expression
from synth_checker.normal import program_of_id
from synth_checker.twin import models as twin_models
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import FORMS, judge
from synth_corpus.record import signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from synth.engines.choosing import SomeEngine
    from synth.engines.engine import AUnit, Engine
    from synth.work.execution import Progress
    from synth.work.stopping import Stop
    from synth.work.workers import Batch, R, U
    from synth_checker.models import Model
    from synth_checker.question import Question

    Oracle: TypeAlias = Callable[[Sequence[str], tuple[Model, ...]], list[int]]
    """From ids and models to bit masks of the verdicts that pass, as `synth_checker.verdicts.judge`."""
    Watch: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
    """From who works next to a context in which its progress is told."""

#: How many tests the oracles judge unless all are asked for: the twin takes about 20 ms for one of 3x4.
SAMPLE = 500
SEED = 1
#: Programs that an oracle judges at a time.
_CHUNK = 50


@dataclass(frozen=True, slots=True)
class Part:
    """What an engine or oracle has done: how many tests it has found or judged, in how many seconds."""

    name: str
    tests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A program, which engines have found it, and the bit mask of verdicts by each oracle, if it was judged."""

    id: str
    found: Mapping[str, bool]
    passes: Mapping[str, int]

    @property
    def size(self) -> tuple[int, int, str]:
        """What makes a program the smallest (definitions, section 2)."""
        program = program_of_id(self.id)
        return program.size, len(program), self.id

    def verdicts(self, names: tuple[str, ...]) -> dict[str, dict[str, Literal["pass", "fail"]]]:
        """For each oracle that was asked, the verdicts of these names."""
        return {oracle: dict(signature(mask, names)) for oracle, mask in self.passes.items()}

    def disputed(self, names: tuple[str, ...]) -> list[str]:
        """Those of these verdicts that two oracles decide otherwise."""
        return [name for k, name in enumerate(names) if len({mask >> k & 1 for mask in self.passes.values()}) > 1]


@dataclass(frozen=True, slots=True)
class Crosscheck:
    """What came out: who took part, how many programs some engine found, and where they disagree, smallest first.

    `judged` of the programs were given to the oracles; all where `seed` is None, else a sample drawn with it.
    """

    question: Question
    engines: tuple[Part, ...]
    oracles: tuple[Part, ...]
    tests: int
    judged: int
    seed: int | None
    disagreements: tuple[Disagreement, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of the verdicts, one a bit of a mask."""
        return verdict_names(models_named(self.question.models))


def twin_verdicts(ids: Sequence[str], models: tuple[Model, ...]) -> list[int]:
    """As `synth_checker.verdicts.judge`, by the Python twin."""
    return [_twin_mask(id_, models) for id_ in ids]


def _twin_mask(id_: str, models: tuple[Model, ...]) -> int:
    program = program_of_id(id_)
    passed: list[bool] = []
    for model in models:
        # A set expression by itself, over Python's own sets; what else a model may be is known by its tables.
        weak, strong = (
            twin_models.passes(program, model.fair)
            if isinstance(model.fair, Expression)
            else twin.passes(program, model.automaton(len(program)))
        )
        passed += [weak, strong] if len(model.forms) == FORMS else [weak]
    return sum(1 << k for k, bit in enumerate(passed) if bit)


#: Who decides verdicts. That the twin shares nothing with the core is what makes the comparison worth something.
ORACLES: dict[str, Oracle] = {"core": judge, "twin": twin_verdicts}


def _unwatched(_: str) -> AbstractContextManager[Progress]:
    return contextlib.nullcontext(tell_nobody)


def crosscheck(  # noqa: PLR0913  (all but the first three have defaults and names)
    question: Question,
    engines: Mapping[str, SomeEngine],
    stop: Stop,
    *,
    oracles: Mapping[str, Oracle] = ORACLES,
    sample: int | None = SAMPLE,
    jobs: int | None = None,
    watch: Watch = _unwatched,
) -> Crosscheck | None:
    """Ask each engine for the tests of a question, and each oracle for the verdicts of what any engine found.

    If that is more than `sample` programs, so many are judged, drawn with `SEED`; if `sample` is None, all are. The
    result is None if there was a reason to stop first, which `stop` then has.

    Raises:
        InputError: fewer than one job.
        InternalError: an engine or oracle failed.
    """
    team = _Team(Execution(stop, jobs=processes(jobs)), watch)
    found: dict[str, set[str]] = {}
    for name, engine in engines.items():
        found[name] = team.results(name, functools.partial(_solved, engine), engine.units(team.how.jobs))
    if not team.is_done:
        return None
    everything = sorted(set().union(*found.values()))
    judged, seed = everything, None
    if sample is not None and len(everything) > sample:
        seed = SEED
        judged = sorted(random.Random(seed).sample(everything, sample))  # noqa: S311  (a sample, not a secret)
    models = models_named(question.models)
    chunks = [tuple(judged[k : k + _CHUNK]) for k in range(0, len(judged), _CHUNK)]
    passes: dict[str, dict[str, int]] = {}
    for name, oracle in oracles.items():
        passes[name] = dict(team.results(name, functools.partial(_judged, oracle, models), chunks))
    if not team.is_done:
        return None
    return Crosscheck(
        question=question,
        engines=tuple(team.parts[: len(engines)]),
        oracles=tuple(team.parts[len(engines) :]),
        tests=len(everything),
        judged=len(judged),
        seed=seed,
        disagreements=tuple(sorted(_disagreements(everything, found, passes), key=lambda one: one.size)),
    )


def _solved(engine: Engine[AUnit], unit: AUnit) -> Iterator[str]:
    for lines in engine.solve(unit):
        yield from lines.decode("ascii").splitlines()


def _judged(oracle: Oracle, models: tuple[Model, ...], ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    return zip(ids, oracle(ids, models), strict=True)


class _Team:
    """The processes that do everybody's work, one after the other; once stopped, they do nothing more."""

    def __init__(self, how: Execution, watch: Watch) -> None:
        self.how, self.is_done, self.parts = how, True, list[Part]()
        self._watch = watch

    def results(self, name: str, solve: Callable[[U], Iterable[R]], units: Sequence[U]) -> set[R]:
        """What `solve` gives for all units, each once; its number and time become a part."""
        results: set[R] = set()

        def take(batch: Batch[U, R]) -> int:
            results.update(batch.results)
            return len(results)

        start = time.monotonic()
        with self._watch(name) as progress:
            self.is_done = self.is_done and work_through(solve, units, replace(self.how, progress=progress), take)
        self.parts.append(Part(name, len(results), time.monotonic() - start))
        return results


def _disagreements(
    ids: Iterable[str], found: Mapping[str, set[str]], passes: Mapping[str, Mapping[str, int]]
) -> Iterator[Disagreement]:
    for id_ in ids:
        by_engine = {name: id_ in theirs for name, theirs in found.items()}
        by_oracle = {name: theirs[id_] for name, theirs in passes.items() if id_ in theirs}
        if len(set(by_engine.values())) > 1 or len(set(by_oracle.values())) > 1:
            yield Disagreement(id_, by_engine, by_oracle)
