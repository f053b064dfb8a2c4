"""Automata in the form that the C++ core uses. Each is made once for a model and a number of threads."""

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
    """Return the automaton of a model for so many threads, as an object of the C++ core.

    Raises:
        InputError: a registered model cannot be used.
        LimitError: there are more than eight threads, or the tables would have too many states.
    """
    return compile_automaton(model.automaton(threads))


# Python does not always free the objects that a module still holds at its end. nanobind reports these as leaks.
atexit.register(compile_model.cache_clear)


def compile_automaton(automaton: Automaton) -> _native.Automaton:
    """Return an automaton as an object of the C++ core."""
    from synth_checker import _native

    return _native.Automaton(automaton.threads, automaton.steps, automaton.ends, automaton.fair)
