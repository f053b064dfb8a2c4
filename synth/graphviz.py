r"""Graphviz: labels of DOT (https://graphviz.org/doc/info/lang.html), and its program `dot`, which draws.

In a text `"`, `\` and `&` are escaped; what can't be printed is shown as Python writes it.
"""

from __future__ import annotations

import shutil
import subprocess

from synth_checker.errors import ResourceError


def label(*lines: str) -> str:
    """Lines of a label as a quoted text."""
    printable = ("".join(c if c.isprintable() else repr(c)[1:-1] for c in line) for line in lines)
    # Graphviz reads entities of HTML in any label.
    escaped = (line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in printable)
    return '"' + r"\n".join(escaped) + '"'


def draw_svg(dot: str) -> str:
    """A text in DOT as a drawing, SVG.

    Raises:
        ResourceError: there is no program `dot`, or it fails.
    """
    program = shutil.which("dot")
    if program is None:
        msg = "format svg: found no program dot, expected Graphviz (on Debian or Ubuntu: sudo apt install graphviz)"
        raise ResourceError(msg)
    done = subprocess.run(  # noqa: S603  (Graphviz, by its full path)
        [program, "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        msg = f"format svg: dot left with {done.returncode} and {done.stderr.strip()!r}, expected a drawing"
        raise ResourceError(msg)
    return done.stdout
