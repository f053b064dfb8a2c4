"""Templates: Jinja2 files of the package, in one folder for each target, and in `common` for several targets.

The name of a template is its path without `.jinja`. `test.cpp` is a template in the folder of the target itself, and
`common/litmus.h` is one in the folder `common`. An undefined name in a template is an error. A line with only a
template statement leaves nothing in the output. Nothing is escaped automatically: the only texts from a corpus are
names, and each place for a name has its own filter.
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
    from synth_backends.target import LaunchedTest

_COMMENT_WIDTH = 100
_SCRIPT_WIDTH = 100


@functools.cache  # templates are compiled once
def environment(folder: str) -> jinja2.Environment:
    """Return a Jinja2 environment that loads the templates of a folder, and has the filters that every target needs."""
    templates = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: read_template(folder, name)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  (no HTML is written)
    )
    templates.filters |= {
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
        "verdicts": names_of_verdicts,
        "c_words": c_words,
        "json_verdicts": json_verdicts,
    }
    return templates


def read_template(folder: str, name: str) -> str:
    """Return the text of a template."""
    path = name if "/" in name else f"{folder}/{name}"
    return (files("synth_backends") / "templates" / f"{path}.jinja").read_text("utf-8")


def line_comment(text: str, mark: str = "//") -> str:
    """Return each line of a text as a comment, which begins with `mark`.

    If a line contains the name of a test, the caller must have passed the name through `quoted`. The reason is that a
    comment which ends with a backslash would include the next line of code.
    """
    return "\n".join(f"{mark} {line}".rstrip() for line in text.splitlines())


def quoted(name: str) -> str:
    """Return a name for people to read: on one line, between quotes, with unprintable characters escaped as in JSON.

    So the result contains no line end and no control or bidirectional character, and its last character is a quote.
    """
    return '"' + "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in _escaped(name)) + '"'


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def c_string(name: str) -> str:
    """Return a C string literal with only ASCII characters. Its value is `name` as a JSON string without the quotes."""
    inner = _escaped(json.dumps(name)[1:-1])
    return '"' + re.sub(r"(?<=\?)\?", r"\\?", inner) + '"'  # without trigraphs


def names_of_verdicts(test: LitmusTest, result: str) -> list[str]:
    """Return the names of the verdicts of a test that have this result."""
    return [name for name, verdict in test.verdicts.items() if verdict == result]


def c_words(words: list[str], column: int) -> str:
    """Return words with a space between them as a C string literal, or as several on lines that begin at `column`."""
    lines = textwrap.wrap(" ".join(words), _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False)
    inner = (f' "\n{" " * column}"').join(lines)
    return f'"{inner}"'


def json_verdicts(test: LitmusTest, column: int) -> str:
    """Return the verdicts of a test as a JSON object, on lines that begin at `column` if it is long."""
    members = ", ".join(f'"{name}":"{result}"' for name, result in test.verdicts.items())
    lines = textwrap.wrap(members, _COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False)
    return "{" + f"\n{' ' * column}".join(lines) + "}"


def script_argument(name: str, column: int, indent: int) -> str:
    """Return the text of a TypeScript call's arguments, whose only argument is this name with its spaces normalised.

    The text looks as Prettier formats it for the WebGPU CTS. It is in single quotes, unless these need more escapes. It
    is on a line of its own if the line of the call, where the arguments begin at `column`, would exceed 100 characters.
    """
    inner = json.dumps(" ".join(name.split()))[1:-1].replace('\\"', '"')
    quote = '"' if inner.count("'") > inner.count('"') else "'"
    text = quote + inner.replace(quote, f"\\{quote}") + quote
    if column + 2 + len(text) <= _SCRIPT_WIDTH:
        return f"({text})"
    return f"(\n{' ' * indent}  {text}\n{' ' * indent})"


def without_flagged_words(comment: str) -> str:
    """Return a comment in which words that linters flag (such as TODO) have their first letter escaped."""
    return re.sub(r"(?i)\b(?:todo|fixme|xxx)\b", lambda word: f"\\u{ord(word[0][0]):04x}{word[0][1:]}", comment)


def template_literal(text: str) -> str:
    """Return a text in the form that it has between the backticks of JavaScript."""
    return text.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${")


def in_script(code: str) -> str:
    """Return JavaScript code for use inside a web page: nothing in its strings or comments can end the script."""
    return code.replace("</", "<\\/").replace("<!--", "<\\!--")


def expectation(test: LaunchedTest) -> str:
    """Describe in words what the verdicts of a test say about a run; return an empty text if there are none.

    The verdicts of the six models hold of every launch (docs/understand/semantics.md, section 10). Those of other
    models are said of a launch of the test alone.
    """
    is_alone = test.launch.instances == 1 and not test.launch.stress
    own = frozenset() if is_alone else frozenset(test.litmus.models)
    return _expectation(tuple(test.litmus.verdicts.items()), own)


@functools.cache  # thousands of tests have a few dozen signatures
def _expectation(verdicts: tuple[tuple[str, str], ...], own: frozenset[str]) -> str:
    meanings = {
        ("pass", False): "Must terminate under: ",
        ("fail", False): "May hang under: ",
        ("pass", True): "Alone in a launch, must terminate under: ",
        ("fail", True): "Alone in a launch, may hang under: ",
    }
    lines: list[str] = []
    for (verdict, is_own), meaning in meanings.items():
        of_result = (name for name, word in verdicts if word == verdict)
        if names := [name for name in of_result if (name.rpartition(".")[0] in own) == is_own]:
            lines += textwrap.wrap(
                meaning + ", ".join(names) + ".",
                _COMMENT_WIDTH,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)
