"""What is wanted of a test beyond the rules: the verdicts it passes and fails, and how it is built.

This is the query of directed synthesis: a test is an answer if it keeps the rules in force and all that is said here.
Verdicts are decided by the core, and only those that are named; what can be read off the id is read off it first.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, check_type, several
from synth_checker.idioms import idioms
from synth_checker.models import Model, library, verdict_names
from synth_checker.nearest import unknown
from synth_checker.programs.id_layout import (
    EXCH,
    ID_PATTERN,
    LOC,
    NO_EXCHANGE,
    TARGET,
    joined,
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
    """A query: names of verdicts that a test passes and fails, out of those of `models`, and what else is asked of it.

    - `contains`: idioms by name, in any order of their threads, and programs by id; each is the test or a sub-program
    - `locations`: it uses exactly so many
    - `no_exchange_branches`: whatever exchanges is a store
    - `silent_thread`: some thread has no exchange, so it never stores
    - `thread_symmetric`: every order of its threads is the same program

    Raises:
        InputError: an unknown verdict, one that is to be passed and failed, or a word that is neither idiom nor the id
            of a program that does something.
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
            object.__setattr__(self, option, tuple(several(option, getattr(self, option))))
        check_type("locations", self.locations, (int, NoneType), "a number")
        names = verdict_names(self.models)
        for option, words in (("pass", self.passes), ("fail", self.fails)):
            for name in words:
                if name not in names:
                    raise unknown(option, name, names)
        for name in self.passes:
            if name in self.fails:
                msg = f"fail: found {name!r}, which is to be passed, expected another verdict"
                raise InputError(msg)
        for word in self.contains:
            _orders_of(word)

    def among(self, ids: Sequence[str]) -> list[str]:
        """Those of some programs in normal form, given by their ids, that are as wanted, in their order.

        Raises:
            InputError: an id can't be read.
            LimitError: a program is too large to be judged.
        """
        left = [id_ for id_ in ids if self._is_built_so(id_)]
        if self.thread_symmetric:
            left = _thread_symmetric(left)
        models = self.judged
        if models and left:
            mask, value = self._bits(models)
            left = [id_ for id_, passed in zip(left, judge(left, models), strict=True) if passed & mask == value]
        for word in self.contains:
            left = _containing(left, _orders_of(word))
        return left

    @property
    def judged(self) -> tuple[Model, ...]:
        """The models whose verdicts are named."""
        named = {*self.passes, *self.fails}
        return tuple(model for model in self.models if named.intersection(model.verdicts))

    def impossible(self, threads: int) -> tuple[Verdict, Verdict] | None:
        """A verdict to pass and one to fail, such that by inclusion no program of up to so many threads does both."""
        verdicts = {verdict.name: verdict for verdict in verdicts_of(self.judged)}
        pairs = itertools.product((verdicts[name] for name in self.passes), (verdicts[name] for name in self.fails))
        return next((pair for pair in pairs if is_implied(*pair, threads)), None)

    def _bits(self, models: tuple[Model, ...]) -> tuple[int, int]:
        """Which bits of a verdict mask matter, and what they are to be."""
        names = verdict_names(models)
        passes = sum(1 << names.index(name) for name in set(self.passes))
        return passes | sum(1 << names.index(name) for name in set(self.fails)), passes

    def _is_built_so(self, id_: str) -> bool:
        """What can be read off an id."""
        if self.locations is not None and 1 + number(max(_locations(id_))) != self.locations:
            return False
        if self.no_exchange_branches and any(_has_exchange_branch(thread) for thread in threads_of(id_)):
            return False
        return not self.silent_thread or any(set(thread[EXCH]) == {NO_EXCHANGE} for thread in threads_of(id_))


def _locations(id_: str) -> str:
    """The digits of all locations; names are given by first use, so the highest tells how many there are."""
    return "".join(thread[LOC] for thread in threads_of(id_))


def _has_exchange_branch(thread: str) -> bool:
    targets = zip(thread[EXCH], thread[TARGET], strict=True)
    return any(exch != NO_EXCHANGE and number(target) != pc + 1 for pc, (exch, target) in enumerate(targets))


def _thread_symmetric(ids: list[str]) -> list[str]:
    """Those that exchanging any two neighbouring threads leaves as they are, which makes every order of them."""
    from synth_checker import _native

    keep_store_checks = True
    left = ids
    for place in range(max((thread_count(id_) - 1 for id_ in ids), default=0)):
        exchanged = _native.normalise([_exchanged(id_, place) for id_ in left], keep_store_checks)
        left = [id_ for id_, other in zip(left, exchanged, strict=True) if id_ == other]
    return left


def _exchanged(id_: str, place: int) -> str:
    threads = threads_of(id_)
    threads[place : place + 2] = reversed(threads[place : place + 2])
    return joined(threads)


def _containing(ids: list[str], parts: Sequence[str]) -> list[str]:
    """Those that have one of some programs among their sub-programs, or are one; stores compare with 0."""
    from synth_checker import _native

    keep_store_checks = False
    forms = _native.normalise(ids, keep_store_checks)
    return [id_ for id_, places in zip(ids, _native.contained(forms, parts), strict=True) if places]


def _orders_of(word: str) -> tuple[str, ...]:
    """The normal forms that a word asks for: an idiom in every order of its threads, or the program with an id."""
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
            msg = f"contains: found {word!r}, nothing but no-ops, expected an instruction that does something"
            raise InputError(msg)
        return (form,)
    raise unknown("contains", word, idioms(), expected)
