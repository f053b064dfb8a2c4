"""One process that does shards of a job until none is left to it, on its own.

Shards are taken in an order of its own, so that several such processes seldom do the same one; where they do, they come
to the same result.
"""

from __future__ import annotations

import random
import traceback
from typing import TYPE_CHECKING

from synth.jobs.driving import left_of
from synth.jobs.running import shard_steps
from synth_checker.errors import UserError

if TYPE_CHECKING:
    from synth.jobs.job import Job
    from synth.stopping import Stop


def work(job: Job, stop: Stop) -> int:
    """Do shards until none is left, or there is a reason to stop; gives how many were done.

    Raises:
        UserError: what all shards meet with: the folder, a full disk.
    """
    done = 0
    while (names := left_of(job)) and not stop.look():
        random.shuffle(names)
        for name in names:
            done += _has_done(job, name, stop)
            if stop.look():
                break
    return done


def _has_done(job: Job, name: str, stop: Stop) -> bool:
    """Do a shard, or note that it failed; whether it was left to this process, and done."""
    try:
        for receipt in shard_steps(job.folder, name):
            if receipt is not None:
                job.forget_failed(name)
                return receipt.seconds > 0  # or another was faster
            if stop.look():
                break
    except (UserError, MemoryError):
        raise
    except Exception:  # noqa: BLE001  (whatever is wrong with one shard, the others are done)
        job.note_failed(name, traceback.format_exc())
    return False
