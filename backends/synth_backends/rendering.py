"""Templates: Jinja2 files of the package, one folder a target, and `common` for what targets share.

A template is named by its path without `.jinja`: `test.cpp` is one of the target's own folder, `common/litmus.h` one of
another. An undefined name is an error, a line that only holds a template statement leaves no trace in the output, and
nothing is escaped by itself: the texts here that come from a corpus are names, and each place they go to has its own
filter.
"""

from __future__ import annotations

import functools
import json
import re
import textwrap
from importlib.resources import files
from typing import TYPE_CHECKING

import jinja2

from synth_checker.programs.text import write_instruction, write_program

if TYPE_CHECKING:
    from synth_backends.litmus_test import LitmusTest

_COMMENT_WIDTH = 100
_SCRIPT_WIDTH = 100


@functools.cache  # templates are compiled once
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
    made.filters |= {
        "line_comment": line_comment,
        "quoted": quoted,
        "c_string": c_string,
        "json_string": json.dumps,
        "script_argument": script_argument,
        "template_literal": template_literal,
        "without_flagged_words": without_flagged_words,
        "in_script": in_script,
        "instruction": write_instruction,
        "program": write_program,
        "expectation": expectation,
    }
    return made


def read_template(folder: str, name: str) -> str:
    """The text of a template."""
    path = name if "/" in name else f"{folder}/{name}"
    return (files("synth_backends") / "templates" / f"{path}.jinja").read_text("utf-8")


def line_comment(text: str, mark: str = "//") -> str:
    """Lines as comments. A name in them must be `quoted`: a comment that ends in a backslash eats a line."""
    return "\n".join(f"{mark} {line}".rstrip() for line in text.splitlines())


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


def script_argument(name: str, column: int, indent: int) -> str:
    """The arguments of a call of TypeScript whose only one is this text, without the spaces that don't show.

    They look as Prettier makes them for the WebGPU CTS: in single quotes, unless that needs more escapes, and on a line
    of their own where that of the call, at the column where they begin, would have more than 100 characters.
    """
    inner = json.dumps(" ".join(name.split()))[1:-1].replace('\\"', '"')
    quote = '"' if inner.count("'") > inner.count('"') else "'"
    text = quote + inner.replace(quote, f"\\{quote}") + quote
    if column + 2 + len(text) <= _SCRIPT_WIDTH:
        return f"({text})"
    return f"(\n{' ' * indent}  {text}\n{' ' * indent})"


def without_flagged_words(comment: str) -> str:
    """A comment in which a name has its first letter escaped where it is a word that linters flag."""
    return re.sub(r"(?i)\b(?:todo|fixme|xxx)\b", lambda word: f"\\u{ord(word[0][0]):04x}{word[0][1:]}", comment)


def template_literal(text: str) -> str:
    """A text for between the backticks of JavaScript, whose value it is."""
    return text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")


def in_script(code: str) -> str:
    """JavaScript for within a page: the same code, but nothing in its strings and comments ends the script."""
    return code.replace("</", "<\\/").replace("<!--", "<\\!--")


def expectation(test: LitmusTest) -> str:
    """What the verdicts say of a run, in words; nothing if there are none."""
    return _expectation(tuple(test.verdicts.items()))


@functools.cache  # thousands of tests have a few dozen signatures
def _expectation(verdicts: tuple[tuple[str, str], ...]) -> str:
    meanings = {"pass": "Must terminate under: ", "fail": "May run for ever under: "}
    lines = []
    for verdict, meaning in meanings.items():
        if names := [name for name, given in verdicts if given == verdict]:
            lines += textwrap.wrap(
                meaning + ", ".join(names) + ".",
                _COMMENT_WIDTH,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)
