"""The notes about a run, which results contain under the key `run`.

Two runs with the same result may write different notes. Everything outside the notes is the same.
"""

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
