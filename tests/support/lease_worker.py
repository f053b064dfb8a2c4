"""Claim shards of a folder, one after the other, until all are done; tests kill, stop and wake this script.

    python lease_worker.py FOLDER SHARDS LEASE_S LONGEST_S SEED
        -> a line for each shard done: its number, and from when to when it was held

The work is to wait for up to LONGEST_S. A shard is begun when FOLDER/begun has a file of its name, and done when
FOLDER/done has one, into which the first worker writes its own name. On SIGTERM the script gives back its shard and
exits.
"""

import contextlib
import os
import random
import signal
import sys
import time
from pathlib import Path

from synth_storage.leases import Leases


class Terminated(BaseException):
    pass


def terminate(*_):
    raise Terminated


def main(folder, shards, lease_s, longest_s, seed):
    done, rng = folder / "done", random.Random(seed)
    names = [f"{number:06d}" for number in range(shards)]
    signal.signal(signal.SIGTERM, terminate)
    with contextlib.suppress(Terminated), Leases(folder / "leases", lease_s) as leases:
        while todo := [name for name in names if not (done / name).exists()]:
            first = rng.randrange(len(todo))
            for name in todo[first:] + todo[:first]:
                if not (done / name).exists() and leases.claim(name):
                    if not (done / name).exists():
                        work(done / name, rng.uniform(0, longest_s))
                    leases.finish(name)
            time.sleep(leases.patience)


def work(place, seconds):
    (place.parents[1] / "begun" / place.name).touch()
    began = time.monotonic()
    end = began + seconds
    while time.monotonic() < end:
        time.sleep(0.001)
    with contextlib.suppress(FileExistsError), place.open("x") as file:  # a second commit changes nothing
        file.write(f"{os.getpid()}\n")
    sys.stdout.write(f"{place.name} {began} {time.monotonic()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:5]), int(sys.argv[5]))
