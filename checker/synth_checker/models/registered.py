"""Models as Python objects, which packages register as entry points of the group `synth.models`.

    [project.entry-points."synth.models"]
    round-robin = "my_package.models:RoundRobin"

An object (or a class, of which one is made) has four methods, see `PythonModel`. For a number of threads it is run in
every way and so becomes the tables of `Automaton`. A corpus records the SHA-256 of the tables for one to four threads:
code can't be recorded, and under a name that means something else now no verdict is compared in silence.

That it depends on thread ids only through their order is tested for up to four threads (`synth_checker.models.order`),
and for more when tables for more are asked for.
"""

from __future__ import annotations

import functools
import hashlib
import re
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
#: Tables for one to so many threads are named by their digest, and tested for what they may depend on.
TESTED_THREADS = 4
_Given = TypeVar("_Given")
_DEFINITION = re.compile(r"python sha256:([0-9a-f]{64})")


class PythonModel(Protocol):
    """A model in Python: its states are any hashable values, threads are numbers from 0."""

    def initial(self, threads: int) -> Hashable:
        """The state in which so many threads start."""

    def fair(self, state: Hashable, live: frozenset[int]) -> Iterable[int]:
        """The threads that are guaranteed to run; those among them that are not live do not count."""

    def step(self, state: Hashable, thread: int) -> Hashable:
        """The state after a thread has stepped and is still live."""

    def terminate(self, state: Hashable, thread: int) -> Hashable:
        """The state after a step with which a thread has ended."""


@dataclass(frozen=True, slots=True)
class Registered:
    """The model that is registered under a name, and the digest of its tables."""

    name: str
    sha256: str

    @property
    def definition(self) -> str:
        """What a corpus records of it."""
        return f"python sha256:{self.sha256}"

    def automaton(self, threads: int) -> Automaton:
        """Its tables for a number of threads.

        Raises:
            InputError: nothing is registered under the name now, or something else; or for so many threads it depends
                on ids otherwise than by their order.
            LimitError: there are more than eight threads, or too many states.
        """
        found = digest(self.name)
        if found != self.sha256:
            msg = f"model {self.name}: found tables with sha256 {found}, expected {self.sha256}, as they were"
            raise InputError(msg)
        check_threads(threads)
        return _order_only_tables(self.name, max(threads, TESTED_THREADS))[threads - 1]

    def on_demand(self, threads: int) -> NoReturn:
        """Refuse: that it depends on ids only through their order is seen from its tables alone.

        Raises:
            LimitError: always.
        """
        msg = f"model {self.name}: found a program of {threads} threads, expected at most {MAX_THREADS} for Python code"
        raise LimitError(msg)


def registered_names() -> tuple[str, ...]:
    """The names under which models are registered; no package is loaded for it."""
    return tuple(sorted({entry.name for entry in _entries()}))


def model_of_definition(name: str, definition: str) -> Registered | None:
    """The model that a definition such as corpora record speaks of; None if it is no such definition."""
    match = _DEFINITION.fullmatch(definition.strip())
    return Registered(name, match[1]) if match else None


def _entries() -> list[EntryPoint]:
    from importlib.metadata import entry_points

    return list(entry_points(group=GROUP))


@functools.cache
def _loaded(name: str) -> PythonModel:
    found = [entry for entry in _entries() if entry.name == name]
    if len(found) != 1:
        _refuse(name, f"found {len(found)} entry points in the group {GROUP}, expected one")
    registered = _call_foreign(name, f"loading {found[0].value}", found[0].load)
    if isinstance(registered, type):
        registered = _call_foreign(name, f"{found[0].value}()", registered)
    methods = (method for method in PythonModel.__dict__ if not method.startswith("_"))
    missing = [method for method in methods if not hasattr(registered, method)]
    if missing:
        _refuse(name, f"found no {', '.join(missing)} in {found[0].value}, expected initial, fair, step and terminate")
    model: PythonModel = registered
    return model


@functools.cache
def digest(name: str) -> str:
    """The SHA-256 of the tables for one to four threads, of a model that may be used.

    Raises:
        InputError: nothing of this name is registered, it fails, or it depends on ids otherwise than by their order.
        LimitError: it has too many states.
    """
    tables = _order_only_tables(name, TESTED_THREADS)
    return hashlib.sha256(repr([(t.steps, t.ends, t.fair) for t in tables]).encode()).hexdigest()


@functools.cache
def _order_only_tables(name: str, most: int) -> tuple[Automaton, ...]:
    """The tables for one to so many threads, of a model that depends on ids only through their order."""
    tables = tuple(_tables(name, threads) for threads in range(1, most + 1))
    reason = dependence_on_ids(tables)
    if reason is not None:
        _refuse(name, f"found that it depends on thread ids otherwise than by their order: {reason}")
    return tables


@functools.cache
def _tables(name: str, threads: int) -> Automaton:
    """The states in the order of a breadth-first search, so that the tables do not depend on what states are."""
    check_threads(threads)
    model = _loaded(name)
    numbers: dict[Hashable, int] = {}
    order: list[Hashable] = []

    def numbered(what: str, call: Callable[[], Hashable]) -> int:
        """The number of the state that a method gives; hashing and comparing are a stranger's code, too."""
        state = _call_foreign(name, what, call)
        number = _call_foreign(name, f"hash or == of what {what} gave", lambda: numbers.setdefault(state, len(order)))
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
            msg = f"model {name}: found more than {MAX_STATES} states for {threads} threads, expected at most so many"
            raise LimitError(msg)
    fair = tuple(tuple(_fair(name, model, state, live, threads) for live in range(1 << threads)) for state in order)
    return Automaton(threads, tuple(rows["step"]), tuple(rows["terminate"]), fair)


def _fair(name: str, model: PythonModel, state: Hashable, live: int, threads: int) -> int:
    members = frozenset(t for t in range(threads) if live >> t & 1)
    what = f"fair({_shown(state)}, {set(members) or '{}'})"
    found = _call_foreign(name, what, lambda: list(model.fair(state, members)))
    if any(type(t) is not int or not 0 <= t < threads for t in found):
        _refuse(name, f"{what} gave {found!r}, expected threads from 0 to {threads - 1}")
    return live & sum(1 << t for t in set(found))


def _shown(state: Hashable) -> str:
    """A state as it shows itself, if it can."""
    try:
        return repr(state)
    except Exception:  # noqa: BLE001  (a stranger's code, and nothing but a message depends on it)
        return object.__repr__(state)


def _call_foreign(name: str, what: str, call: Callable[[], _Given]) -> _Given:
    """What a piece of a stranger's code gives; what it raises is that stranger's fault."""
    try:
        return call()
    except (Exception, SystemExit) as error:
        msg = f"model {name}: {what} raised {type(error).__name__}: {error}, expected a result"
        raise InputError(msg) from error


def _refuse(name: str, what: str) -> NoReturn:
    msg = f"model {name}: {what}"
    raise InputError(msg)
