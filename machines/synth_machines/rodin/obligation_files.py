"""Read what Rodin computes of a component: its obligations (`*.bpo`) and how far they are proved (`*.bps`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from synth_checker.errors import quoted
from synth_machines.rodin.words import CORE
from synth_machines.rodin.xml import read_root

if TYPE_CHECKING:
    from synth_machines.rodin.xml import Element

#: How far the provers of Rodin are with an obligation. A broken proof is one of an older obligation. An outdated status
#: has another stamp than the obligation, which has changed since.
Done: TypeAlias = Literal["discharged automatically", "discharged by hand", "reviewed", "open", "broken", "outdated"]
DISCHARGED: tuple[Done, ...] = ("discharged automatically", "discharged by hand")
DONE: tuple[Done, ...] = (*DISCHARGED, "reviewed", "open", "broken", "outdated")
OBLIGATIONS_SUFFIX, STATUSES_SUFFIX = ".bpo", ".bps"
#: Rodin's scale of confidence: up to here, nothing is proved; up to there, somebody has reviewed it.
_OPEN, _REVIEWED = 100, 500


@dataclass(frozen=True, slots=True)
class RodinGoal:
    """The goal of an obligation, as text of a formula, and the stamp that changes with the obligation."""

    text: str
    stamp: str | None


@dataclass(frozen=True, slots=True)
class RodinStatus:
    """How far an obligation is proved, and the stamp that the obligation had then."""

    done: Done
    stamp: str | None

    def of(self, goal: RodinGoal) -> Done:
        """Return how far the obligation of a goal is proved."""
        return "outdated" if None not in (self.stamp, goal.stamp) and self.stamp != goal.stamp else self.done


def read_goals(data: bytes) -> dict[str, RodinGoal]:
    """Return the goals of a file of obligations, by their names.

    Raises:
        InputError: the file holds something else.
    """
    found: dict[str, RodinGoal] = {}
    for sequent in read_root(data, "poFile").inside(f"{CORE}poSequent"):
        name = sequent.needed("name")
        goals = list(sequent.inside(f"{CORE}poPredicate"))
        if len(goals) != 1 or name in found:
            raise sequent.fail(f"found {quoted(name)} with {len(goals)} goals or twice, expected one goal and once")
        found[name] = RodinGoal(goals[0].needed(f"{CORE}predicate"), sequent.attributes.get(f"{CORE}poStamp"))
    return found


def read_statuses(data: bytes) -> dict[str, RodinStatus]:
    """Return how far the obligations of a file of statuses are proved, by their names.

    Raises:
        InputError: the file holds something else.
    """
    return {
        node.needed("name"): RodinStatus(_done(node), node.attributes.get(f"{CORE}poStamp"))
        for node in read_root(data, "psFile").inside(f"{CORE}psStatus")
    }


def _done(status: Element) -> Done:
    text = status.attributes.get(f"{CORE}confidence", "0")
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise status.fail(f"found the confidence {quoted(text)}, expected a number")
    if status.attributes.get(f"{CORE}psBroken") == "true":
        return "broken"
    confidence = int(text)
    if confidence <= _OPEN:
        return "open"
    if confidence <= _REVIEWED:
        return "reviewed"
    is_manual = status.attributes.get(f"{CORE}psManual") == "true"
    return "discharged by hand" if is_manual else "discharged automatically"
