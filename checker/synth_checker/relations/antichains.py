"""The order of verdicts as sets, and the fairest and the least fair of some verdicts.

The fairest and the least fair are antichains: of two verdicts in them, neither is proven to be strictly less fair than
the other. Inclusion proves the order (`fairness_order`).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from synth_checker.models import library
from synth_checker.relations.fairness_order import is_implied, verdicts_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from synth_checker.models import Model


def at_most_as_fair(models: tuple[Model, ...] | None = None) -> Mapping[str, frozenset[str]]:
    """Return, for each verdict of some models, itself and those that are proven to be at most as fair.

    By default, the models are those of the paper.
    """
    return _at_most_as_fair(library() if models is None else models)


@functools.lru_cache(maxsize=64)
def _at_most_as_fair(models: tuple[Model, ...]) -> Mapping[str, frozenset[str]]:
    verdicts = verdicts_of(models)
    return {
        verdict.name: frozenset(other.name for other in verdicts if is_implied(other, verdict)) for verdict in verdicts
    }


def less_fair(models: tuple[Model, ...] | None = None) -> Mapping[str, frozenset[str]]:
    """Return, for each verdict of some models, those that are proven to be strictly less fair.

    By default, the models are those of the paper.
    """
    at_most = at_most_as_fair(models)
    return {
        name: frozenset(weaker for weaker in below if name not in at_most[weaker]) for name, below in at_most.items()
    }


def fairest(names: Collection[str], models: tuple[Model, ...] | None = None) -> tuple[str, ...]:
    """Return those of some verdicts that are not strictly less fair than another one of them, in their order."""
    less = less_fair(models)
    return tuple(name for name in names if not any(name in less[other] for other in names))


def least_fair(names: Collection[str], models: tuple[Model, ...] | None = None) -> tuple[str, ...]:
    """Return those of some verdicts than which no other one of them is strictly less fair, in their order."""
    less = less_fair(models)
    return tuple(name for name in names if less[name].isdisjoint(names))
