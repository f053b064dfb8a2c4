"""Models that are Python objects, which packages register as entry points of the group `synth.models`.

    [project.entry-points."synth.models"]
    round-robin = "my_package.models:RoundRobin"

An object has four methods (`PythonModel`); if a class is registered, one object of it is made. For one number of
threads, the object is run in every possible way, which gives the tables of `Automaton`. A corpus cannot record code, so
it records the SHA-256 of the tables for one to four threads. If the code changes its meaning later, the SHA-256 differs
and `synth` refuses to compare verdicts.

A model must depend on thread ids only through their order. This is checked for up to four threads
(`synth_checker.models.order`), and for more threads when tables for more are needed.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

from synth_checker.errors import InputError, LimitError
from synth_checker.models.automaton import MAX_THREADS, Automaton, check_threads
from synth_checker.models.guarded import MAX_STATES
from synth_checker.models.order import dependence_on_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from importlib.metadata import EntryPoint

GROUP = "synth.models"
#: The digest covers the tables for one to so many threads. These tables are also checked for dependence on thread ids.
TESTED_THREADS = 4
_Given = TypeVar("_Given")
_DEFINITION = re.compile(r"python sha256:([0-9a-f]{64})")


class PythonModel(Protocol):
    """The methods of a model that is a Python object.

    Its states are any hashable values; threads are numbers from 0.
    """

    def initial(self, threads: int) -> Hashable:
        """Return the state in which a program with so many threads starts."""

    def fair(self, state: Hashable, live: frozenset[int]) -> Iterable[int]:
        """Return the threads that the model promises to run. Threads that are not live are ignored."""

    def step(self, state: Hashable, thread: int) -> Hashable:
        """Return the state after `thread` has stepped and is still live."""

    def terminate(self, state: Hashable, thread: int) -> Hashable:
        """Return the state after `thread` has ended with a step."""


@dataclass(frozen=True, slots=True)
class RegisteredModel:
    """A model that is registered under a name, with the SHA-256 of its tables."""

    name: str
    sha256: str

    @property
    def definition(self) -> str:
        """Return the definition that a corpus records for this model."""
        return f"python sha256:{self.sha256}"

    def automaton(self, threads: int) -> Automaton:
        """Return the tables of the model for one number of threads.

        Raises:
            InputError: nothing is registered under the name, the registered object has changed, or it depends on thread
                ids other than by their order.
            LimitError: there are more than eight threads, or too many states.
        """
        sha256 = digest(self.name)
        if sha256 != self.sha256:
            raise InputError(
                f"model {self.name}: the installed model has changed: found tables with the sha256 {sha256}, expected "
                f"{self.sha256}"
            )
        check_threads(threads)
        return _order_only_tables(self.name, max(threads, TESTED_THREADS))[threads - 1]

    def on_demand(self, threads: int) -> NoReturn:
        """Raise LimitError: a registered model has no form without tables.

        The check that the model depends on thread ids only through their order needs the tables.
        """
        problem = f"model {self.name}: found a program with {threads} threads"
        raise LimitError(f"{problem}, expected at most {MAX_THREADS} under a model that is Python code")


def registered_names() -> tuple[str, ...]:
    """Return the names under which models are registered, without loading the packages that register them."""
    return tuple(sorted({entry.name for entry in _entries()}))


def model_of_definition(name: str, definition: str) -> RegisteredModel | None:
    """Return the registered model that a corpus records with this name and definition.

    Returns None if the definition is not that of a registered model: it does not have the form `python sha256:...`. The
    model need not be installed.
    """
    match = _DEFINITION.fullmatch(definition.strip())
    return RegisteredModel(name, match[1]) if match else None


def _entries() -> tuple[EntryPoint, ...]:
    """Return the entry points of the group, which are looked for again only where a folder of the path has changed."""
    return _entries_of(tuple((place, _changed(place)) for place in sys.path))


@functools.lru_cache(maxsize=1)
def _entries_of(path: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:  # noqa: ARG001  (the key of the cache)
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def _changed(place: str) -> int:
    try:
        return os.stat(place or ".").st_mtime_ns  # noqa: PTH116  (nothing but this is needed of a path)
    except OSError:
        return 0


@functools.cache
def _loaded(name: str) -> PythonModel:
    entries = [entry for entry in _entries() if entry.name == name]
    if len(entries) != 1:
        _refuse(name, f"found {len(entries)} entry points of this name in the group {GROUP}, expected one")
    registered = _call_foreign(name, f"loading {entries[0].value}", entries[0].load)
    if isinstance(registered, type):
        registered = _call_foreign(name, f"{entries[0].value}()", registered)
    methods = (method for method in PythonModel.__dict__ if not method.startswith("_"))
    missing = [method for method in methods if not hasattr(registered, method)]
    if missing:
        _refuse(name, f"{entries[0].value} lacks {', '.join(missing)}; it needs initial, fair, step and terminate")
    model: PythonModel = registered
    return model


@functools.cache
def digest(name: str) -> str:
    """Return the SHA-256 of a registered model's tables for one to four threads.

    Raises:
        InputError: nothing is registered under the name, the object fails, or it depends on thread ids other than by
            their order.
        LimitError: the model has too many states.
    """
    tables = _order_only_tables(name, TESTED_THREADS)
    return hashlib.sha256(repr([(t.steps, t.ends, t.fair) for t in tables]).encode()).hexdigest()


@functools.cache
def _order_only_tables(name: str, most: int) -> tuple[Automaton, ...]:
    """Return the tables for one to so many threads; refuse a model that depends on ids other than by their order."""
    tables = tuple(_tables(name, threads) for threads in range(1, most + 1))
    reason = dependence_on_ids(tables)
    if reason is not None:
        _refuse(name, f"the model may depend only on the order of thread ids, but it depends on their values: {reason}")
    return tables


@functools.cache
def _tables(name: str, threads: int) -> Automaton:
    """Return the tables for one number of threads, with states numbered in breadth-first order."""
    check_threads(threads)
    model = _loaded(name)
    numbers: dict[Hashable, int] = {}
    order: list[Hashable] = []

    def numbered(what: str, call: Callable[[], Hashable]) -> int:
        """Return the number of the state that a method returns. Its `hash` and `==` are foreign code, too."""
        state = _call_foreign(name, what, call)
        number = _call_foreign(
            name, f"hash or == of the state from {what}", lambda: numbers.setdefault(state, len(order))
        )
        if number == len(order):
            order.append(state)
        return number

    numbered(f"initial({threads})", lambda: model.initial(threads))
    rows: dict[str, list[tuple[int, ...]]] = {"step": [], "terminate": []}
    for state in order:  # grows while it is read
        for event, table in rows.items():
            method = getattr(model, event)
            shown = _shown(state)
            row = (numbered(f"{event}({shown}, {t})", functools.partial(method, state, t)) for t in range(threads))
            table.append(tuple(row))
        if len(order) > MAX_STATES:
            raise LimitError(
                f"model {name}: it has more than {MAX_STATES} states for {threads} threads; make it simpler"
            )
    fair = tuple(tuple(_fair(name, model, state, live, threads) for live in range(1 << threads)) for state in order)
    return Automaton(threads, tuple(rows["step"]), tuple(rows["terminate"]), fair)


def _fair(name: str, model: PythonModel, state: Hashable, live: int, threads: int) -> int:
    members = frozenset(t for t in range(threads) if live >> t & 1)
    what = f"fair({_shown(state)}, {set(members) or '{}'})"
    promised = _call_foreign(name, what, lambda: list(model.fair(state, members)))
    if any(type(t) is not int or not 0 <= t < threads for t in promised):
        _refuse(name, f"{what} returned {promised!r}, expected numbers of threads from 0 to {threads - 1}")
    return live & sum(1 << t for t in set(promised))


def _shown(state: Hashable) -> str:
    """Return the `repr` of a state, or a default if that fails."""
    try:
        return repr(state)
    except Exception:  # noqa: BLE001  (foreign code, and only a message depends on it)
        return object.__repr__(state)


def _call_foreign(name: str, what: str, call: Callable[[], _Given]) -> _Given:
    """Call foreign code and return its result; an exception that it raises becomes an InputError."""
    try:
        return call()
    except (Exception, SystemExit) as error:
        raise InputError(f"model {name}: {what} raised {type(error).__name__}: {error}, expected a result") from error


def _refuse(name: str, what: str) -> NoReturn:
    raise InputError(f"model {name}: {what}")
