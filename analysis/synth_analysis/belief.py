"""How probable it is that a device guarantees this or that, after the launches so far (Bayes' rule).

The model of a launch is simple. It only serves to order work, and no claim rests on it:

- If the device guarantees a verdict that the test passes, the launch hangs with the probability `MEASURING_FAULT`.
- Otherwise, it hangs with a probability that depends on the signature of the test and on the mapping. This probability
  is the *sensitivity*. It is unknown, and has a Beta distribution beforehand.

So the likelihood of h hung launches of n is that of the beta-binomial distribution. Tests with one signature under one
mapping are a *group*, and share a sensitivity. All hypotheses are equally probable beforehand.

The distribution of a sensitivity is uniform, unless earlier campaigns ran tests of the group on other devices of the
same kind. What they saw counts as far as it is probable that the device did not guarantee the end of these tests, and
for at most `MOST_EARLIER` launches, because devices of one kind differ, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_analysis.hypotheses import hypotheses_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_analysis.hypotheses import Hypothesis

#: How probable it is that a launch seems to hang although the device guarantees that it ends.
MEASURING_FAULT = 0.001
#: For at most so many launches of a group, earlier campaigns count.
MOST_EARLIER = 100.0

#: The verdicts that tests pass, as bits, and the mapping.
Group: TypeAlias = tuple[int, str]


class HangCounts(NamedTuple):
    """How many launches hung, and how many ended. Earlier launches may count in part."""

    hung: float = 0.0
    ended: float = 0.0

    def plus(self, hung: float, ended: float) -> HangCounts:
        """Return the sum with further launches."""
        return HangCounts(self.hung + hung, self.ended + ended)


_NOTHING = HangCounts()


@dataclass
class Belief:
    """What is known of a device.

    - `earlier` has what other devices of the same kind showed of each group.
    - `seen` has what this device showed.
    """

    hypotheses: Sequence[Hypothesis]
    earlier: Mapping[Group, HangCounts] = field(default_factory=dict)
    seen: dict[Group, HangCounts] = field(default_factory=dict)

    def add(self, group: Group, hung: float, ended: float) -> None:
        """Take further launches into account."""
        self.seen[group] = self.seen.get(group, _NOTHING).plus(hung, ended)

    def probabilities(self) -> list[float]:
        """Return how probable each hypothesis is."""
        of_groups = [(group[0], *self._log_likelihoods(group)) for group in self.seen]
        logs = [
            sum(guaranteed if hypothesis.forbids(signature) else free for signature, guaranteed, free in of_groups)
            for hypothesis in self.hypotheses
        ]
        highest = max(logs)
        weights = [math.exp(log - highest) for log in logs]
        total = sum(weights)
        return [weight / total for weight in weights]

    def sensitivity(self, group: Group) -> tuple[float, float]:
        """Return the two parameters of the Beta distribution of the sensitivity of a group, after all launches."""
        before, now = self.earlier.get(group, _NOTHING), self.seen.get(group, _NOTHING)
        return 1 + before.hung + now.hung, 1 + before.ended + now.ended

    def _log_likelihoods(self, group: Group) -> tuple[float, float]:
        """Return the logarithms of two likelihoods of what was seen: if such tests must end, and if they need not."""
        now, before = self.seen[group], self.earlier.get(group, _NOTHING)
        guaranteed = now.hung * math.log(MEASURING_FAULT) + now.ended * math.log1p(-MEASURING_FAULT)
        free = _log_beta(*self.sensitivity(group)) - _log_beta(1 + before.hung, 1 + before.ended)
        return guaranteed, free


def entropy(probabilities: Iterable[float]) -> float:
    """Return the entropy of a distribution in bits: how many yes-or-no questions are open."""
    return -sum(probability * math.log2(probability) for probability in probabilities if probability > 0)


def earlier_of(others: Iterable[Mapping[Group, HangCounts]]) -> dict[Group, HangCounts]:
    """Return what other devices of the same kind tell about sensitivities.

    Each of `others` is what one device showed.
    """
    counts: dict[Group, HangCounts] = {}
    for campaign in others:
        belief = Belief(hypotheses_of(signature for signature, _ in campaign), seen=dict(campaign))
        probabilities = belief.probabilities()
        for group, seen in campaign.items():
            free = sum(
                probability
                for hypothesis, probability in zip(belief.hypotheses, probabilities, strict=True)
                if not hypothesis.forbids(group[0])
            )
            counts[group] = counts.get(group, _NOTHING).plus(free * seen.hung, free * seen.ended)
    return {group: _limited(seen) for group, seen in counts.items()}


def _limited(hangs: HangCounts) -> HangCounts:
    part = min(1.0, MOST_EARLIER / max(1.0, hangs.hung + hangs.ended))
    return HangCounts(part * hangs.hung, part * hangs.ended)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
