"""Read models from text: a line `NAME = EXPRESSION`, or `NAME = automaton` and further lines (`guarded_text`).

    # A thread that has started continues, and so does the first of those that have not started.
    mine = live & (stepped | lowest(live - stepped))

A comment begins with `#` or `//`. The comment lines directly before a model describe it. A word on the command line or
in a question may also be an expression without a name, such as `live & stepped`. The expression is then also the name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

from synth_checker.errors import InputError
from synth_checker.models.expression import FUNCTIONS, NAMES, parse, written
from synth_checker.models.guarded_text import KEYWORDS, read_guarded
from synth_checker.models.model import Model
from synth_checker.nearest import hint, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

#: The pattern of a model's name.
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*")
#: The word after the name of an automaton, whose lines follow.
AUTOMATON = "automaton"
_COMMENT = re.compile(r"#|//")
#: The beginning of an expression without a name.
_EXPRESSION = re.compile(rf"\s*(?:\(|(?:{'|'.join(NAMES)})\b|(?:{'|'.join(FUNCTIONS)})\s*\()")
#: The beginning of a model's definition.
_DEFINES = re.compile(rf"\s*{NAME.pattern}\s*=")


def read_model(text: str, source: str) -> Model:
    """Read a text that defines exactly one model. `source` is the name of the text in messages.

    Raises:
        InputError: the text does not define exactly one model.
    """
    models = read_models(text, source)
    if len(models) != 1:
        raise InputError(f"{source}: found {len(models)} definitions, expected one line NAME = EXPRESSION")
    return models[0]


def read_models(text: str, source: str, taken: Collection[str] = ()) -> tuple[Model, ...]:
    """Read the models of a text, in their order. `source` is the name of the text in messages.

    Raises:
        InputError: the text cannot be read, in which case the message names line and column; or two models have the
            same name, or a model has a name in `taken`.
    """
    return _read(text, lambda number: f"{source}:{number}", taken)


def read_definition(name: str, definition: str, source: str) -> Model:
    """Read a model from its name and its definition, which is how a corpus records it.

    Raises:
        InputError: the definition cannot be read.
    """
    return read_word(definition) if name == definition else read_model(f"{name} = {definition}", source)


def is_expression(word: str) -> bool:
    """Return whether a word looks like an expression without a name."""
    return "=" not in word and _EXPRESSION.match(word) is not None


def read_word(word: str) -> Model:
    """Read the model that a word of the command line or of a question defines. The definition may have no name.

    Raises:
        InputError: the word does not define exactly one model.
    """
    if is_expression(word):
        expression = parse(word, f"model {word!r}")
        return Model(written(expression), written(expression), expression)
    models = _read(word, lambda number: f"model {word!r}" if "\n" not in word.strip() else f"model:{number}")
    if len(models) != 1:
        raise InputError(f"model {word!r}: found {len(models)} definitions, expected one of the form NAME = EXPRESSION")
    return models[0]


def _read(text: str, place: Callable[[int], str], taken: Collection[str] = ()) -> tuple[Model, ...]:
    # For each model: the comments before it, and its lines without comments, each with its place.
    parts: list[tuple[list[str], list[tuple[str, str]]]] = []
    about: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        code, *comment = _COMMENT.split(line, maxsplit=1)
        if not code.strip():
            about += [words.strip() for words in comment]
            continue
        if not parts or not _continues_automaton(code):
            parts.append((about, []))
        parts[-1][1].append((code, place(number)))
        about = []
    models: dict[str, Model] = {}
    above = ""
    for said, lines in parts:
        if not _DEFINES.match(lines[0][0]):
            _refuse_line(*lines[0], above)
        above = lines[0][0]
        model = _model(lines, " ".join(said))
        if model.name in taken:
            raise InputError(
                f"{lines[0][1]}: the name {model.name!r} is taken; choose a name other than {', '.join(taken)}"
            )
        if model.name in models:
            raise InputError(f"{lines[0][1]}: two models of the file are named {model.name}; rename one of them")
        models[model.name] = model
    return tuple(models.values())


def _continues_automaton(line: str) -> bool:
    """Return whether a line belongs to the automaton above: it begins with a keyword and defines no model."""
    words = line.split(maxsplit=2)
    return words[0] in KEYWORDS and words[1:2] != ["="]


def _refuse_line(line: str, place: str, above: str) -> NoReturn:
    """Refuse a line that neither begins a model nor belongs to one; `above` is the first line of the last model."""
    meant, expected = "", "NAME = EXPRESSION"
    if _is_automaton(above):
        name = above.partition("=")[0].strip()
        meant = hint(line.split(maxsplit=1)[0], KEYWORDS)
        expected += f", or a line of the automaton {name}: {', '.join(KEYWORDS[:-1])} or {KEYWORDS[-1]}"
    raise InputError(f"{place}: found {line.strip()!r}{meant}, expected {expected}")


def _is_automaton(line: str) -> bool:
    return line.partition("=")[2].strip() == AUTOMATON


def _model(lines: list[tuple[str, str]], about: str) -> Model:
    from synth_checker.models.registered import model_of_definition

    (line, place), *more = lines
    name, _, expression = line.partition("=")
    name, definition = name.strip(), " ".join(expression.split())
    if _is_automaton(line):
        definition = "\n".join([definition, *(" ".join(text.split()) for text, _ in more)])
        return Model(name, definition, read_guarded(more, place), about)
    if more and nearest(definition.partition(" ")[0], [AUTOMATON]):
        column = len(line) - len(expression.lstrip()) + 1
        raise InputError(
            f"{place}: column {column}: found {definition!r}, expected {AUTOMATON} and the end of the line"
        )
    registered = model_of_definition(name, definition)
    column = line.index("=") + 2
    model = Model(name, definition, registered or parse(expression, place, column), about)
    if more:
        raise InputError(
            f"{more[0][1]}: {more[0][0].strip()!r} stands below an expression; move it below a NAME = {AUTOMATON}"
        )
    return model
