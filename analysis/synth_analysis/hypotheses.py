"""What a device may guarantee: the hypotheses among which launches decide.

A device that guarantees a verdict also guarantees each verdict that is at most as fair. So what it guarantees is a
down-set of the order of verdicts: a set that has, with each verdict, all that are at most as fair. Every device
guarantees `unfair`, which promises nothing. The six models have 27 such sets.

A test must end if it passes a verdict that the device guarantees. If the same tests must end under two sets, no test
tells the sets apart. They are one hypothesis here, with several names.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.models import library, verdict_names, verdicts_in
from synth_checker.relations.antichains import at_most_as_fair, fairest

if TYPE_CHECKING:
    from collections.abc import Iterable


class DownSet(NamedTuple):
    """A set of verdicts that a device may guarantee: a bit for each verdict, and its fairest verdicts."""

    verdicts: int
    fairest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What a device may guarantee: one down-set, or several that no test tells apart.

    `sets` is not empty.
    """

    sets: tuple[DownSet, ...]

    def forbids(self, signature: int) -> bool:
        """Whether a test must end that passes these verdicts. A signature has a bit for each verdict."""
        return bool(self.sets[0].verdicts & signature)

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The fairest verdicts of each of its sets."""
        return tuple(set_.fairest for set_ in self.sets)


@functools.cache
def down_sets() -> tuple[DownSet, ...]:
    """Return all sets of verdicts of the six models that a device may guarantee. The first one promises nothing."""
    names, at_most = verdict_names(library()), at_most_as_fair()
    below = [sum(1 << place for place, other in enumerate(names) if other in at_most[name]) for name in names]
    closed = (
        chosen
        for chosen in range(1, 1 << len(names), 2)  # the lowest bit is `unfair`
        if not any(chosen >> place & 1 and less & ~chosen for place, less in enumerate(below))
    )
    return tuple(DownSet(chosen, fairest(verdicts_in(chosen))) for chosen in closed)


def hypotheses_of(signatures: Iterable[int]) -> tuple[Hypothesis, ...]:
    """Return what a device may guarantee, as far as tests with these signatures can tell."""
    tests = sorted(set(signatures))
    alike: dict[tuple[bool, ...], list[DownSet]] = {}
    for down_set in down_sets():
        alike.setdefault(tuple(bool(down_set.verdicts & signature) for signature in tests), []).append(down_set)
    return tuple(Hypothesis(tuple(names)) for names in alike.values())
