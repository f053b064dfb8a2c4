"""The time at which work on kernels has to be over: seconds of the clock that only goes forward (`time.monotonic`)."""

from __future__ import annotations

import math
import time

from synth_checker.errors import UserError

#: There is no limit.
NEVER = math.inf


class OverdueError(UserError):
    """The time was over before there was an answer."""

    exit_code = 75


def check(until: float, what: str) -> None:
    """Raise OverdueError if the time is over. `what` says what was still to be done."""
    if time.monotonic() >= until:
        raise OverdueError(f"the time limit was reached before {what}")
