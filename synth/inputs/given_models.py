"""What a word names where a model is accepted: one of the library, one of one's own as text, those of a file.

| word | is |
|---|---|
| `OBE`, `OBE.weak` | a model of the library, or one of its verdicts |
| `round-robin`, `round-robin.weak` | one that ships beside the library, or that a package has registered |
| `mine = live & stepped` | one of one's own; `mine.weak = ...` is a verdict of it |
| `live & stepped`, `(live & stepped).weak` | one that is called by its expression, or a verdict of it |
| `FILE`, `FILE:NAME`, `FILE:NAME.weak` | all models of a file, one of them, or a verdict of it |

Files hold models as `synth_checker.models.reading` reads them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

from synth.inputs.asked_verdicts import asked_verdicts
from synth_checker.errors import InputError, check_type
from synth_checker.models import (
    LIBRARY,
    Form,
    Model,
    is_expression,
    library,
    model_of,
    models_named,
    named_beside_library,
    names_beside_library,
    read_models,
    verdict_named,
    word_of,
)
from synth_checker.models.further import further_model
from synth_checker.models.reading import read_word
from synth_checker.nearest import unknown
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

#: How the name of a file is told from that of a model that is not there.
_FILE = re.compile(r".*/|.*\.models?(:|$)")
#: The head of a text that defines a verdict.
_DEFINES_VERDICT = re.compile(rf"\s*[^\s=]*(\.(?:{'|'.join(get_args(Form))}))\s*=")
#: Not inside parentheses, as far as it matters: where a comma is wrong, the reader of the text is to say so.
_COMMA = re.compile(r",(?![^(]*\))")
#: Larger files are no models.
_MOST_BYTES = 1 << 20


class _Meant(NamedTuple):
    """A model of one's own, and the one form that is meant, or None for both."""

    model: Model
    form: Form | None


def given_models(words: Iterable[str]) -> tuple[Model, ...]:
    """The models that some words name: those of the library in their fixed order, then others by name.

    Raises:
        InputError: a word names none, or a verdict; a text or file can't be read; or two models have one name.
        ResourceError: what it lies on failed.
    """
    names: list[str] = []
    for word in words:
        found = _own(word)
        for meant in found or ():
            if meant.form is not None:
                msg = f"model: found the verdict {meant.model.name}.{meant.form}, expected the model {meant.model.name}"
                raise InputError(msg)
        names += [word] if found is None else [word_of(meant.model) for meant in found]
    return models_named(names)


def given_verdicts(words: Iterable[str]) -> tuple[tuple[Model, ...], tuple[str, ...]]:
    """The library with the models of one's own that some words name, and the verdicts that they ask for.

    Raises:
        InputError: as `given_models`, or there is no such model or verdict.
    """
    texts, asked = list[str](), list[str]()
    for word in words:
        found = _own(word)
        texts += [word_of(meant.model) for meant in found or ()]
        asked += [word] if found is None else [_name(meant) for meant in found]
    models = (*library(), *models_named(texts))
    return models, asked_verdicts(asked, models, beside=names_beside_library())


def given_model(word: str) -> tuple[Model, tuple[Form, ...]]:
    """The one model that a word names, and its forms; or only that form which the word names.

    Raises:
        InputError: as `given_models`, or the word names several models.
    """
    found = _own(word)
    if found is None and word == model_of(word):
        (model,) = models_named([word])
        return model, model.forms
    if found is not None and len(found) > 1:
        msg = f"model: found {len(found)} models in {word}, expected one, {word}:{found[0].model.name}"
        raise InputError(msg)
    if found is not None and found[0].form is None:
        (model,) = models_named([word_of(found[0].model)])
        return model, model.forms
    model, form = given_verdict(word)
    return model, (form,)


def described_model(word: str) -> Model:
    """The one model that a word names, with its comment.

    Raises:
        InputError: the word names none, or several.
    """
    models = given_models([word])
    if len(models) != 1:
        msg = f"model: found {len(models)} models in {word}, expected one, {word}:{models[0].name}"
        raise InputError(msg)
    meant = _own(word)
    return meant[0].model if meant else models[0]  # the one that was read has its comment


