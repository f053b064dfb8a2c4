"""Models beside the six that programs bring along: where no manifest defines them, a record does, by name.

    {"id":"0010-00_0",...,"verdicts":{...,"mine.weak":"pass"},"models":{"mine":"live & stepped"}}

So verdicts of a model of one's own mean the same wherever they are read. Two models of one name must be the same model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import Model, library, models_named, read_definition, verdict_names, word_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from synth_storage.strict_json import Json

#: The key of a record, and of other JSON objects, that has the definitions of models by their names.
KEY = "models"


def beside_library(models: Iterable[Model]) -> tuple[Model, ...]:
    """Return those of some models that are not in the library."""
    return tuple(model for model in models if model not in library())


def definitions_of(models: Iterable[Model]) -> dict[str, dict[str, str]]:
    """Return the keys that define models in a record; there are none if the library has all of them."""
    own = beside_library(models)
    return {KEY: {model.name: model.definition for model in own}} if own else {}


def models_in(more: Mapping[str, Json], place: str) -> tuple[Model, ...]:
    """Return the models that a record defines; `more` has its keys, and `place` says in messages where it is.

    Raises:
        InputError: the definitions can't be read.
    """
    definitions = more.get(KEY, {})
    if not isinstance(definitions, dict):
        raise InputError(
            f"{place}: the key {KEY!r} is wrong, expected an object with the definitions of models by name"
        )
    try:
        return tuple(read_definition(name, str(definition), "model") for name, definition in definitions.items())
    except InputError as error:
        raise type(error)(f"{place}: {error}") from None


def all_models(of_call: Iterable[Model], defined: Mapping[str, Iterable[Model]]) -> tuple[Model, ...]:
    """Return the six models, those that a user gives, and those that records define, by their places.

    Raises:
        InputError: two different models have the same name, or one has the name of one of the six.
    """
    known = {model.name: model for model in of_call}
    for place, models in defined.items():
        for model in models:
            if known.setdefault(model.name, model).definition != model.definition:
                raise InputError(
                    f"{place}: found a definition of the model {model.name} that differs from an earlier one, or from "
                    "that of --model; rename one of the two"
                )
    return models_named([*(model.name for model in library()), *(word_of(model) for model in known.values())])


def check_known(verdicts: Iterable[str], models: tuple[Model, ...], place: str, way_out: str) -> None:
    """Refuse verdicts of which no model is known. `way_out` says what a user can do.

    Raises:
        InputError: a verdict is of none of the models.
    """
    names = set(verdict_names(models))
    unknown = [name for name in verdicts if name not in names]
    if unknown:
        raise InputError(f"{place}: found verdicts of models that are not known here: {', '.join(unknown)}; {way_out}")
