"""How to install the Python packages that an extra of this package needs.

The command that is shown names the required packages themselves, as the installed metadata list them, and the path of
the running Python. So it works from a checkout and from an installed wheel, in any folder, and whichever `pip` comes
first on the PATH.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys

DISTRIBUTION = "progress-synth"
_OF_AN_EXTRA = re.compile(r"""(?P<package>[^;]+?)\s*;\s*extra == ["'](?P<extra>[\w-]+)["']""")


def packages_of(extra: str) -> list[str]:
    """Return the packages that an extra requires, each with the versions that it allows."""
    import importlib.metadata  # it takes longer to load than the rest of a small command, which seldom needs it

    matches = map(_OF_AN_EXTRA.fullmatch, importlib.metadata.requires(DISTRIBUTION) or ())
    return [match["package"] for match in matches if match and match["extra"] == extra]


def how_to_install(extra: str) -> str:
    """Return the shell command that installs the packages of an extra for the running Python."""
    if importlib.util.find_spec("pip") is None:  # an environment without a pip of its own: another one installs into it
        pip = ["pip", "--python", sys.executable]
    else:
        pip = [sys.executable, "-m", "pip"]
    return shlex.join([*pip, "install", *packages_of(extra)])
