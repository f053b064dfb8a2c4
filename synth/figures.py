"""Drawings by Matplotlib as SVG: the same drawing always gives the same bytes.

Text stays text in the SVG, its elements get the same names each time, and it says neither when nor by what it was made.
Names of devices and corpora may hold anything, so `label` makes a text of each: not a formula, and not too long.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from synth.phrases import cut, shown
from synth_checker.errors import InputError
from synth_checker.extras import how_to_install

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

#: The most letters of a name in a drawing.
_MOST_LETTERS = 60


def label(name: str) -> str:
    """Return a name as a text in a drawing: without what cannot be printed, and not longer than there is place for."""
    return cut(shown(name), _MOST_LETTERS).replace("$", r"\$")


def drawn(width: float, height: float, draw: Callable[[Figure], None]) -> str:
    """Return a figure as SVG. `draw` fills an empty figure, whose width and height are in inches.

    Raises:
        InputError: Matplotlib is missing.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        msg = f"plot: Matplotlib is missing, which draws the plot; to install it: {how_to_install('plot')}"
        raise InputError(msg) from error
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "synth"}):
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()
