"""`synth` and `python -m synth`: the command line, from its first moment on.

Whoever presses Ctrl-C while it is still being imported is told no more than later.
"""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line with the words of this process."""
    try:
        from synth.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("synth: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
