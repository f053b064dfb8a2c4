"""How commands end that were stopped: with what they say on standard error, and with which status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.cli.shared.streams import warn
from synth_checker.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth_workers.stop import Stop


def report_run_end(stop: Stop, aside: Mapping[str, str], what: str, nothing: str) -> int:
    """Say which devices a run has set aside, and why it stopped. Return the exit status of the command.

    `what` is what the same command continues. `nothing` says why no launch ended or hung; it is empty if one did.
    """
    warn(f"device {name}: {why}" for name, why in aside.items())
    code = stop.exit_code(complete=False)
    if code is None or stop.reason is None:
        if nothing and not aside:
            warn([nothing])
        return 3 if aside or nothing else 0
    warn([f"{stop.reason.words}; the same command continues {what}"])
    return code


def report_early_end(stop: Stop, what: str) -> int:
    """Say why a command ended without an answer. Return its exit status."""
    if stop.reason is None:
        raise InternalError("the work ended early, but no limit, signal or fault has stopped it")
    warn([f"{stop.fault or stop.reason.words}; {what}"])
    return stop.reason.exit_code
