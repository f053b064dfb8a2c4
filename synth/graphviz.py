r"""Write labels for Graphviz, and draw graphs with its program `dot`.

The language of the graphs is DOT (https://graphviz.org/doc/info/lang.html). A label escapes `"`, `\` and `&`, and
escapes unprintable characters in the same way as Python's `repr`.
"""

from __future__ import annotations

import shutil
import subprocess

from synth_checker.errors import ResourceError


def label(*lines: str) -> str:
    """Return lines of text as one quoted label in DOT, with a line break between two lines."""
    printable = ("".join(c if c.isprintable() else repr(c)[1:-1] for c in line) for line in lines)
    # Graphviz reads entities of HTML in any label.
    escaped = (line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in printable)
    return '"' + r"\n".join(escaped) + '"'


def draw_svg(dot: str) -> str:
    """Draw a graph that is written in DOT, and return the drawing as SVG.

    Raises:
        ResourceError: the program `dot` is missing, or it fails.
    """
    program = shutil.which("dot")
    if program is None:
        msg = (
            "format svg: the program dot is missing; install Graphviz (on Debian or Ubuntu: sudo apt install graphviz)"
        )
        raise ResourceError(msg)
    done = subprocess.run(  # noqa: S603  (Graphviz, by its full path)
        [program, "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        msg = (
            f"format svg: dot made no drawing; it exited with status {done.returncode} and said {done.stderr.strip()!r}"
        )
        raise ResourceError(msg)
    return done.stdout
