"""Progress models are data: a name and a set expression, one small text file each in `library/`.

    # Occupancy-bound execution: a thread that has started keeps running until it ends.
    OBE = live & stepped

A verdict is a model's name and a form, `OBE.weak` or `OBE.strong`; a model that never guarantees anything has one
verdict, its bare name, since its two forms agree (definitions, section 5).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import InputError
from synth_checker.models.automaton import Automaton, history_automaton, is_thread_symmetric
from synth_checker.models.expression import Expression, Name, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

Form = Literal["weak", "strong"]
#: The models of the paper, in the order in which their verdicts are always listed.
LIBRARY = ("unfair", "HSA", "OBE", "LOBE", "HSA+OBE", "fair")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*")


@dataclass(frozen=True, slots=True)
class Model:
    """A progress model: its name, its fair set as it was written and as it was read, and what is said about it."""

    name: str
    definition: str
    fair: Expression
    about: str = ""

    def automaton(self, threads: int) -> Automaton:
        """The model's tables for a number of threads; LimitError above eight."""
        return _automaton(self.fair, threads)

    def is_thread_symmetric(self, threads: int) -> bool:
        """Whether the model does not tell so many threads apart."""
        return is_thread_symmetric(self.automaton(threads))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that have verdicts of their own."""
        return ("weak",) if self.fair == Name("none") else ("weak", "strong")

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of this model's verdicts."""
        return tuple(f"{self.name}.{form}" for form in self.forms) if len(self.forms) > 1 else (self.name,)


@functools.cache
def _automaton(fair: Expression, threads: int) -> Automaton:
    return history_automaton(fair, threads)


def read_model(text: str, source: str) -> Model:
    """Read a model file: comment lines that say what it is, then one line `NAME = EXPRESSION`.

    Raises:
        InputError: the text is no such file.
    """
    about: list[str] = []
    definitions: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#"):
            about.append(line.strip().lstrip("#").strip())
        elif line.strip():
            definitions.append((number, line))
    if len(definitions) != 1:
        msg = f"{source}: found {len(definitions)} definitions, expected one line NAME = EXPRESSION"
        raise InputError(msg)
    number, line = definitions[0]
    name, equals, expression = line.partition("=")
    if not equals or not _NAME.fullmatch(name.strip()):
        msg = f"{source}:{number}: found {line.strip()!r}, expected NAME = EXPRESSION"
        raise InputError(msg)
    definition = " ".join(expression.split())
    return Model(name.strip(), definition, parse(expression, f"{source}:{number}", len(name) + 2), " ".join(about))


@functools.cache
def library() -> tuple[Model, ...]:
    """The models that ship with the package, in their fixed order."""
    folder = files("synth_checker.models") / "library"
    return tuple(read_model((folder / f"{name}.model").read_text("utf-8"), f"{name}.model") for name in LIBRARY)


def models_named(names: Iterable[str]) -> tuple[Model, ...]:
    """The models of some names, in their fixed order.

    Raises:
        InputError: there is no such model.
    """
    wanted = set(names)
    for name in sorted(wanted.difference(LIBRARY)):
        msg = f"model: found {name!r}, expected one of {', '.join(LIBRARY)}"
        raise InputError(msg)
    return tuple(model for model in library() if model.name in wanted)


def verdict_named(name: str) -> tuple[Model, Form]:
    """The model and the form of one verdict.

    Raises:
        InputError: there is no such verdict; a bare model name is answered with the two that it may mean.
    """
    for model in library():
        for verdict, form in zip(model.verdicts, model.forms, strict=True):
            if verdict == name:
                return model, form
        if model.name == name:
            msg = f"model: found {name!r}, expected one verdict, {' or '.join(model.verdicts)}"
            raise InputError(msg)
    msg = f"model: found {name!r}, expected one of {', '.join(verdict_names(library()))}"
    raise InputError(msg)


def model_of(verdict: str) -> str:
    """The name of the model whose verdict has this name."""
    return verdict.removesuffix(".weak").removesuffix(".strong")


def verdict_names(models: tuple[Model, ...]) -> tuple[str, ...]:
    """All verdicts of some models, in order."""
    return tuple(name for model in models for name in model.verdicts)
