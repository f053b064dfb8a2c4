"""Templates: Jinja2 files of the package, one folder a target.

An undefined name is an error, a line that only holds a template statement leaves no trace in the output, and nothing
is escaped by itself: the texts here that come from a corpus are names, and each place they go to has its own filter.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files

import jinja2


def environment(folder: str) -> jinja2.Environment:
    """The templates of a folder, with the filters that every target needs."""
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: read_template(folder, name)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  (no HTML is written)
    )
    made.filters["line_comment"] = line_comment
    made.filters["quoted"] = quoted
    made.filters["c_string"] = c_string
    return made


def read_template(folder: str, name: str) -> str:
    """The text of a template."""
    return (files("synth_backends") / "templates" / folder / f"{name}.jinja").read_text("utf-8")


def line_comment(text: str) -> str:
    """Lines as `//` comments. A name in them must be `quoted`: a comment that ends in a backslash eats a line."""
    return "\n".join(f"// {line}".rstrip() for line in text.splitlines())


def quoted(name: str) -> str:
    """A name as a person reads it, on one line between quotes: a JSON string in which what can't be printed is escaped.

    So it holds no line end, no control or bidirectional character, and its last character is a quote.
    """
    return '"' + "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in _escaped(name)) + '"'


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def c_string(name: str) -> str:
    """A C string literal whose value is what stands between the quotes of `name` as a JSON string; ASCII only."""
    inner = _escaped(json.dumps(name)[1:-1])
    return '"' + re.sub(r"(?<=\?)\?", r"\\?", inner) + '"'  # without trigraphs
