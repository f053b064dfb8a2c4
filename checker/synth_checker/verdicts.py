"""Verdicts: which programs always end under which progress models (definitions, section 5).

The C++ core judges batches of programs under all models at once, and without the lock of the Python interpreter.
`synth_checker.twin.verdicts` computes the same verdicts directly from the definitions.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from synth_checker.errors import InputError
from synth_checker.models import Model, library
from synth_checker.models.compiled import compile_automaton, compile_model
from synth_checker.transitions.transition_system import AnyState, explore

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_checker import _native
    from synth_checker.models.automaton import Automaton
    from synth_checker.programs.ids import Ids
    from synth_checker.transitions.transition_system import TransitionSystem

FORMS = 2


def judge(ids: Sequence[str], models: tuple[Model, ...] | None = None) -> list[int]:
    """Return the verdicts of each program in `ids` as a bit mask over `verdict_names(models)`; a set bit is a pass.

    `models` are the six models of the library, unless others are given.

    Raises:
        InputError: an id cannot be read.
        LimitError: a program has more than 32 threads, or more states than can be explored; or a model is Python code
            and a program has more than eight threads.
    """
    from synth_checker import _native

    models = library() if models is None else models
    if not models:
        return [0] * len(ids)
    threads = _native.common_threads(ids)
    if threads >= 0 and not all(model.has_tables(threads) for model in models):
        return _judged_on_demand(ids, models, threads)
    if threads >= 0:
        return judge_for(models, threads).verdicts(ids)
    # A judge is made for one number of threads, so a mixed batch is divided by that number.
    masks = [0] * len(ids)
    by_threads: dict[int, list[int]] = {}
    for k, id_ in enumerate(ids):
        by_threads.setdefault(_native.common_threads([id_]), []).append(k)
    for places in by_threads.values():
        for k, mask in zip(places, judge([ids[k] for k in places], models), strict=True):
            masks[k] = mask
    return masks


def judge_system(system: TransitionSystem[AnyState], models: tuple[Model, ...] | None = None) -> int:
    """Return the verdicts of a transition system as a bit mask over `verdict_names(models)`; a set bit is a pass.

    Raises:
        InputError: a step contradicts the contract of `TransitionSystem`.
        LimitError: the system has more than 32 threads, or too many states.
    """
    from synth_checker import _native

    models = library() if models is None else models
    if not models:
        return 0
    for model in models:  # a model that cannot be used raises before any work is done
        model.beside(system.threads)
    lts = _native.Lts(explore(system, _native.MAX_STATES).table())
    if all(model.has_tables(system.threads) for model in models):
        return judge_for(models, system.threads).passes(lts)
    return _mask(models, _native.system_fails_on_demand(lts, _on_demand_functions(models, system.threads)))


def _judged_on_demand(ids: Sequence[str], models: tuple[Model, ...], threads: int) -> list[int]:
    """Judge programs with so many threads that the tables of some model would be too large."""
    from synth_checker import _native

    return [_mask(models, _native.fails_on_demand(id_, _on_demand_functions(models, threads))) for id_ in ids]


def _on_demand_functions(
    models: tuple[Model, ...], threads: int
) -> list[tuple[Callable[[int, int, bool], int], Callable[[int, int], int]]]:
    """Return, for each model, the two functions that the core calls."""
    return [(beside.after, beside.fair_set) for beside in (model.on_demand(threads) for model in models)]


def _mask(models: tuple[Model, ...], passes: list[tuple[bool, bool]]) -> int:
    """Return the verdicts as a bit mask; `passes` says for each model whether each of its two forms fails."""
    forms = zip(models, passes, strict=True)
    fails = [failed for model, of_forms in forms for failed in of_forms[: len(model.forms)]]
    return sum(1 << k for k, failed in enumerate(fails) if not failed)


class Passes(Sequence[int]):
    """The verdicts of many programs, in the order of the programs, as bit masks.

    Each different mask is stored once. Each program takes two bytes, which hold the number of its mask.
    """

    __slots__ = ("packed",)

    def __init__(self, packed: _native.Signatures) -> None:
        self.packed = packed

    def __len__(self) -> int:
        return len(self.packed)

    @overload
    def __getitem__(self, place: int, /) -> int: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[int]: ...
    def __getitem__(self, place: int | slice, /) -> int | list[int]:
        if isinstance(place, slice):
            return [self.packed.mask(k) for k in range(*place.indices(len(self)))]
        return self.packed.mask(range(len(self))[place])

    def __repr__(self) -> str:
        return f"<Passes of {len(self)} programs>"

    def counts(self) -> dict[int, int]:
        """Return a dict from each bit mask that occurs to the number of programs that have it."""
        return dict(zip(self.packed.masks(), self.packed.counts(), strict=True))


def judge_all(ids: Ids, models: tuple[Model, ...] | None = None, *, jobs: int = 1) -> Passes:
    """Return the verdicts of a large set of programs, computed in `jobs` operating-system threads.

    `models` are the six models of the library, unless others are given.

    Raises:
        LimitError: a program has more than eight threads or more states than can be explored, or the programs have more
            than 65,536 different signatures.
    """
    from synth_checker import _native
    from synth_checker.chunks import in_chunks

    models = library() if models is None else models
    packed, signatures = ids.packed, _native.Signatures(len(ids))
    judges = [judge_for(models, threads) for threads in {len(sizes) for sizes in packed.splits()}]
    for masks in in_chunks(lambda first, last: packed.verdicts(judges, first, last), len(ids), jobs):
        signatures.append(masks)
    return Passes(signatures)


def judge_automata(ids: Sequence[str], automata: Sequence[Automaton]) -> list[int]:
    """Return the verdicts of programs under the given automata, as bit masks. A set bit is a pass.

    The automata must be for the number of threads that the programs have.

    Bit 2k stands for the weak form of the automaton with index k, and bit 2k+1 for its strong form.

    Raises:
        InputError: an id cannot be read, or the automata are for different numbers of threads.
        LimitError: a program has more states than can be explored.
    """
    if not automata:
        return [0] * len(ids)
    threads = {automaton.threads for automaton in automata}
    if len(threads) > 1:
        raise InputError(f"automata: they are for {sorted(threads)} threads; give automata for one number of threads")
    from synth_checker import _native

    compiled = [compile_automaton(automaton) for automaton in automata]
    return _native.Judge(threads.pop(), compiled, [(True, True)] * len(compiled)).verdicts(ids)


@functools.lru_cache(maxsize=64)
def judge_for(models: tuple[Model, ...], threads: int) -> _native.Judge:
    """Return the object of the C++ core that judges programs of so many threads.

    Equal arguments give the same object.
    """
    from synth_checker import _native

    forms = [(True, len(model.forms) == FORMS) for model in models]
    return _native.Judge(threads, [compile_model(model, threads) for model in models], forms)


# Python does not always free the objects that a module still holds at its end. nanobind reports these as leaks.
atexit.register(judge_for.cache_clear)


def count_states(id_: str) -> int:
    """Return how many states the program with this id reaches.

    Raises:
        InputError: the id cannot be read.
        LimitError: the program has more than 32 threads, or more states than can be explored.
    """
    from synth_checker import _native

    return _native.count_states(id_)
