"""Write a document as one HTML file, without a script and without another file.

The template escapes every text. Pictures are images whose address is the drawing itself, so no drawing can change the
page, and two drawings may use the same names inside. A Content-Security-Policy forbids whatever the file does not need.
"""

from __future__ import annotations

import base64
import functools
from importlib.resources import files
from typing import TYPE_CHECKING

from synth.documents import entry_text, number_columns
from synth.phrases import shown

if TYPE_CHECKING:
    import jinja2

    from synth.documents import Block, Document, Picture


def html_of(document: Document) -> str:
    """Return a document as the text of an HTML file."""
    return _template().render(title=document.title, blocks=[(_kind(block), block) for block in document.blocks])


def _kind(block: Block) -> str:
    return "Paragraph" if isinstance(block, str) else type(block).__name__


@functools.cache
def _template() -> jinja2.Template:
    import jinja2

    made = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: shown(value) if type(value) is str else value,
    )
    made.filters |= {"entry": entry_text, "number_columns": number_columns, "source": _source}
    return made.from_string((files("synth.documents") / "document.html.jinja").read_text("utf-8"))


def _source(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg.encode()).decode()}"
