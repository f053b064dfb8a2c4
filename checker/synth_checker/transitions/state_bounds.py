"""A lower and an upper bound for the number of states that a program reaches, without exploring them.

**The lower bound.** Let the threads run one after another. Each runs alone from its start, and stops at one of the
program locations to which it comes, on its first arrival there. Then the next thread runs in the memory that results.
The state at the end can be reached, because all these runs together are one execution of the program.

We count the choices of one program location for each thread. No two choices give the same state: they differ in the
program location of some thread. Each choice gives exactly one state. A thread that runs alone takes the same steps
whenever it begins in the same memory. So the locations chosen for the first threads decide the memory in which the next
thread begins, and thereby the locations to which it can come.

It is enough to know how many choices lead to each content of the memory. We drop all contents except the most frequent
ones, and all steps of a run after the first ones. This only makes the bound lower. We may also stop before the last
threads, which then stay at their start.

**The upper bound.** A state consists of a program location for each thread (its end included) and a value for each
memory location. The value is 0 or one that some instruction writes there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import prod
from typing import TYPE_CHECKING

from synth_checker.errors import LimitError, excerpt
from synth_checker.programs.normal import written_out
from synth_checker.programs.program import Program, State
from synth_checker.twin.semantics import has_terminated, step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.programs.program import Thread

#: How many contents of the memory are kept for a thread, and how many steps of its run. With these numbers even a
#: program of 32 threads takes less than a second.
_MOST_MEMORIES, _MOST_STEPS = 100, 50


def check_states(program: Program, limit: int) -> None:
    """Raise LimitError if a program certainly reaches more than `limit` states."""
    if at_most(program) > limit and at_least(program, limit) > limit:
        msg = f"id {excerpt(written_out(program))!r}: this program has more than {limit} states"
        raise LimitError(f"{msg}; use fewer threads or instructions")


def at_most(program: Program) -> int:
    """Return a number of states that the program does not exceed."""
    values: dict[int, set[int]] = defaultdict(lambda: {0})
    for _, _, i in program.instructions():
        if i.exch is not None:
            values[i.loc].add(i.exch)
    return prod(len(thread) + 1 for thread in program) * prod(map(len, values.values()))


def at_least(program: Program, enough: int) -> int:
    """Return a number of states that the program certainly reaches. The count stops when it is above `enough`."""
    start = (0,) * program.locations()
    return max(_one_after_another(order, start, enough) for order in (program.threads, program.threads[::-1]))


def _one_after_another(threads: Iterable[Thread], start: tuple[int, ...], enough: int) -> int:
    best, choices = 1, Counter({start: 1})
    for thread in threads:
        if best > enough:
            break
        after: Counter[tuple[int, ...]] = Counter()
        for memory, count in choices.items():
            for memory_after in _arrivals(thread, memory).values():
                after[memory_after] += count
        best = max(best, after.total())
        choices = Counter(dict(after.most_common(_MOST_MEMORIES)))
    return best


def _arrivals(thread: Thread, memory: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """Return the locations to which a thread comes when it runs alone, each with the memory on its first arrival."""
    alone, state = Program((thread,)), State(memory, (0,))
    memories = {0: memory}
    for _ in range(_MOST_STEPS):
        if has_terminated(alone, state):
            break
        state = step(alone, state, 0)
        memories.setdefault(state.pcs[0], state.memory)
    return memories
