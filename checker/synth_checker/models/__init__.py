"""Progress models are data: a name and a set expression, one small text file each in `library/`.

    # Occupancy-bound execution: a thread that has started keeps running until it ends.
    OBE = live & stepped

A verdict is a model's name and a form, `OBE.weak` or `OBE.strong`; a model that never guarantees anything has one
verdict, its bare name, since its two forms agree (definitions, section 5).

A model of one's own goes by its text, `NAME = EXPRESSION`, wherever one of the library goes by its name; so a question
that has it says what it is. One that ships beside the six (`further`), or that is registered as a Python object, has a
name and a text, too.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, several
from synth_checker.models.further import FURTHER, further_model
from synth_checker.models.model import Form, Model
from synth_checker.models.reading import NAME, is_expression, read_definition, read_model, read_models, read_word
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
    "word_of",
]

#: The models of the paper, in the order in which their verdicts are always listed.
LIBRARY = ("unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair")


@functools.cache
def library() -> tuple[Model, ...]:
    """The models that ship with the package, in their fixed order."""
    folder = files("synth_checker.models") / "library"
    return tuple(read_model((folder / f"{name}.model").read_text("utf-8"), f"{name}.model") for name in LIBRARY)


def models_named(names: Iterable[str]) -> tuple[Model, ...]:
    """The models of some names: those of the library in their fixed order, then others by name.

    A model of one's own is named by its text, `NAME = EXPRESSION` or only `EXPRESSION`; one of `further` or a
    registered one by its name.

    Raises:
        InputError: there is no such model, a text can't be read, or two models have one name.
    """
    wanted = set(several("models", names))
    own: dict[str, Model] = {}
    for name in sorted(wanted.difference(LIBRARY)):
        model = read_word(name) if "=" in name or _is_unnamed(name) else named_beside_library(name)
        if model.name in LIBRARY:
            msg = f"model: found {model.text!r}, expected another name than those of {', '.join(LIBRARY)}"
            raise InputError(msg)
        if own.setdefault(model.name, model).definition != model.definition:
            msg = f"model: found two models {model.name}, expected another name for one of them"
            raise InputError(msg)
    return (*(model for model in library() if model.name in wanted), *(own[name] for name in sorted(own)))


def _is_unnamed(word: str) -> bool:
    """Whether a word is an expression, and not the name of a model that begins as one."""
    from synth_checker.models.registered import registered_names

    return is_expression(word) and further_model(word) is None and word not in registered_names()


def word_of(model: Model) -> str:
    """What names a model in a question: the name of one of the library, the text of another."""
    return model.name if model in library() else model.text


def named_beside_library(name: str) -> Model:
    """The model that ships beside the six under a name, or that is registered as a Python object.

    Raises:
        InputError: there is none, or there are two; or as `registered_model`.
    """
    from synth_checker.models.registered import registered_names

    further = further_model(name)
    if further is None:
        return registered_model(name)
    if name in registered_names():
        msg = f"model: found {name!r} registered by a package, expected another name: synth has a model called so"
        raise InputError(msg)
    return further


def names_beside_library() -> tuple[str, ...]:
    """The names of the models that ship beside the six, and of those that are registered."""
    from synth_checker.models.registered import registered_names

    return (*FURTHER, *registered_names())


def registered_model(name: str) -> Model:
    """The model that is registered as a Python object under a name.

    Raises:
        InputError: there is none, no model can be called so, or it is no model.
    """
    from synth_checker.models.registered import Registered, digest, registered_names

    if name not in registered_names():
        known = (*LIBRARY, *names_beside_library())
        raise unknown("model", name, known, f"one of {', '.join(known)} or NAME = EXPRESSION")
    if not NAME.fullmatch(name):  # corpora record it in front of a definition, which is then read
        msg = f"model: found {name!r} registered, expected a name of letters, digits, _, + and -, a letter first"
        raise InputError(msg)
    rule = Registered(name, digest(name))
    return Model(name, rule.definition, rule)


def verdict_named(name: str, models: tuple[Model, ...] | None = None) -> tuple[Model, Form]:
    """The model and the form of one verdict, of some models or of the library.

    Raises:
        InputError: there is no such verdict; a bare model name is answered with the two that it may mean.
    """
    beside = names_beside_library() if models is None else ()
    models = library() if models is None else models
    for model in models:
        for verdict, form in zip(model.verdicts, model.forms, strict=True):
            if verdict == name:
                return model, form
        if model.name == name:
            msg = f"model: found {name!r}, expected one verdict, {' or '.join(model.verdicts)}"
            raise InputError(msg)
    raise unknown("model", name, (*verdict_names(models), *beside))


def model_of(verdict: str) -> str:
    """The name of the model whose verdict has this name."""
    return verdict.removesuffix(".weak").removesuffix(".strong")


def verdict_names(models: tuple[Model, ...]) -> tuple[str, ...]:
    """All verdicts of some models, in order."""
    return tuple(name for model in models for name in model.verdicts)
