"""A campaign with many launches, as a device might have made them; nothing is run."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from synth_campaigns.answers.request import tests_of
from synth_campaigns.folder import create, open_store
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_campaigns.store import put_launches
from synth_devices.device import Build
from synth_devices.raw_ends import LaunchEnd

if TYPE_CHECKING:
    from pathlib import Path

CORPORA = ("@minimal/2x2", "@minimal/2x3", "@minimal/2x4", "@minimal/3x3", "@minimal/3x4")
MAPPINGS = ("plain", "round-robin", "chunked")
DEVICE = "cpu"


def campaign_of(folder: Path, launches: int, rate: float, seed: int = 1) -> int:
    """Make a campaign of the minimal tests under three mappings with so many launches, and return their number.

    Each launch hangs with the chance `rate`, which ends its attempt.
    """
    tests = tests_of(CORPORA)
    per_cell = launches // (len(tests) * len(MAPPINGS)) + 1
    settings = Settings(
        tuple(test.id for test in tests),
        (RunSettings(DEVICE, MAPPINGS),),
        LaunchSettings(count=per_cell, after_hang=per_cell),
        seed=seed,
    )
    create(folder, settings, tests)
    draw = random.Random(seed)  # noqa: S311  (a sample)
    ended = LaunchEnd("ended", 0.01)
    hung = LaunchEnd("given up", 30.0, 29.0, {"01": 100}, {"01": 50})
    with open_store(folder) as store:
        build = store.note_build(DEVICE, Build("cpp", {}, "digest"))
        cells = len(store.cells())
        with store.transaction() as db:
            for cell in range(1, cells + 1):
                left = per_cell
                while left:
                    made = []
                    while left and (not made or made[-1] is ended):
                        made.append(hung if draw.random() < rate else ended)
                        left -= 1
                    found = db.execute(
                        "INSERT INTO attempt (cell, build, state, started, timeout) VALUES (?, ?, 'done', '', 30)",
                        (cell, build),
                    )
                    attempt = int(found.lastrowid or 0)
                    db.execute("UPDATE attempt SET process = ? WHERE id = ?", (attempt, attempt))
                    put_launches(db, attempt, made)
    return cells * per_cell
