"""Transition systems whose threads form groups, such as the workgroups of a kernel, and may wait for each other.

A progress model speaks of the groups: an id is the number of a group. A group is live if one of its threads has not
ended. If a model promises to run a group, it promises a step to each thread of the group that can take one.

A thread that waits, such as at a barrier, can't take a step, although it has not ended. So a system of groups may get
*stuck*: no thread can take a step, and some group is live. Then it fails every verdict. A system in which each thread
is a group of its own, and never waits, is a `TransitionSystem`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from synth_checker.transitions.transition_system import AnyState, TransitionSystem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet


class GroupedSystem(TransitionSystem[AnyState], Protocol[AnyState]):
    """A transition system of groups of threads. `steps` has the threads that can take a step."""

    @property
    def groups(self) -> Sequence[int]:
        """Return the group of each thread. The ids of groups are 0, 1, and so on."""

    def live(self, state: AnyState) -> AbstractSet[int]:
        """Return the groups that are live in a state. A group that is not live stays so."""
