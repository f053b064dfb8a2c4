"""What an answer about launches of a kernel rests on, a few words an item. `synth_kernels.premises` has the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import cut, listed
from synth_kernels.floats import can_run
from synth_kernels.premises import LIMITING, premise
from synth_kernels.program import Access, Arbitrary, Barrier, Opaque
from synth_kernels.word_functions import is_word_function

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.needs import Needs
    from synth_kernels.premises import Premise

#: The text of an argument is shown up to so many letters, and so many names of a list.
_LETTERS, _NAMES = 24, 3


def premises_of(found: Needs) -> list[str]:
    """Return what an answer rests on.

    Launches have sizes and values, and run in all orders. So what leaves out executions of other launches is no
    premise, but that different parameters do not overlap is one.
    """
    of_kernel = [
        premise for premise in found.kernel.premises if premise.name not in LIMITING or premise.name == "overlap"
    ]
    return [of_launch.text for of_launch in (*_of_launches(found), *of_kernel, *_of_values(found), *_of_device(found))]


def _of_launches(found: Needs) -> Iterator[Premise]:
    yield premise("launches", *launch_words(found))
    for name, argument in found.asked.given.items():
        yield premise("argument", name, cut(argument.text, _LETTERS))


def _of_values(found: Needs) -> Iterator[Premise]:
    steps = [step for block in found.kernel.blocks for step in block.instructions]
    functions = [step.function for step in steps if isinstance(step, Opaque) and can_run(step.function)]
    if floats := list(dict.fromkeys(function for function in functions if not is_word_function(function))):
        yield premise("floats", _few(floats))
    if any(isinstance(step, Arbitrary) and step.usual for step in steps):
        yield premise("no chance")


def _of_device(found: Needs) -> Iterator[Premise]:
    rules, kernel = found.asked.rules, found.kernel
    steps = [step for block in kernel.blocks for step in block.instructions]
    yield premise("memory")
    if volatile := dict.fromkeys(step.array for step in steps if isinstance(step, Access) and step.is_volatile):
        yield premise("volatile", _few(volatile))
    if raced := raced_in(found):
        yield premise("raced", _few(f"{array}[{number}]" for array, number in raced))
    elif not found.asked.reduces and (plain := _plain(found)):
        yield premise("plain", _few(plain))  # each access is a step, so nobody has looked which of them race
    barriers = [step for step in steps if isinstance(step, Barrier)]
    if rules.lockstep:
        yield premise("lockstep", rules.subgroup)
    elif any(barrier.scope == "subgroup" for barrier in barriers):
        yield premise("subgroup", rules.subgroup)
    if found.threads > 1:
        yield premise("fair lanes")
    if rules.leave and barriers:
        yield premise("leave")
    if rules.one_barrier and any(barrier.scope == "group" for barrier in barriers):
        yield premise("one barrier")


def _plain(found: Needs) -> dict[str, None]:
    """Return the arrays of several threads with accesses that are neither atomic nor volatile."""
    shared = {array.name for array in found.kernel.arrays if array.space in {"global", "local"}}
    steps = [step for block in found.kernel.blocks for step in block.instructions if isinstance(step, Access)]
    return dict.fromkeys(
        step.array for step in steps if step.array in shared and step.kind != "atomic" and not step.is_volatile
    )


def launch_words(found: Needs) -> tuple[str, str]:
    """Return the launches in words: how many workgroups they have, and the local size."""
    numbers = found.workgroups
    first, last = numbers[0], numbers[-1]
    groups = "1 workgroup" if last == 1 else f"{first} workgroups" if first == last else f"{first} to {last} workgroups"
    return groups, " x ".join(map(str, found.local))


def raced_in(found: Needs) -> list[tuple[str, int]]:
    """Return the elements that plain accesses race for, each by its array and number."""
    layouts = [(launch.space.machine.layout, launch.space.raced) for launch in found.launches]
    return sorted({layout.names[element][::2] for layout, raced in layouts for element in raced})


def _few(names: Iterable[str]) -> str:
    """Return a list of names in words, of which not all are shown if there are many."""
    found = list(names)
    return listed(found if len(found) <= _NAMES else [*found[:_NAMES], f"{len(found) - _NAMES} more"])
