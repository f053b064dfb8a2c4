"""Compute normal forms by trying every renaming (definitions, section 2).

`is_normal` defines what a normal form is. `normal_form` deletes no-ops, tries all ways to name locations and values,
and returns the one that is normal. The time it takes grows with the factorial of the number of names.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from synth_checker.programs.program import Instruction, Program, Thread

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def is_normal(program: Program, *, keep_store_checks: bool = False) -> bool:
    """Return whether a program is in normal form.

    A program in normal form has no no-ops, and names locations and values in the order of first use. Unless
    `keep_store_checks` is true, each store (an instruction that writes and does not branch) has the check 0: the next
    instruction follows a store in any case, so its comparison decides nothing.
    """
    places = list(program.instructions())
    if any(i.target == pc + 1 and i.exch is None for _, pc, i in places):
        return False
    if not keep_store_checks and any(i.target == pc + 1 and i.check != 0 for _, pc, i in places):
        return False
    return _in_order(_locations(program), start=0) and _in_order(_non_zero_values(program), start=1)


def normal_form(program: Program, *, keep_store_checks: bool = False) -> Program:
    """Return the normal form of a program: of all its renamings without no-ops, the one that is normal."""
    instructions = [_zero_checked(t) if not keep_store_checks else t for t in map(_without_no_ops, program)]
    plain = Program(tuple(Thread(tuple(thread)) for thread in instructions if thread))
    normal = {p for p in _renamings(plain) if is_normal(p, keep_store_checks=keep_store_checks)}
    (the_only_one,) = normal
    return the_only_one


def _in_order(names: Iterable[int], *, start: int) -> bool:
    """Return whether the first appearances of the names are start, start + 1, and so on."""
    first_appearances = list(dict.fromkeys(names))
    return first_appearances == list(range(start, start + len(first_appearances)))


def _locations(program: Program) -> list[int]:
    return [i.loc for _, _, i in program.instructions()]


def _non_zero_values(program: Program) -> list[int]:
    return [value for _, _, i in program.instructions() for value in (i.check, i.exch) if value]


def _without_no_ops(thread: Thread) -> list[Instruction]:
    """Delete the no-ops of a thread. Jumps refer to labels: instruction k keeps the label k, and the end has one, too.

    A jump to a deleted label goes to the label that followed it. At the end, labels become positions again. The last
    no-op is deleted first; the definitions allow any order.
    """
    end = len(thread)
    lines = [(label, i.target) for label, i in enumerate(thread)]
    while True:
        following = [*(label for label, _ in lines), end][1:]
        no_ops = [
            (label, after)
            for (label, target), after in zip(lines, following, strict=True)
            if thread[label].exch is None and target == after
        ]
        if not no_ops:
            break
        gone, next_label = no_ops[-1]
        lines = [(label, next_label if target == gone else target) for label, target in lines if label != gone]
    position = {label: k for k, (label, _) in enumerate(lines)} | {end: len(lines)}
    return [
        Instruction(thread[label].loc, thread[label].check, position[target], thread[label].exch)
        for label, target in lines
    ]


def _zero_checked(thread: list[Instruction]) -> list[Instruction]:
    """Replace the check of each store by 0, because the comparison of a store decides nothing."""
    return [Instruction(i.loc, 0, i.target, i.exch) if i.target == pc + 1 else i for pc, i in enumerate(thread)]


def _renamings(program: Program) -> Iterator[Program]:
    """Yield the program under every naming of its locations from 0 on and of its non-zero values from 1 on."""
    locations = sorted(set(_locations(program)))
    values = sorted(set(_non_zero_values(program)))
    for location_names in itertools.permutations(range(len(locations))):
        for value_names in itertools.permutations(range(1, len(values) + 1)):
            yield renamed(
                program,
                dict(zip(locations, location_names, strict=True)),
                dict(zip(values, value_names, strict=True)) | {0: 0},
            )


def renamed(program: Program, locations: Mapping[int, int], values: Mapping[int, int]) -> Program:
    """Return a program with its locations and values replaced as the two mappings say."""
    return Program(
        tuple(
            Thread(
                tuple(
                    Instruction(locations[i.loc], values[i.check], i.target, None if i.exch is None else values[i.exch])
                    for i in thread
                )
            )
            for thread in program
        )
    )
