"""Compare the tests that several engines find, and the verdicts that several oracles decide.

An engine says which programs are tests. An oracle says which verdicts a program passes. Each engine and each oracle
works alone, and nothing corrects its answer. In an enumeration, the C++ core checks each test that an engine finds;
here it does not. If two engines or two oracles differ about a program, they disagree. The report shows the smallest
program about which some disagree.
"""

from __future__ import annotations

import contextlib
import functools
import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from synth_checker.models import models_named, verdict_names
from synth_checker.models.expression import Expression
from synth_checker.programs.normal import program_of_id
from synth_checker.twin import models as twin_models
from synth_checker.twin import verdicts as twin
from synth_checker.verdicts import FORMS, judge
from synth_corpus.record import signature
from synth_search.crosscheck.answer import ComparedPart, Crosscheck, Disagreement
from synth_workers.execution import Execution, ignore_progress, processes, work_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from synth_checker.models import Model
    from synth_checker.question import Question
    from synth_search.engines.choice import SomeEngine
    from synth_search.engines.engine import AUnit, Engine
    from synth_workers.batches import Batch, R, U
    from synth_workers.execution import Progress
    from synth_workers.stop import Stop

    Oracle: TypeAlias = Callable[[Sequence[str], tuple[Model, ...]], list[int]]
    """A function from ids and models to bit masks of the verdicts that pass, like `synth_checker.verdicts.judge`."""
    Watch: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
    """A function from the name of an engine or oracle to a context, which gives a function for progress reports."""

#: How many tests the oracles judge by default. The Python twin takes about 20 ms for a test of 3x4.
SAMPLE = 500
SEED = 1
#: How many programs an oracle judges in one call.
_CHUNK = 50


def twin_verdicts(ids: Sequence[str], models: tuple[Model, ...]) -> list[int]:
    """Decide verdicts by the slow Python twin; arguments and result are those of `synth_checker.verdicts.judge`."""
    return [_twin_mask(id_, models) for id_ in ids]


def _twin_mask(id_: str, models: tuple[Model, ...]) -> int:
    program = program_of_id(id_)
    passed: list[bool] = []
    for model in models:
        # The twin evaluates a set expression over Python's sets. It reads other models from the tables of their
        # automata.
        weak, strong = (
            twin_models.passes(program, model.fair)
            if isinstance(model.fair, Expression)
            else twin.passes(program, model.automaton(len(program)))
        )
        passed += [weak, strong] if len(model.forms) == FORMS else [weak]
    return sum(1 << k for k, bit in enumerate(passed) if bit)


#: The ways to decide verdicts. The twin shares no code with the core, so that a mistake in one shows as a difference.
ORACLES: dict[str, Oracle] = {"core": judge, "twin": twin_verdicts}


def _unwatched(_: str) -> AbstractContextManager[Progress]:
    return contextlib.nullcontext(ignore_progress)


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
    """Ask each engine for the tests of a question, and each oracle for the verdicts of all tests that were found.

    If the engines found more than `sample` programs, the oracles judge only `sample` of them, drawn with the seed
    `SEED`. If `sample` is None, they judge all. The function returns None if something stopped it first; `stop` then
    has the reason.

    Raises:
        InputError: `jobs` is less than 1.
        InternalError: an engine or an oracle failed.
    """
    team = _Team(Execution(stop, jobs=processes(jobs)), watch)
    tests: dict[str, set[str]] = {}
    for name, engine in engines.items():
        tests[name] = team.results(name, functools.partial(_solved, engine), engine.units(team.how.jobs))
    if not team.is_done:
        return None
    everything = sorted(set().union(*tests.values()))
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
    differing = _disagreements(everything, tests, passes, verdict_names(models))
    return Crosscheck(
        question.name,
        len(everything),
        tuple(team.parts[: len(engines)]),
        len(judged),
        seed,
        tuple(team.parts[len(engines) :]),
        tuple(sorted(differing, key=lambda disagreement: disagreement.size)),
    )


def _solved(engine: Engine[AUnit], unit: AUnit) -> Iterator[str]:
    for lines in engine.solve(unit):
        yield from lines.decode("ascii").splitlines()


def _judged(oracle: Oracle, models: tuple[Model, ...], ids: Sequence[str]) -> Iterator[tuple[str, int]]:
    return zip(ids, oracle(ids, models), strict=True)


class _Team:
    """The processes that do the work of all engines and oracles in turn. Once stopped, they do nothing more."""

    def __init__(self, how: Execution, watch: Watch) -> None:
        self.how, self.is_done, self.parts = how, True, list[ComparedPart]()
        self._watch = watch

    def results(self, name: str, solve: Callable[[U], Iterable[R]], units: Sequence[U]) -> set[R]:
        """Return the set of results that `solve` gives for all units, and note their number and the time."""
        results: set[R] = set()

        def take(batch: Batch[U, R]) -> int:
            results.update(batch.results)
            return len(results)

        start = time.monotonic()
        with self._watch(name) as progress:
            self.is_done = self.is_done and work_through(solve, units, replace(self.how, progress=progress), take)
        self.parts.append(ComparedPart(name, len(results), round(time.monotonic() - start, 3)))
        return results


def _disagreements(
    ids: Iterable[str], tests: Mapping[str, set[str]], passes: Mapping[str, Mapping[str, int]], names: tuple[str, ...]
) -> Iterator[Disagreement]:
    for id_ in ids:
        by_engine = {name: id_ in theirs for name, theirs in tests.items()}
        by_oracle = {name: theirs[id_] for name, theirs in passes.items() if id_ in theirs}
        if len(set(by_engine.values())) > 1 or len(set(by_oracle.values())) > 1:
            yield Disagreement(
                id_, by_engine, {oracle: dict(signature(mask, names)) for oracle, mask in by_oracle.items()}
            )
