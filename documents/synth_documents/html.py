"""Write a document as one HTML file, without a script and without another file.

The template escapes every text. Pictures are images whose address is the drawing itself, so no drawing can change the
page, and two drawings may use the same names inside. A Content-Security-Policy forbids whatever the file does not need.
"""

from __future__ import annotations

import base64
import functools
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_documents.document import entry_text, number_columns
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    import jinja2

    from synth_documents.document import Block, Document, Picture


def html_of(document: Document) -> str:
    """Return a document as the text of an HTML file."""
    template = _template("document.html.jinja")
    return template.render(title=document.title, blocks=_with_kinds(document.blocks))


def html_of_blocks(blocks: Iterable[Block]) -> str:
    """Return some blocks as a part of an HTML page, which has a style of its own."""
    return _template("blocks.html.jinja").render(blocks=_with_kinds(blocks))


def _with_kinds(blocks: Iterable[Block]) -> list[tuple[str, Block]]:
    return [(_kind(block), block) for block in blocks]


def _kind(block: Block) -> str:
    return "Paragraph" if isinstance(block, str) else type(block).__name__


@functools.cache
def _template(name: str) -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: (files("synth_documents") / name).read_text("utf-8")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: shown(value) if type(value) is str else value,
    )
    environment.filters |= {"entry": entry_text, "number_columns": number_columns, "source": _source}
    return environment.get_template(name)


def _source(picture: Picture) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture.svg.encode()).decode()}"
