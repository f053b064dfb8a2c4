"""Progress models as data: each is a name and a set expression, in a small text file in `library/`.

    # Occupancy-bound execution: a thread that has started keeps running until it ends.
    OBE = live & stepped

The name of a verdict is the name of a model and a form: `OBE.weak` or `OBE.strong`. A model that never promises
anything has one verdict, named like the model, because its two forms agree (definitions, section 5).

A user can write further models. In a question, a model of the library stands by its name. A model that a user wrote
stands by its text `NAME = EXPRESSION`, so that the question records what the model means. A model in `further/` and a
model that is registered as a Python object have both a name and a text.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, list_of_texts
from synth_checker.models.further import FURTHER, further_model
from synth_checker.models.model import Form, Model
from synth_checker.models.model_text import (
    NAME,
    is_expression,
    read_definition,
    read_model,
    read_models,
    read_word,
)
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "FURTHER",
    "LIBRARY",
    "Form",
    "Model",
    "further_model",
    "is_expression",
    "library",
    "model_of",
    "models_named",
    "named_beside_library",
    "names_beside_library",
    "read_definition",
    "read_model",
    "read_models",
    "registered_model",
    "verdict_named",
    "verdict_names",
    "verdicts_in",
    "verdicts_meant",
    "word_of",
]

#: The models of the paper, in the order in which their verdicts are always listed.
LIBRARY = ("unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair")


@functools.cache
def library() -> tuple[Model, ...]:
    """Return the six models that every question judges by default, in their fixed order."""
    folder = files("synth_checker.models") / "library"
    return tuple(read_model((folder / f"{name}.model").read_text("utf-8"), f"{name}.model") for name in LIBRARY)


def models_named(names: Iterable[str]) -> tuple[Model, ...]:
    """Return the models that the given words name: those of the library in their fixed order, then others by name.

    A word is the name of a model of the library, of `further` or of a registered model; or it is the text of a model
    that the user wrote, `NAME = EXPRESSION` or only `EXPRESSION`.

    Raises:
        InputError: there is no such model, a text cannot be read, or two models have the same name.
        LimitError: a registered model has too many states.
    """
    wanted = set(list_of_texts("models", names))
    own: dict[str, Model] = {}
    for name in sorted(wanted.difference(LIBRARY)):
        model = read_word(name) if "=" in name or _is_unnamed(name) else named_beside_library(name)
        if model.name in LIBRARY:
            raise InputError(
                f"model: {model.text!r} has a name that synth uses; choose a name other than {', '.join(LIBRARY)}"
            )
        if own.setdefault(model.name, model).definition != model.definition:
            raise InputError(f"model: two different models are named {model.name}; rename one of them")
    return (*(model for model in library() if model.name in wanted), *(own[name] for name in sorted(own)))


def _is_unnamed(word: str) -> bool:
    """Return whether a word is an expression, and not a model's name that begins like an expression."""
    from synth_checker.models.registered import registered_names

    return is_expression(word) and further_model(word) is None and word not in registered_names()


def word_of(model: Model) -> str:
    """Return the word that names a model in a question: its name if the model is in the library, and else its text."""
    return model.name if model in library() else model.text


def named_beside_library(name: str) -> Model:
    """Return the model outside the library with this name: one in `further/`, or one registered as a Python object.

    Raises:
        InputError: there is no such model, there are two, or the registered object cannot be used as a model.
        LimitError: the registered model has too many states.
    """
    from synth_checker.models.registered import registered_names

    further = further_model(name)
    if further is None:
        return registered_model(name)
    if name in registered_names():
        raise InputError(
            f"model: a package registers a model named {name!r}, but synth has one; rename the model of the package"
        )
    return further


def names_beside_library() -> tuple[str, ...]:
    """Return the names of the models outside the library: those in `further/`, and registered Python objects."""
    from synth_checker.models.registered import registered_names

    return (*FURTHER, *registered_names())


def registered_model(name: str) -> Model:
    """Return the model that is registered as a Python object under this name.

    Raises:
        InputError: no object is registered, the name is not allowed for a model, or the object cannot be used as a
            model.
        LimitError: the registered model has too many states.
    """
    from synth_checker.models.registered import RegisteredModel, digest, registered_names

    if name not in registered_names():
        known = (*LIBRARY, *names_beside_library())
        raise unknown("model", name, known, f"one of {', '.join(known)} or NAME = EXPRESSION")
    if not NAME.fullmatch(name):  # corpora record it in front of a definition, which is then read
        problem = f"model: a package registers a model named {name!r}"
        raise InputError(
            f"{problem}, expected a name that begins with a letter and consists of letters, digits, _, + and -"
        )
    rule = RegisteredModel(name, digest(name))
    return Model(name, rule.definition, rule)


def verdict_named(name: str, models: tuple[Model, ...] | None = None) -> tuple[Model, Form]:
    """Return the model and the form of the verdict with this name. `models` are those of the library by default.

    Raises:
        InputError: there is no such verdict, or the name is that of a model that has two verdicts.
    """
    beside = names_beside_library() if models is None else ()
    models = library() if models is None else models
    for model in models:
        for verdict, form in zip(model.verdicts, model.forms, strict=True):
            if verdict == name:
                return model, form
        if model.name == name:
            raise InputError(f"model: found {name!r}, expected one verdict, {' or '.join(model.verdicts)}")
    raise unknown("model", name, (*verdict_names(models), *beside))


def model_of(verdict: str) -> str:
    """Return the name of the model to which the verdict with this name belongs."""
    return verdict.removesuffix(".weak").removesuffix(".strong")


def verdict_names(models: tuple[Model, ...]) -> tuple[str, ...]:
    """Return the names of all verdicts of some models, in their order."""
    return tuple(name for model in models for name in model.verdicts)


def verdicts_meant(word: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some verdicts that a word means, in their order.

    The name of a model means both its forms. A word that means no verdict gives an empty result.
    """
    return tuple(name for name in names if word in {name, model_of(name)})


def verdicts_in(mask: int, models: tuple[Model, ...] | None = None) -> tuple[str, ...]:
    """Return the names of some verdicts, in their order. A mask has a bit for each verdict of the models.

    By default, the models are those of the paper.
    """
    names = verdict_names(library() if models is None else models)
    return tuple(name for place, name in enumerate(names) if mask >> place & 1)
