"""Automata as the C++ core has them: made once of each model and number of threads."""

from __future__ import annotations

import atexit
import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_checker import _native
    from synth_checker.models.automaton import Automaton
    from synth_checker.models.model import Model


@functools.lru_cache(maxsize=256)
def compile_model(model: Model, threads: int) -> _native.Automaton:
    """A model for so many threads. Raises as `Model.automaton` does."""
    return compile_automaton(model.automaton(threads))


# Python does not always free what a module still holds at the end, and of what is left nanobind says that it leaks.
atexit.register(compile_model.cache_clear)


def compile_automaton(automaton: Automaton) -> _native.Automaton:
    """Any automaton."""
    from synth_checker import _native

    return _native.Automaton(automaton.threads, automaton.steps, automaton.ends, automaton.fair)
