"""How to install what an extra of this package needs.

The command names the packages themselves, as the installed metadata list them, and the Python that runs this. So it
works in a checkout and where a wheel was installed, in any folder, and whatever `pip` comes first on the PATH.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shlex
import sys

DISTRIBUTION = "progress-synth"
_OF_AN_EXTRA = re.compile(r"""(?P<package>[^;]+?)\s*;\s*extra == ["'](?P<extra>[\w-]+)["']""")


def packages_of(extra: str) -> list[str]:
    """The packages of an extra, with the versions that will do."""
    found = map(_OF_AN_EXTRA.fullmatch, importlib.metadata.requires(DISTRIBUTION) or ())
    return [match["package"] for match in found if match and match["extra"] == extra]


def how_to_install(extra: str) -> str:
    """The command that installs the packages of an extra for this Python."""
    if importlib.util.find_spec("pip") is None:  # an environment without a pip of its own: another one installs into it
        pip = ["pip", "--python", sys.executable]
    else:
        pip = [sys.executable, "-m", "pip"]
    return shlex.join([*pip, "install", *packages_of(extra)])
