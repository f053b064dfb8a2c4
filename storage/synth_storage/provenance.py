"""What is said of a run in what it writes: under the key `run`, with all that may differ between two equal results."""

from __future__ import annotations

import platform
import time
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_storage.strict_json import Json


def provenance(seconds: float, **how: Json) -> dict[str, Json]:
    """Which release made it, `how`, in how many seconds, when it was finished (UTC), and where."""
    return {
        "tool": f"synth {version('progress-synth')}",
        **how,
        "seconds": round(seconds, 3),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "host": platform.node(),
    }
