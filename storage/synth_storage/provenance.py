"""The notes about a run that a result contains, under the key `run`. Equal results may differ only there."""

from __future__ import annotations

import platform
import time
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_storage.strict_json import Json


def provenance(seconds: float, **how: Json) -> dict[str, Json]:
    """Return the notes about a run: the release, `how` it was called, its seconds, its end (UTC), and the host."""
    return {
        "tool": f"synth {version('progress-synth')}",
        **how,
        "seconds": round(seconds, 3),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "host": platform.node(),
    }
