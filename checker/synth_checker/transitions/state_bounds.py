"""How many states a program reaches at least and at most, told without exploring them.

**At least.** Let the threads run one after another. Each runs alone, from the start of its code, and stops at any
program location that it comes to, on its first arrival there. Then the next one runs in the memory that is left. Where
all of them stand in the end is a state that the program reaches, since each of these runs is part of an execution.

No state is counted twice. We count choices of one location for each thread. A thread that runs alone takes the same
steps whenever it begins in the same memory. So by induction over the threads, the locations chosen so far decide the
memory in which the next thread begins, and so which locations it can come to. Each choice therefore is one state, and
two choices differ in the location of a thread.

It is enough to know how many choices lead to each memory. What is cut off, memories beyond the most frequent and steps
beyond the first, only makes the number smaller. So does leaving out the last threads: they stay at their start.

**At most.** A state is a location for each thread, its end included, and for each memory location a value that some
instruction writes there, or 0.
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

#: Memories that are kept of a thread's runs, and steps of a run: even of 32 threads this takes less than a second.
_MOST_MEMORIES, _MOST_STEPS = 100, 50


def check_states(program: Program, limit: int) -> None:
    """Refuse a program that surely reaches more states than a limit.

    Raises:
        LimitError: it does.
    """
    if at_most(program) > limit and at_least(program, limit) > limit:
        msg = f"id {excerpt(written_out(program))!r}: found a program of more than {limit} states"
        raise LimitError(f"{msg}, expected fewer threads or instructions")


def at_most(program: Program) -> int:
    """A number of states that a program does not exceed."""
    values: dict[int, set[int]] = defaultdict(lambda: {0})
    for _, _, i in program.instructions():
        if i.exch is not None:
            values[i.loc].add(i.exch)
    return prod(len(thread) + 1 for thread in program) * prod(map(len, values.values()))


def at_least(program: Program, enough: int) -> int:
    """A number of states that a program surely reaches, not counted on beyond `enough`."""
    start = (0,) * program.locations()
    return max(_one_after_another(order, start, enough) for order in (program.threads, program.threads[::-1]))


def _one_after_another(threads: Iterable[Thread], start: tuple[int, ...], enough: int) -> int:
    best, choices = 1, Counter({start: 1})
    for thread in threads:
        if best > enough:
            break
        after: Counter[tuple[int, ...]] = Counter()
        for memory, count in choices.items():
            for left in _arrivals(thread, memory).values():
                after[left] += count
        best = max(best, after.total())
        choices = Counter(dict(after.most_common(_MOST_MEMORIES)))
    return best


def _arrivals(thread: Thread, memory: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    """The locations to which a thread comes that runs alone, each with the memory of its first arrival."""
    alone, state = Program((thread,)), State(memory, (0,))
    found = {0: memory}
    for _ in range(_MOST_STEPS):
        if has_terminated(alone, state):
            break
        state = step(alone, state, 0)
        found.setdefault(state.pcs[0], state.memory)
    return found
