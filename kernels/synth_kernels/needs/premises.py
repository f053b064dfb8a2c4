"""What an answer about launches of a kernel rests on, a few words an item, and what there is to remark about it.

`synth_kernels.premises` has the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_documents.phrases import listed, shortened
from synth_kernels.floats import can_run
from synth_kernels.premises import LIMITING, premise, source_notes
from synth_kernels.program import Access, Arbitrary, Barrier, Opaque
from synth_kernels.progress.counters import counted_loops
from synth_kernels.progress.plain_spins import plain_spins
from synth_kernels.scopes import narrow_scope_reason, wider_access_reason
from synth_kernels.word_functions import is_word_function

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_kernels.needs import Needs
    from synth_kernels.premises import Premise

#: The text of an argument is shown up to so many letters, and so many names of a list.
_LETTERS, _NAMES = 24, 3


def premises_of(needs: Needs) -> list[str]:
    """Return what an answer rests on.

    Launches have sizes and values, and run in all orders. So what leaves out executions of other launches is no
    premise, but that different parameters do not overlap is one.
    """
    of_kernel = [
        premise for premise in needs.kernel.premises if premise.name not in LIMITING or premise.name == "overlap"
    ]
    return [of_launch.text for of_launch in (*_of_launches(needs), *of_kernel, *_of_values(needs), *_of_device(needs))]


def _of_launches(needs: Needs) -> Iterator[Premise]:
    yield premise("launches", *launch_words(needs))
    for name, argument in needs.query.arguments.items():
        yield premise("argument", name, shortened(argument.text, _LETTERS))


def _of_values(needs: Needs) -> Iterator[Premise]:
    steps = needs.kernel.steps
    functions = [step.function for step in steps if isinstance(step, Opaque) and can_run(step.function)]
    if floats := list(dict.fromkeys(function for function in functions if not is_word_function(function))):
        yield premise("floats", _shortened_list(floats))
    if any(isinstance(step, Arbitrary) and step.usual for step in steps):
        yield premise("no chance")


def _of_device(needs: Needs) -> Iterator[Premise]:
    rules, kernel = needs.query.rules, needs.kernel
    steps = kernel.steps
    yield premise("memory")
    if volatile := dict.fromkeys(step.array for step in steps if isinstance(step, Access) and step.is_volatile):
        yield premise("volatile", _shortened_list(volatile))
    if raced := raced_elements(needs):
        yield premise("raced", _shortened_list(f"{array}[{number}]" for array, number in raced))
    elif not needs.query.reduces and (plain := _plain_arrays(needs)):
        yield premise("plain", _shortened_list(plain))  # each access is a step, so nobody has looked which of them race
    barriers = [step for step in steps if isinstance(step, Barrier)]
    if rules.lockstep:
        yield premise("lockstep", rules.subgroup)
    elif any(barrier.scope == "subgroup" for barrier in barriers):
        yield premise("subgroup", rules.subgroup)
    if needs.threads > 1:
        yield premise("fair lanes")
    if rules.leave and barriers:
        yield premise("leave")
    if rules.one_barrier and any(barrier.scope == "group" for barrier in barriers):
        yield premise("one barrier")


def _plain_arrays(needs: Needs) -> dict[str, None]:
    """Return the arrays of several threads with accesses that are neither atomic nor volatile."""
    shared = {array.name for array in needs.kernel.arrays if array.space in {"global", "local"}}
    steps = needs.kernel.accesses
    return dict.fromkeys(
        step.array for step in steps if step.array in shared and step.kind != "atomic" and not step.is_volatile
    )


def launch_words(needs: Needs) -> tuple[str, str]:
    """Return the launches in words: how many workgroups they have, and the local size."""
    numbers = needs.workgroups
    first, last = numbers[0], numbers[-1]
    groups = "1 workgroup" if last == 1 else f"{first} workgroups" if first == last else f"{first} to {last} workgroups"
    return groups, " x ".join(map(str, needs.local))


def raced_elements(needs: Needs) -> list[tuple[str, int]]:
    """Return the elements that plain accesses race for, each by its array and number."""
    layouts = [(launch.space.machine.layout, launch.space.raced) for launch in needs.launches]
    return sorted({layout.names[element][::2] for layout, raced in layouts for element in raced})


def _shortened_list(names: Iterable[str]) -> str:
    """Return a list of names in words, of which not all are shown if there are many."""
    all_names = list(names)
    return listed(all_names if len(all_names) <= _NAMES else [*all_names[:_NAMES], f"{len(all_names) - _NAMES} more"])


def _about_lockstep(needs: Needs) -> str:
    if needs.lost is None:
        return "With independent lanes, there are too many states to say whether the answer needs lockstep."
    if not needs.lost:
        return "With independent lanes, the launches pass the same verdicts."
    return f"The answer needs lockstep: with independent lanes, a launch fails {', '.join(needs.lost)}."


def reason_of(needs: Needs) -> str:
    """Return why it is not known what launches pass, or nothing if it is."""
    narrow, wide = ([(needs.kernel, accesses)] for accesses in (needs.too_narrow, needs.of_two_widths))
    reasons = [narrow_scope_reason(narrow)] * bool(needs.too_narrow) + [wider_access_reason(wide)] * bool(
        needs.of_two_widths
    )
    return "; ".join(reasons)


def notes_of(needs: Needs) -> Iterator[str]:
    """Yield what there is to remark."""
    if needs.query.rules.lockstep:
        yield _about_lockstep(needs)
    yield from source_notes(needs.kernel)
    spaces = [launch.space for launch in needs.launches]
    spun = {line for space in spaces for line in space.spun}
    for line in sorted(spun.union(plain_spins(needs.kernel, {name for name, _ in raced_elements(needs)}))):
        where = spaces[0].machine.where(line)
        yield (
            f"{where}: this loop waits on a plain read. A compiler may read only once, and then the loop never ends. "
            "Make the read atomic or volatile."
        )
    for line in counted_loops(needs.kernel):
        where = spaces[0].machine.where(line)
        yield f"{where}: a counter ends this loop. Each count makes more states. The answer holds for this limit only."
