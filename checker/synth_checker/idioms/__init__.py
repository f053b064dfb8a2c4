"""Idioms as data: programs that have a name, one text file each in the folder of this module.

The idioms are those of the paper's Table 3 and Figures 2, 3 and 8, and a barrier of two threads. A file says where the
idiom comes from, the name of the idiom (which is also that of the file), and the program.

A program *is* an idiom if it equals the program of the idiom. It also is the idiom if it differs from that program only
in the order of its threads, and has the same verdicts under the six models. So two different idioms may differ only in
the order of their threads, if they have different verdicts. The two idioms of a producer and a consumer do. A program
*contains* an idiom if the idiom, with its threads in any order, is one of the program's sub-programs. The verdicts do
not matter for this.
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
    """Optional keys in the record of a test: the idiom that the test is, and the idioms that it contains."""

    idiom: str
    contains: list[str]


@functools.cache
def idioms() -> Mapping[str, Program]:
    """Return the programs of all idioms by their names, sorted by name.

    Raises:
        InternalError: a file does not hold exactly one program with the file's name.
    """
    programs_by_name = {}
    for file in sorted(files("synth_checker.idioms").iterdir(), key=lambda file: file.name):
        name, _, suffix = file.name.partition(".")
        if suffix != "txt":
            continue
        programs = read_programs(file.read_text("utf-8"), file.name)
        if [program.name for program in programs] != [name]:
            raise InternalError(
                f"{file.name}: found programs named {[program.name for program in programs]}, expected one named {name}"
            )
        programs_by_name[name] = programs[0].program
    return programs_by_name


def idiom_of(id_: str) -> str | None:
    """Return the name of the idiom that a program is, or None if it is not an idiom.

    Raises:
        InputError: the id cannot be read.
    """
    return idioms_of([id_])[0]


def idioms_of(ids: Iterable[str]) -> list[str | None]:
    """Return, for each program in `ids`, the name of the idiom that it is, or None if it is not an idiom.

    Raises:
        InputError: an id cannot be read.
    """
    return list(map(_named().get, _normalised(list(ids))))


def reordered_idiom(id_: str) -> str | None:
    """Return the name of the idiom that equals a program apart from the order of threads, or None if there is none.

    The verdicts of the program do not matter for this.

    Raises:
        InputError: the id cannot be read.
    """
    return _orders().get(_normalised([id_])[0])


def contains(id_: str) -> list[str]:
    """Return the names of the idioms that are sub-programs of a program, with their threads in any order.

    Raises:
        InputError: the id cannot be read.
    """
    return annotated([id_])[0].get("contains", [])


def annotated(ids: Sequence[str]) -> list[Annotation]:
    """Return, for each program in `ids`, the idiom that it is and the idioms that it contains.

    In idioms, every store compares with 0. So all stores of a program are taken to compare with 0, whichever rules are
    in force.

    Raises:
        InputError: an id cannot be read.
    """
    from synth_checker import _native

    check_ids(ids)
    named, names = _named(), _orders()
    orders = list(names)
    forms = _normalised(ids)
    annotations: list[Annotation] = []
    for form, places in zip(forms, _native.contained(forms, orders), strict=True):
        annotation: Annotation = {}
        if form in named:
            annotation["idiom"] = named[form]
        inside = {names[orders[place]] for place in places if orders[place] != form}
        if inside:
            annotation["contains"] = sorted(inside)
        annotations.append(annotation)
    return annotations


@functools.cache
def _named() -> Mapping[str, str]:
    """Return the name of an idiom by id, for each order of its threads that has the idiom's verdicts."""
    from synth_checker.verdicts import judge

    orders = _orders()
    verdicts = dict(zip(orders, judge(list(orders)), strict=True))
    of_idiom = {name: verdicts[id_of(program)] for name, program in idioms().items()}
    return {id_: name for id_, name in orders.items() if verdicts[id_] == of_idiom[name]}


@functools.cache
def _orders() -> Mapping[str, str]:
    """Return the name of an idiom by id, for each order of its threads; the order in its file comes first."""
    names = {id_of(program): name for name, program in idioms().items()}
    for name, program in idioms().items():
        for threads in itertools.permutations(program.threads):
            names.setdefault(id_of(Program(threads)), name)
    return names


def _normalised(ids: Sequence[str]) -> list[str]:
    from synth_checker import _native

    keep_store_checks = False
    return _native.normalise(ids, keep_store_checks)
