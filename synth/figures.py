"""Drawings by Matplotlib as SVG: the same drawing always gives the same bytes.

Text stays text in the SVG, its elements get the same names each time, and it says neither when nor by what it was made.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.extras import how_to_install

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure


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
