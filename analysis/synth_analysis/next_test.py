"""Choose the test and the mapping of which the next launches tell most about what a device guarantees.

The *score* of a group (`synth_analysis.belief`) is how much its next launches lower the entropy of the hypotheses on
average, divided by how many seconds they take on average. The launches end with the first one that hangs, and this one
takes the time-out. Their result is whether one hung.

Among the tests of the best group, the most sensitive one is chosen, and then the smallest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from synth_analysis.belief import MEASURING_FAULT, HangCounts, entropy
from synth_checker.reductions.shrink import size_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_analysis.belief import Belief, Group

#: The sensitivity of its group counts for a test as so many launches of the test itself.
_LAUNCHES_OF_GROUP = 2.0
#: The expected number of launches is summed up for at most so many.
_MOST_SUMMED = 10_000
_NOTHING = HangCounts()


class Cost(NamedTuple):
    """How many seconds a launch takes that ends, and one that hangs."""

    launch_s: float
    hang_s: float


class Candidate(NamedTuple):
    """A test under a mapping, and how many launches come next. `signature` has a bit for each verdict it passes."""

    test: str
    signature: int
    mapping: str
    launches: int

    @property
    def group(self) -> Group:
        """The tests and the mapping that share a sensitivity."""
        return self.signature, self.mapping


class Worth(NamedTuple):
    """What launches are worth.

    - `bits` is how much they lower the entropy on average.
    - `seconds` is how long they take on average.
    - `hangs` is how probable it is that one of them hangs.
    """

    bits: float
    seconds: float
    hangs: float

    @property
    def score(self) -> float:
        """Bits for a second."""
        return self.bits / self.seconds


@dataclass(frozen=True, slots=True)
class Proposal:
    """What to launch next, and what it is worth."""

    candidate: Candidate
    worth: Worth


def worth_of(belief: Belief, probabilities: list[float], group: Group, launches: int, cost: Cost) -> Worth:
    """Return what launches of a group are worth. `probabilities` are those of the hypotheses of `belief`."""
    a, b = belief.sensitivity(group)
    ends_if_free, made_if_free = _clean(a, b, launches)
    ends_if_guaranteed = (1 - MEASURING_FAULT) ** launches
    ends = [ends_if_guaranteed if hypothesis.forbids(group[0]) else ends_if_free for hypothesis in belief.hypotheses]
    if_ended = [probability * clean for probability, clean in zip(probabilities, ends, strict=True)]
    if_hung = [probability * (1 - clean) for probability, clean in zip(probabilities, ends, strict=True)]
    bits = entropy(probabilities) - _rest(if_ended) - _rest(if_hung)
    guaranteed = sum(
        probability
        for probability, hypothesis in zip(probabilities, belief.hypotheses, strict=True)
        if hypothesis.forbids(group[0])
    )
    launches_made = guaranteed * launches + (1 - guaranteed) * made_if_free
    hangs = sum(if_hung)
    return Worth(max(0.0, bits), max(0.0, launches_made - hangs) * cost.launch_s + hangs * cost.hang_s, hangs)


def proposals(
    belief: Belief,
    candidates: Iterable[Candidate],
    costs: Mapping[str, Cost],
    tests: Mapping[tuple[str, str], HangCounts] | None = None,
) -> list[Proposal]:
    """Return the best candidate of each group, the best group first.

    `costs` has what launches cost under each mapping, and `tests` what was seen of each test under each mapping.
    """
    probabilities = belief.probabilities()
    groups: dict[tuple[Group, int], list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault((candidate.group, candidate.launches), []).append(candidate)
    ranking = []
    for (group, launches), tested in groups.items():
        a, b = belief.sensitivity(group)
        best = min(tested, key=lambda test: _by_sensitivity(test, a / (a + b), tests or {}))
        ranking.append(Proposal(best, worth_of(belief, probabilities, group, launches, costs[group[1]])))
    ranking.sort(key=lambda proposal: (-proposal.worth.score, size_of(proposal.candidate.test), proposal.candidate))
    return ranking


def _by_sensitivity(
    candidate: Candidate, of_group: float, tests: Mapping[tuple[str, str], HangCounts]
) -> tuple[float, tuple[int, int, str]]:
    counts = tests.get((candidate.test, candidate.mapping), _NOTHING)
    hung = _LAUNCHES_OF_GROUP * of_group + counts.hung
    return -hung / (_LAUNCHES_OF_GROUP + counts.hung + counts.ended), size_of(candidate.test)


def _clean(a: float, b: float, launches: int) -> tuple[float, float]:
    """Return two numbers for launches whose sensitivity has a Beta distribution.

    The first is how probable it is that none hangs. The second is how many are made on average, if the first one that
    hangs is the last.
    """
    clean, launches_made = 1.0, 0.0
    for done in range(min(launches, _MOST_SUMMED)):
        launches_made += clean
        clean *= (b + done) / (a + b + done)
    return clean, launches_made


def _rest(weights: list[float]) -> float:
    """Return the entropy that is left after a result, times how probable the result is."""
    total = sum(weights)
    return total * entropy(weight / total for weight in weights) if total > 0 else 0.0
