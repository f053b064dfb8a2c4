"""Start the command line, for `synth` and for `python -m synth`.

A user may press Ctrl-C while Python still imports the command line. Then `synth` prints the same short message as at
any later moment, and no traceback.
"""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line with the arguments of this process, and exit with its exit code."""
    try:
        from synth.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("synth: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
