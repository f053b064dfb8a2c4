"""Conclude from each launch what it says about the scheduler. Its *outcome* is our conclusion from its *raw end*.

A program gives up a launch when its time-out is over. Such a launch is *hung* only if nothing moved any more: for at
least half of the time-out, no flag of a thread changed. If flags still changed, the launch is only *slow*. It is also
*slow* if another launch on the same device under the same mapping took as long and ended. So an outcome may change
while a campaign goes on. The stored raw end does not change. If all threads of all instances had finished, only the
result was lost.

A hang is *seen* if flags were quiet and some thread is known not to have finished. The hosts of some devices see no
flags while the device works. There, only time speaks for a hang, and `time_evidence` says when that is enough.

Many drivers have a *watchdog*, which takes the device away from a launch that takes too long. So a launch that was lost
after that time is a *suspected hang* if the canary, which ran after it, ended. A suspected hang alone never makes a
claim *violates*: a driver may lose a device for other reasons, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from synth_campaigns.queries import StoredLaunch

Outcome: TypeAlias = Literal[
    "ended", "left early", "hung", "suspected hang", "slow", "lost result", "lost", "crashed", "failed"
]
#: A launch that a program gave up was quiet if no flag had changed for this part of its time-out.
_QUIET_PART = 0.5
#: The shortest time of a known watchdog is the 2 seconds of Windows. It need not count from the same moment as we do.
_WATCHDOG_S = 1.5
#: The clocks of a time-out and of a launch do not start at the same instant. So a launch that was given up after 30
#: seconds may have taken 29.9998.
_NEARLY = 0.99
#: A launch may seem to be quiet for so many seconds more than it took: a host asks for flags from time to time.
_CLOCKS_S = 1.0


class LaunchOutcome(NamedTuple):
    """The outcome of a launch.

    - `is_confirmed` says that a hang was seen and waited for long enough, or that a simulator is certain of it.
    - `is_timed` says that a hang was waited for long enough where nobody sees flags.
    """

    outcome: Outcome
    is_confirmed: bool = False
    is_timed: bool = False


def outcome_of(stored: StoredLaunch, *, decides: bool, longest: float, confirm_s: float) -> LaunchOutcome:
    """Return the outcome of a launch.

    - `decides` says that the device gives up only what certainly hangs.
    - `longest` is how many seconds the longest launch took that ended on the same device under the same mapping.
    - `confirm_s` is after how many seconds of waiting a hang counts as confirmed.
    """
    launch = stored.launch
    if launch.end == "lost" and (launch.seconds or 0.0) >= _WATCHDOG_S and stored.canary == "terminated":
        return LaunchOutcome("suspected hang")
    if launch.end != "given up":
        return LaunchOutcome(launch.end)
    if launch.finished and not any("0" in threads for threads in launch.finished):
        return LaunchOutcome("lost result")
    if decides:
        return LaunchOutcome("hung", is_confirmed=True)
    waited = waiting_seconds(stored)
    is_quiet = launch.quiet_s is None or launch.quiet_s >= _QUIET_PART * max(stored.timeout, waited)
    if not is_quiet or waited <= longest:
        return LaunchOutcome("slow")
    is_possible = launch.quiet_s is not None and launch.quiet_s <= waited + _CLOCKS_S
    is_waited_for, is_seen = waited >= _NEARLY * confirm_s, is_possible and bool(launch.finished)
    return LaunchOutcome("hung", is_confirmed=is_waited_for and is_seen, is_timed=is_waited_for and not is_seen)


def waiting_seconds(stored: StoredLaunch) -> float:
    """Return how many seconds a program waited for a launch that it gave up."""
    return stored.timeout if stored.launch.seconds is None else stored.launch.seconds
