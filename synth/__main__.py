"""Start the command line, for `synth` and for `python -m synth`.

A user may press Ctrl-C while Python still imports the command line. Then `synth` prints the same short message as at
any later moment, and no traceback.
"""

from __future__ import annotations

import sys
import time
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit with its exit code."""
    begun = time.monotonic()
    try:
        from synth.cli import main as run

        run(begun=begun)
    except KeyboardInterrupt:
        sys.stderr.write("synth: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
