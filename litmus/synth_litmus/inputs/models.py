"""Read the words that name models: a model of the library, a model of the user's own as text, or the models of a file.

| word | what it names |
|---|---|
| `OBE`, `OBE.weak` | a model of the library, or one of its verdicts |
| `round-robin`, `round-robin.weak` | a model that ships beside the library or that a package has registered |
| `mine = live & stepped` | a model of one's own; `mine.weak = ...` is a verdict of it |
| `live & stepped`, `(live & stepped).weak` | a model that has its expression as its name, or a verdict of it |
| `FILE`, `FILE:NAME`, `FILE:NAME.weak` | all models of a file, one of them, or a verdict of it |

`synth_checker.models.model_text` says how files write models.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, get_args

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
from synth_checker.models.model_text import read_word
from synth_checker.nearest import unknown
from synth_litmus.inputs.verdicts import requested_verdicts
from synth_storage.folders import beginning
from synth_storage.refusals import refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

#: A word of this form is taken for the name of a missing file, and not for the name of an unknown model.
_FILE = re.compile(r".*/|.*\.models?(:|$)")
#: The beginning of a text that defines a model and means one of its verdicts.
_DEFINES_VERDICT = re.compile(rf"\s*[^\s=]*(\.(?:{'|'.join(get_args(Form))}))\s*=")
#: A comma outside parentheses. If a comma stands at a wrong place, the reader of the expression reports that.
_COMMA = re.compile(r",(?![^(]*\))")
#: A file with more bytes is refused as a file of models.
_MOST_BYTES = 1 << 20


class _ModelForm(NamedTuple):
    """A model of the user's own, and the form that a word means, or None if it means both."""

    model: Model
    form: Form | None


def given_models(words: Iterable[str]) -> tuple[Model, ...]:
    """Return the models that some words name: those of the library in their fixed order, then others by name.

    Raises:
        InputError: a word names no model, or a verdict; a text or file can't be read; or two models have the same name.
        ResourceError: a disk or device failed while a file was read.
    """
    names: list[str] = []
    for word in words:
        meanings = _own(word)
        for meaning in meanings or ():
            if meaning.form is not None:
                verdict = f"{meaning.model.name}.{meaning.form}"
                raise InputError(f"model: found the verdict {verdict}, expected a model, such as {meaning.model.name}")
        names += [word] if meanings is None else [word_of(meant.model) for meant in meanings]
    return models_named(names)


def given_verdicts(words: Iterable[str]) -> tuple[tuple[Model, ...], tuple[str, ...]]:
    """Return models, and the verdicts that some words ask for.

    The models are those of the library, and those that the words name.

    Raises:
        InputError: there is no such model or verdict, a text or file can't be read, or two models have the same name.
    """
    texts, names = list[str](), list[str]()
    for word in words:
        meanings = _own(word)
        texts += [word_of(meaning.model) for meaning in meanings or ()]
        names += [word] if meanings is None else [_name(meaning) for meaning in meanings]
    models = (*library(), *models_named(texts))
    return models, requested_verdicts(names, models, beside=names_beside_library())


def given_model(word: str) -> tuple[Model, tuple[Form, ...]]:
    """Return the single model that a word names, and its forms; for a word that names a verdict, only the form of that.

    Raises:
        InputError: the word names no model or several, or a text or file can't be read.
    """
    meanings = _own(word)
    if meanings is None and word == model_of(word):
        (model,) = models_named([word])
        return model, model.forms
    if meanings is not None and len(meanings) > 1:
        example = f"{word}:{meanings[0].model.name}"
        raise InputError(f"model: found {len(meanings)} models in {word}, expected one model, such as {example}")
    if meanings is not None and meanings[0].form is None:
        (model,) = models_named([word_of(meanings[0].model)])
        return model, model.forms
    model, form = given_verdict(word)
    return model, (form,)


def given_forms(word: str) -> tuple[str, ...]:
    """Return the verdicts that a word for a single model or verdict means: both of the model, or the one.

    Raises:
        InputError: the word names no model or several, or a text or file can't be read.
    """
    model, forms = given_model(word)
    return tuple(model.verdicts[model.forms.index(form)] for form in forms)


