"""Queries for tests: which verdicts a test must pass or fail, and how the test must be built.

`synth find` answers such queries. A test answers a query if it keeps the rules in force and meets every condition of
the query. Conditions that can be read off the id are checked first. The C++ core then computes the verdicts, only under
the models that the query names.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, check_type, list_of_texts
from synth_checker.idioms import idioms
from synth_checker.models import Model, library, verdict_names
from synth_checker.nearest import check_known, unknown
from synth_checker.programs.id_layout import (
    EXCH,
    ID_PATTERN,
    LOC,
    NO_EXCHANGE,
    TARGET,
    joined_threads,
    number,
    thread_count,
    threads_of,
)
from synth_checker.programs.normal import id_of
from synth_checker.programs.program import Program
from synth_checker.relations.fairness_order import Verdict, is_implied, verdicts_of
from synth_checker.verdicts import judge

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query for tests: the names of verdicts that a test must pass and must fail, and further conditions.

    The verdicts are those of `models`. The further conditions are:

    - `contains`: names of idioms and ids of programs; each must be the test itself or one of its sub-programs. The
      threads of an idiom may stand in any order.
    - `locations`: the test uses exactly so many memory locations.
    - `no_exchange_branches`: every instruction with an exchange is a store.
    - `silent_thread`: some thread has no exchange, so it never writes.
    - `thread_symmetric`: permuting the threads of the test always gives the same program.

    Raises:
        InputError: a verdict is unknown, or must be both passed and failed; or a word in `contains` is neither an idiom
            nor the id of a program that has an instruction other than no-ops.
    """

    passes: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    locations: int | None = None
    no_exchange_branches: bool = False
    silent_thread: bool = False
    thread_symmetric: bool = False
    models: tuple[Model, ...] = field(default_factory=library, repr=False)

    def __post_init__(self) -> None:
        for option in ("passes", "fails", "contains"):
            object.__setattr__(self, option, tuple(list_of_texts(option, getattr(self, option))))
        check_type("locations", self.locations, (int, NoneType), "a number")
        names = verdict_names(self.models)
        for option, words in (("pass", self.passes), ("fail", self.fails)):
            for name in words:
                check_known(option, name, names)
        for name in self.passes:
            if name in self.fails:
                raise InputError(
                    f"fail: {name!r} is also among the verdicts to pass; remove it from one of the two lists"
                )
        for word in self.contains:
            _orders_of(word)

    def among(self, ids: Sequence[str]) -> list[str]:
        """Return those of the programs in `ids` that meet the query, in their order.

        The ids must be those of normal forms.

        Raises:
            InputError: an id cannot be read.
            LimitError: a program is too large to be judged.
        """
        remaining = [id_ for id_ in ids if self._is_built_so(id_)]
        if self.thread_symmetric:
            remaining = _thread_symmetric(remaining)
        models = self.judged
        if models and remaining:
            mask, value = self._bits(models)
            remaining = [
                id_ for id_, passed in zip(remaining, judge(remaining, models), strict=True) if passed & mask == value
            ]
        for word in self.contains:
            remaining = _containing(remaining, _orders_of(word))
        return remaining

    @property
    def judged(self) -> tuple[Model, ...]:
        """Return the models under which programs must be judged: those with a verdict in `passes` or `fails`."""
        named = {*self.passes, *self.fails}
        return tuple(model for model in self.models if named.intersection(model.verdicts))

    def impossible(self, threads: int) -> tuple[Verdict, Verdict] | None:
        """Return two verdicts of the query that contradict each other, or None if there are none.

        The query wants the first verdict to pass and the second to fail. But by inclusion of fair sets, each program
        with at most `threads` threads that passes the first also passes the second.
        """
        verdicts = {verdict.name: verdict for verdict in verdicts_of(self.judged)}
        pairs = itertools.product((verdicts[name] for name in self.passes), (verdicts[name] for name in self.fails))
        return next((pair for pair in pairs if is_implied(*pair, threads)), None)

    def _bits(self, models: tuple[Model, ...]) -> tuple[int, int]:
        """Return which bits of a mask of verdicts matter, and which value these bits must have."""
        names = verdict_names(models)
        passes = sum(1 << names.index(name) for name in set(self.passes))
        return passes | sum(1 << names.index(name) for name in set(self.fails)), passes

    def _is_built_so(self, id_: str) -> bool:
        """Return whether a program meets the conditions that can be read off its id."""
        if self.locations is not None and 1 + number(max(_locations(id_))) != self.locations:
            return False
        if self.no_exchange_branches and any(_has_exchange_branch(thread) for thread in threads_of(id_)):
            return False
        return not self.silent_thread or any(set(thread[EXCH]) == {NO_EXCHANGE} for thread in threads_of(id_))


def _locations(id_: str) -> str:
    """Return the digits of all locations. Locations are named by first use, so the highest tells their number."""
    return "".join(thread[LOC] for thread in threads_of(id_))


def _has_exchange_branch(thread: str) -> bool:
    targets = zip(thread[EXCH], thread[TARGET], strict=True)
    return any(exch != NO_EXCHANGE and number(target) != pc + 1 for pc, (exch, target) in enumerate(targets))


def _thread_symmetric(ids: list[str]) -> list[str]:
    """Return the programs that stay the same when two neighbouring threads change places, and so in every order."""
    from synth_checker import _native

    keep_store_checks = True
    remaining = ids
    for place in range(max((thread_count(id_) - 1 for id_ in ids), default=0)):
        exchanged = _native.normalise([_exchanged(id_, place) for id_ in remaining], keep_store_checks)
        remaining = [id_ for id_, other in zip(remaining, exchanged, strict=True) if id_ == other]
    return remaining


def _exchanged(id_: str, place: int) -> str:
    threads = threads_of(id_)
    threads[place : place + 2] = reversed(threads[place : place + 2])
    return joined_threads(threads)


def _containing(ids: list[str], parts: Sequence[str]) -> list[str]:
    """Return the programs that are one of `parts`, or have one of these as a sub-program; stores compare with 0."""
    from synth_checker import _native

    keep_store_checks = False
    forms = _native.normalise(ids, keep_store_checks)
    return [id_ for id_, places in zip(ids, _native.contained(forms, parts), strict=True) if places]


def _orders_of(word: str) -> tuple[str, ...]:
    """Return the normal forms for which a word stands: an idiom in every order of its threads, or one program."""
    from synth_checker import _native

    keep_store_checks = False
    if word in idioms():
        orders = itertools.permutations(idioms()[word].threads)
        return tuple(dict.fromkeys(id_of(Program(threads)) for threads in orders))
    expected = f"an id or one of the idioms {', '.join(idioms())}"
    if ID_PATTERN.fullmatch(word):
        try:
            (form,) = _native.normalise([word], keep_store_checks)
        except InputError as error:  # words such as `mute` look like ids
            raise unknown("contains", word, idioms(), f"{expected}; as an {error}") from error
        if not form:
            raise InputError(
                f"contains: the program {word!r} consists of no-ops; name a program with another instruction"
            )
        return (form,)
    raise unknown("contains", word, idioms(), expected)
