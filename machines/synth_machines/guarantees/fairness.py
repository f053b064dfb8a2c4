"""Declared fairness: which events a run of a machine must not neglect. Event-B itself has no fairness.

    weak: all; strong: Thread_running

An event *instance* is an event with values for its parameters. A run is *weakly* fair to an instance that it takes
again and again, or that can't happen again and again. It is *strongly* fair to an instance that it takes again and
again, or that can happen only finitely often.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import check_known

if TYPE_CHECKING:
    from collections.abc import Collection

_FORMS = ("weak", "strong")


@dataclass(frozen=True, slots=True)
class Fairness:
    """The events to which runs are weakly and strongly fair. What is strongly fair is weakly fair, too."""

    weak: frozenset[str]
    strong: frozenset[str]

    def text(self, events: Collection[str]) -> str:
        """Return the declaration of this fairness for a machine that has these events."""
        return "; ".join(f"{form}: {_named(getattr(self, form), events)}" for form in _FORMS)


def _named(subset: frozenset[str], events: Collection[str]) -> str:
    if subset >= frozenset(events):
        return "all"
    return ", ".join(event for event in events if event in subset) or "none"


def read_fairness(text: str, events: Collection[str]) -> Fairness:
    """Read a declaration, such as `weak: all; strong: none`, for a machine that has these events.

    What is not declared is not fair.

    Raises:
        InputError: the text is no declaration, or names an event that the machine does not have.
    """
    by_form: dict[str, frozenset[str]] = dict.fromkeys(_FORMS, frozenset())
    declared: set[str] = set()
    for part in text.split(";"):
        form, sign, names = (word.strip() for word in part.partition(":"))
        if not sign or form not in _FORMS or form in declared:
            expected = "weak: EVENTS; strong: EVENTS with each at most once, where EVENTS are all, none or a list"
            raise InputError(f"fairness: found {quoted(part.strip())}, expected {expected}")
        declared.add(form)
        words = [word.strip() for word in names.split(",")]
        if words == ["all"]:
            by_form[form] = frozenset(events)
        elif words != ["none"]:
            for word in words:
                check_known("fairness: event", word, events)
            by_form[form] = frozenset(words)
    return Fairness(by_form["weak"] | by_form["strong"], by_form["strong"])
