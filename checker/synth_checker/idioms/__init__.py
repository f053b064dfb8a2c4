"""Idioms are data: programs that have a name of their own, one text file each beside this module.

They are those of the paper's Table 3 and Figures 2, 3 and 8, and a barrier of two threads. In a file stand where the
idiom is from, its name, which is that of the file, and the program.

A program *is* an idiom if it equals it, or differs from it in the order of its threads and has its verdicts under the
six models. So two idioms may be the same but for that order, such as the two producers and consumers. A program
*contains* an idiom if that, with its threads in any order, is one of its sub-programs, whatever the verdicts.
"""

from __future__ import annotations

import functools
import itertools
from importlib.resources import files
from typing import TYPE_CHECKING, TypedDict

from synth_checker.errors import InternalError, check_ids
from synth_checker.programs.normal import id_of
from synth_checker.programs.program import Program
from synth_checker.programs.text import read_programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Annotation(TypedDict, total=False):
    """Further keys of a record: which idiom the test is, and which it contains; absent if none."""

    idiom: str
    contains: list[str]


@functools.cache
def idioms() -> Mapping[str, Program]:
    """The idioms by their names, in the order of these.

    Raises:
        InternalError: a file does not hold one program of its name.
    """
    found = {}
    for file in sorted(files("synth_checker.idioms").iterdir(), key=lambda file: file.name):
        name, _, suffix = file.name.partition(".")
        if suffix != "txt":
            continue
        programs = read_programs(file.read_text("utf-8"), file.name)
        if [one.name for one in programs] != [name]:
            msg = f"{file.name}: found {[one.name for one in programs]}, expected one program called {name}"
            raise InternalError(msg)
        found[name] = programs[0].program
    return found


def idiom_of(id_: str) -> str | None:
    """The idiom that a program, given by its id, is; None if there is none.

    Raises:
        InputError: the id can't be read.
    """
    return idioms_of([id_])[0]


def idioms_of(ids: Iterable[str]) -> list[str | None]:
    """For each program, given by its id, what `idiom_of` says of it.

    Raises:
        InputError: an id can't be read.
    """
    return list(map(_named().get, _normalised(list(ids))))


def reordered_idiom(id_: str) -> str | None:
    """The idiom that a program, given by its id, equals up to the order of its threads, whatever its verdicts.

    Raises:
        InputError: the id can't be read.
    """
    return _orders().get(_normalised([id_])[0])


def contains(id_: str) -> list[str]:
    """The idioms that are among the sub-programs of a program, given by its id, up to the order of their threads.

    Raises:
        InputError: the id can't be read.
    """
    return annotated([id_])[0].get("contains", [])


def annotated(ids: Sequence[str]) -> list[Annotation]:
    """For each program, given by its id, what `idiom_of` and `contains` say of it.

    Stores compare with 0 in what is looked for, so all do in what is looked at, whichever rules are in force.

    Raises:
        InputError: an id can't be read.
    """
    from synth_checker import _native

    check_ids(ids)
    named, names = _named(), _orders()
    orders = list(names)
    forms = _normalised(ids)
    found: list[Annotation] = []
    for form, places in zip(forms, _native.contained(forms, orders), strict=True):
        annotation: Annotation = {}
        if form in named:
            annotation["idiom"] = named[form]
        inside = {names[orders[place]] for place in places if orders[place] != form}
        if inside:
            annotation["contains"] = sorted(inside)
        found.append(annotation)
    return found


@functools.cache
def _named() -> Mapping[str, str]:
    """The name of the idiom by the id of each order of its threads that has its verdicts."""
    from synth_checker.verdicts import judge

    orders = _orders()
    verdicts = dict(zip(orders, judge(list(orders)), strict=True))
    of_idiom = {name: verdicts[id_of(program)] for name, program in idioms().items()}
    return {id_: name for id_, name in orders.items() if verdicts[id_] == of_idiom[name]}


@functools.cache
def _orders() -> Mapping[str, str]:
    """The name of the idiom by the id of each order of its threads; the order in its file comes first."""
    names = {id_of(program): name for name, program in idioms().items()}
    for name, program in idioms().items():
        for threads in itertools.permutations(program.threads):
            names.setdefault(id_of(Program(threads)), name)
    return names


def _normalised(ids: Sequence[str]) -> list[str]:
    from synth_checker import _native

    keep_store_checks = False
    return _native.normalise(ids, keep_store_checks)
