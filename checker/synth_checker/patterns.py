"""What a hang shows beyond that it is one: which threads had finished (definitions, section 11).

The *pattern* of an instance in a launch that hung is the set of its threads that stay live without end. A verdict
*explains* a pattern if an execution that keeps its promise may leave these threads live and no others. A hang with a
pattern that a verdict does not explain speaks against this verdict, even if the test fails it.

A thread sets its flag after its last step, so it may have ended, and its flag does not show that yet. The programs that
are judged here therefore have one more step in each thread, for the flag.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_checker.models import library, verdict_names
from synth_checker.models.compiled import compile_model
from synth_checker.models.expression import Expression
from synth_checker.programs.id_layout import DIGITS, joined_threads, sizes, thread_count, threads_of
from synth_checker.relations.antichains import at_most_as_fair
from synth_checker.relations.transfer import servings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from synth_checker.models import Model


def explained(id_: str, models: tuple[Model, ...] | None = None) -> dict[int, frozenset[str]]:
    """Return the verdicts that explain each pattern of a program. Patterns are bit masks of live threads.

    A pattern that is missing can occur in no execution.

    Raises:
        InputError: the id cannot be read, or there are more than 32 models.
        LimitError: the program has more than eight threads, or more states than can be explored.
    """
    return all_explained([id_], models)[0]


def all_explained(ids: Sequence[str], models: tuple[Model, ...] | None = None) -> list[dict[int, frozenset[str]]]:
    """Return the same of many programs, which have equally many threads."""
    from synth_checker import _native

    models = library() if models is None else models
    if not ids:
        return []
    compiled = [compile_model(model, thread_count(ids[0])) for model in models]
    bits = [
        (name, 1 << 2 * place + number)
        for place, model in enumerate(models)
        for number, name in enumerate(model.verdicts)
    ]
    return [
        {live: frozenset(name for name, bit in bits if mask & bit) for live, mask in masks.items() if live}
        for masks in _native.explained([with_flags(id_) for id_ in ids], compiled)
    ]


def with_flags(id_: str) -> str:
    """Return a program whose threads take one more step at their ends, which changes nothing: they set their flags."""
    return joined_threads(
        f"{thread}00_{DIGITS[size + 1]}" for thread, size in zip(threads_of(id_), sizes(id_), strict=True)
    )


def refuted_verdicts(id_: str, patterns: Collection[int], models: tuple[Model, ...] | None = None) -> frozenset[str]:
    """Return the verdicts that a hang refutes by the patterns of the instances that did not end.

    It is not known which of the instances has which pattern. A pattern that can occur in no execution says nothing
    about the scheduler, and is left out.
    """
    models = library() if models is None else models
    served = {model: _servings_of(model, thread_count(id_)) for model in models}
    known = _known_explanations(id_, tuple(model for model in models if served[model]))
    seen = [known[pattern] for pattern in patterns if pattern in known]
    if not seen:
        return frozenset()
    by_any, by_every = frozenset[str].union(*seen), frozenset[str].intersection(*seen)
    names: set[str] = set()
    for model, kinds in served.items():
        explaining = by_every if "every" in kinds else by_any
        if kinds:
            names |= {name for name in model.verdicts if name not in explaining}
    at_most = at_most_as_fair(models)
    return frozenset(name for name in verdict_names(models) if names & at_most[name])


@functools.lru_cache(maxsize=1 << 14)
def _known_explanations(id_: str, models: tuple[Model, ...]) -> Mapping[int, frozenset[str]]:
    return explained(id_, models)


def _servings_of(model: Model, threads: int) -> tuple[str, ...]:
    """Return which instances a model serves in launches under mappings that keep the order of threads."""
    return servings(model.fair, tuple(range(threads))) if isinstance(model.fair, Expression) else ()