def described_model(word: str) -> Model:
    """Return the single model that a word names, together with its comment.

    Raises:
        InputError: the word names no model, or several.
    """
    models = given_models([word])
    if len(models) != 1:
        raise InputError(
            f"model: found {len(models)} models in {word}, expected one model, such as {word}:{models[0].name}"
        )
    meanings = _own(word)
    return meanings[0].model if meanings else models[0]  # the model as the word gives it still has its comment


def given_verdict(word: str) -> tuple[Model, Form]:
    """Return the model and the form of the single verdict that a word names.

    Raises:
        InputError: the word names no verdict, or more than one, or a text or file can't be read.
    """
    check_type("verdict", word, str, "the name of a verdict, such as OBE.weak")
    meanings = _own(word)
    if meanings is None:
        return verdict_named(word)
    models_named(word_of(meaning.model) for meaning in meanings)
    verdicts = [verdict for meaning in meanings for verdict in requested_verdicts([_name(meaning)], (meaning.model,))]
    if len(verdicts) != 1:
        fitting = " or ".join(_qualified_word(word, name) for name in verdicts)
        raise InputError(f"model: found {word!r}, expected one verdict, {fitting}")
    return verdict_named(verdicts[0], (meanings[0].model,))


def split_words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the single words of an option that repeats or takes commas.

    A comma inside parentheses does not separate words. A text of several lines is one model, so its commas do not
    either.
    """
    return tuple(word.strip() for text in texts for word in ([text] if "\n" in text else _COMMA.split(text)))


def _name(meaning: _ModelForm) -> str:
    return meaning.model.name if meaning.form is None else f"{meaning.model.name}.{meaning.form}"


def _qualified_word(word: str, verdict: str) -> str:
    """Return the word for a verdict of the models that another word names; it has their file if they come from one."""
    path = "" if "=" in word else word if _is_file(word) else word.rpartition(":")[0]
    return f"{path}:{verdict}" if path else verdict


def _own(word: str) -> list[_ModelForm] | None:
    """Return the models of the user's own that a word names, or None if it may name a model of the library."""
    if "=" in word:
        return [_defined(word)]
    name, form = _split_form(word)
    if name in LIBRARY:
        return None
    if _is_file(word):
        return [_ModelForm(model, None) for model in _in_file(word)]
    path, colon, rest = word.rpartition(":")
    if colon and _is_file(path):
        name, form = _split_form(rest)
        models = _in_file(path)
        meanings = [_ModelForm(model, form) for model in models if model.name == name]
        if not meanings:
            names = [model.name for model in models]
            raise unknown("model", rest, names, f"a model of the file {path}: {', '.join(names)}")
        return meanings
    if _FILE.match(word):
        raise InputError(
            f"model: there is no file {word}; expected the path of a file with models, as FILE or FILE:NAME"
        )
    from synth_checker.models.registered import registered_names

    if further_model(name) or name in registered_names():
        return [_ModelForm(named_beside_library(name), form)]
    return [_ModelForm(read_word(name), form)] if is_expression(name) else None


def _defined(text: str) -> _ModelForm:
    verdict = _DEFINES_VERDICT.match(text)
    if verdict is None:
        return _ModelForm(read_word(text), None)
    # Spaces in place of the form keep the columns of the rest, which messages name.
    begin, end = verdict.span(1)
    model = read_word(text[:begin] + " " * (end - begin) + text[end:])
    return _ModelForm(model, "weak" if verdict[1] == ".weak" else "strong")


def _split_form(word: str) -> tuple[str, Form | None]:
    """Return the name of a model and the form that follows it, or None if no form follows."""
    name = model_of(word)
    return name, None if name == word else "weak" if word.endswith(".weak") else "strong"


def _is_file(word: str) -> bool:
    """Return whether a word names a file; a word that can't be the name of a file does not."""
    try:
        return Path(word).is_file()
    except OSError:
        return False


def _in_file(path: str) -> tuple[Model, ...]:
    try:
        data = beginning(Path(path), _MOST_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise refusal(path, error, "a file of models") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: found a byte that is not UTF-8, expected a text file with models") from error
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path}: found more than {_MOST_BYTES:,} bytes, which is too large for a file with models")
    models = read_models(text, path, LIBRARY)
    if not models:
        raise InputError(f"{path}: found no model, expected at least one line NAME = EXPRESSION")
    return models