def given_verdict(word: str) -> tuple[Model, Form]:
    """The model and the form of the one verdict that a word names.

    Raises:
        InputError: as `given_models`, or it names more than one verdict, or none.
    """
    check_type("verdict", word, str, "the name of a verdict, such as OBE.weak")
    found = _own(word)
    if found is None:
        return verdict_named(word)
    models_named(word_of(meant.model) for meant in found)
    verdicts = [verdict for meant in found for verdict in asked_verdicts([_name(meant)], (meant.model,))]
    if len(verdicts) != 1:
        msg = f"model: found {word!r}, expected one verdict, {' or '.join(_called(word, name) for name in verdicts)}"
        raise InputError(msg)
    return verdict_named(verdicts[0], (found[0].model,))


def split_words(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of an option that repeats or takes commas.

    A comma in parentheses, which no model has, parts none, nor does one in a text of several lines, which is one model.
    """
    return tuple(word.strip() for text in texts for word in ([text] if "\n" in text else _COMMA.split(text)))


def _name(meant: _Meant) -> str:
    return meant.model.name if meant.form is None else f"{meant.model.name}.{meant.form}"


def _called(word: str, verdict: str) -> str:
    """What to write for a verdict of the models that a word names: with their file, if they come from one."""
    path = "" if "=" in word else word if _is_file(word) else word.rpartition(":")[0]
    return f"{path}:{verdict}" if path else verdict


def _own(word: str) -> list[_Meant] | None:
    """The models of one's own that a word names; None if it is for the library to know."""
    if "=" in word:
        return [_defined(word)]
    name, form = _parted(word)
    if name in LIBRARY:
        return None
    if _is_file(word):
        return [_Meant(model, None) for model in _in_file(word)]
    path, colon, rest = word.rpartition(":")
    if colon and _is_file(path):
        name, form = _parted(rest)
        models = _in_file(path)
        found = [_Meant(model, form) for model in models if model.name == name]
        if not found:
            names = [model.name for model in models]
            raise unknown("model", rest, names, f"one of {path}: {', '.join(names)}")
        return found
    if _FILE.match(word):
        msg = f"model: found no file {word}, expected one of models, FILE or FILE:NAME"
        raise InputError(msg)
    from synth_checker.models.registered import registered_names

    if further_model(name) or name in registered_names():
        return [_Meant(named_beside_library(name), form)]
    return [_Meant(read_word(name), form)] if is_expression(name) else None


def _defined(text: str) -> _Meant:
    verdict = _DEFINES_VERDICT.match(text)
    if verdict is None:
        return _Meant(read_word(text), None)
    # Spaces in its place keep the columns of what follows.
    begin, end = verdict.span(1)
    model = read_word(text[:begin] + " " * (end - begin) + text[end:])
    return _Meant(model, "weak" if verdict[1] == ".weak" else "strong")


def _parted(word: str) -> tuple[str, Form | None]:
    """A model's name and the form that follows it, if one does."""
    name = model_of(word)
    return name, None if name == word else "weak" if word.endswith(".weak") else "strong"


def _is_file(word: str) -> bool:
    """Whether a word names a file; none that no file can be called by does."""
    try:
        return Path(word).is_file()
    except OSError:
        return False


def _in_file(path: str) -> tuple[Model, ...]:
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise refusal(path, error, "a file of models") from error
    except UnicodeDecodeError as error:
        msg = f"{path}: found a byte that is not UTF-8, expected a file of models"
        raise InputError(msg) from error
    if len(data) > _MOST_BYTES:
        msg = f"{path}: found more than {_MOST_BYTES:,} bytes, expected a file of models"
        raise InputError(msg)
    models = read_models(text, path, LIBRARY)
    if not models:
        msg = f"{path}: found no model, expected lines NAME = EXPRESSION"
        raise InputError(msg)
    return models
