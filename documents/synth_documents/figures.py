"""Drawings by Matplotlib as SVG: the same drawing always gives the same bytes.

Text stays text in the SVG, its elements get the same names each time, and it says neither when nor by what it was made.
It begins with a title and a description for screen readers. A figure has a white background, also on dark pages.
Names of devices and corpora may hold anything, so `label` makes a text of each: not a formula, and not too long.
`wrapped` puts it on several lines. A figure grows as far as its texts need, so nothing is cut off.
"""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.extras import how_to_install
from synth_documents.phrases import shortened, shown
from synth_documents.svg import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

#: The most letters of a name in a drawing. Some drivers say as much of themselves.
_MOST_LETTERS = 240
#: The most letters of a description, which may have the numbers of a few hundred rows.
_MOST_DESCRIBED = 40_000
#: The letters of a title for each inch of a figure's width.
_LETTERS = 11
#: The height of a line of a title, and the margin around a text that a figure grows for, in inches.
_LINE, _MARGIN = 0.19, 0.05


def label(name: str) -> str:
    """Return a name as a text in a drawing: without what cannot be printed, and not longer than there is place for."""
    return _plain(shortened(shown(name), _MOST_LETTERS))


def wrapped(name: str, letters: int) -> str:
    """Return a name as a text in a drawing, as `label` does, on lines of at most so many letters."""
    return "\n".join(map(_plain, textwrap.wrap(shortened(shown(name), _MOST_LETTERS), letters)))


def _plain(text: str) -> str:
    """Return a text that Matplotlib does not take for a formula."""
    return text.replace("$", r"\$")


def say_empty(panel: Axes, why: str) -> None:
    """Write into a panel why there is nothing in it."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    panel.text(0.5, 0.5, why, transform=panel.transAxes, ha="center", va="center", fontsize=9, color="0.3", bbox=box)


def svg_figure(
    size: tuple[float, float], draw: Callable[[Figure], None], title: str, about: str, notes: Sequence[str] = ()
) -> str:
    """Return a figure as SVG. `draw` fills an empty figure, whose width and height are in inches.

    The title stands above the figure, and the notes below the title. `about` says what the figure shows, for those who
    do not see it. The figure becomes larger than its size if its texts need that.

    Raises:
        InputError: Matplotlib is missing.
    """
    width, height = size
    above = "\n".join(wrapped(text, int(width * _LETTERS)) for text in (title, *notes))
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError(
            f"plot: Matplotlib is missing, which draws the plot; to install it: {how_to_install('plot')}"
        ) from error
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "synth"}):
        figure = Figure(figsize=(width, height + _LINE * above.count("\n")), layout="constrained")
        figure.suptitle(above, fontsize=11)
        draw(figure)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches=_extent(figure))
    head, start, rest = out.getvalue().partition("<svg ")
    opening, end, drawing = rest.partition(">")
    description = f"\n <title>{escaped(title)}</title>\n <desc>{escaped(about, _MOST_DESCRIBED)}</desc>"
    return f'{head}{start}role="img" {opening}{end}{description}{drawing}'


def _extent(figure: Figure) -> Bbox | None:
    """Return how large a figure must be so that none of its texts is cut off, in inches. None if it is large enough."""
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    whole, texts = figure.bbox_inches, figure.get_tightbbox()
    if texts.x0 >= whole.x0 and texts.y0 >= whole.y0 and texts.x1 <= whole.x1 and texts.y1 <= whole.y1:
        return None
    return Bbox.union([whole, texts.padded(_MARGIN)])
