"""Describe the steps and workgroups of an emitted test, so that the definitions and any device can be compared.

A step is (thread, pc, memory before, next location or None at the end, memory, flags). A place says which thread of
which instance a workgroup was.
"""

import itertools

from emitted import written
from synth_checker.programs.program import Instruction, program
from synth_checker.twin import semantics

STOPPED = 2**32 - 1
#: The flag of a thread that has finished.
FINISHED = 2


def cases_of(threads):
    """Return every thread, location (including the end) and memory: every step of the program, reachable or not."""
    contents = list(itertools.product(range(threads.values() + 1), repeat=threads.locations()))
    return [
        (tid, pc, memory) for tid, thread in enumerate(threads) for pc in range(len(thread) + 1) for memory in contents
    ]


def steps_of_the_definitions(threads):
    """Return the steps by section 1 of the definitions.

    A thread at its end changes only its flag, which then says that it has finished.
    """
    found = set()
    for tid, pc, memory in cases_of(threads):
        if pc == len(threads[tid]):
            flags = tuple(FINISHED * (k == tid) for k in range(len(threads)))
            found.add((tid, pc, memory, None, memory, flags))
        else:
            pcs = tuple(pc if k == tid else 0 for k in range(len(threads)))
            after = semantics.step(threads, semantics.State(memory, pcs), tid)
            found.add((tid, pc, memory, after.pcs[tid], after.memory, (0,) * len(threads)))
    return found


#: A program that tells who ran: each thread stores something else in a location of its own.
def telling(threads):
    return written(program(*([Instruction(tid, 0, 1, tid + 1)] for tid in range(threads))))


def step_of(threads, case, line):
    locations = threads.locations()
    at_end = line[0] == STOPPED
    return (*case, None if at_end else line[0], tuple(line[1 : 1 + locations]), tuple(line[1 + locations :]))


def place_of(launch, words, changed):
    """Return the place of a workgroup by what it changed.

    It is None if it changed no instance. It is all its changes, of memory and of flags, if they belong to no single
    place: for example, if its lanes run several threads.
    """
    size = launch.threads * launch.instances
    values = [(*divmod(k, launch.threads), value) for k, value in enumerate(changed[:size]) if value]
    flags = [divmod(k, launch.threads) for k, value in enumerate(changed[words:]) if value]
    if values == [(*place, place[1] + 1) for place in flags] and len(flags) < 2:
        return flags[0] if flags else None
    return values, flags


def places_by_counting(launch, words, ran):
    """Return the places of workgroups: a workgroup is what changes if one more is launched.

    `ran(n)` returns what n of them leave in memory and flags.
    """
    before = [0] * (words + launch.threads * launch.instances)
    places = []
    for workgroups in range(1, launch.workgroups + 1):
        after = ran(workgroups)
        places.append(place_of(launch, words, [a - b for a, b in zip(after, before, strict=True)]))
        before = after
    return places


def steps_in_a_row(threads, after, memory, flags):
    """Return the steps of all cases, whose locations, memories and flags stand one after the other."""
    locations, size = threads.locations(), len(threads)
    return {
        step_of(
            threads, case, [after[k], *memory[k * locations : (k + 1) * locations], *flags[k * size : (k + 1) * size]]
        )
        for k, case in enumerate(cases_of(threads))
    }
