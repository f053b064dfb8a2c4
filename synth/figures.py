"""Drawings by Matplotlib as SVG: the same drawing always gives the same bytes.

Text stays text in the SVG, its elements get the same names each time, and it says neither when nor by what it was made.
It begins with a title and a description for screen readers. A figure has a white background, also on dark pages.
Names of devices and corpora may hold anything, so `label` makes a text of each: not a formula, and not too long.
"""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

from synth.drawing.svg import escaped
from synth.phrases import cut, shown
from synth_checker.errors import InputError
from synth_checker.extras import how_to_install

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

#: The most letters of a name in a drawing.
_MOST_LETTERS = 60
#: The most letters of a description, which may have the numbers of a few hundred rows.
_MOST_TOLD = 40_000
#: The letters of a title for each inch of a figure's width.
_LETTERS = 11


def label(name: str, letters: int = _MOST_LETTERS) -> str:
    """Return a name as a text in a drawing: without what cannot be printed, and not longer than there is place for."""
    return cut(shown(name), letters).replace("$", r"\$")


def drawn(size: tuple[float, float], draw: Callable[[Figure], None], title: str, about: str) -> str:
    """Return a figure as SVG. `draw` fills an empty figure, whose width and height are in inches.

    The title stands above the figure. `about` says what it shows, for those who do not see it.

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
        figure = Figure(figsize=size, layout="constrained")
        line = int(size[0] * _LETTERS)
        figure.suptitle("\n".join(textwrap.wrap(label(title, 3 * line), line)), fontsize=11)
        draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    head, start, rest = out.getvalue().partition("<svg ")
    opening, end, drawing = rest.partition(">")
    told = f"\n <title>{escaped(title)}</title>\n <desc>{escaped(about, _MOST_TOLD)}</desc>"
    return f'{head}{start}role="img" {opening}{end}{told}{drawing}'
