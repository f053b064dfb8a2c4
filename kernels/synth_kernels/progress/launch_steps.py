"""The steps of a launch: which threads can take one, and the state after it.

A thread that waits at a barrier takes no step. The arrival of the last thread of the group (or of the launch, for a
barrier of the grid) lets all of them go on to their next steps. If lanes are in lockstep, those of a subgroup that
stand at the same place arrive at a barrier together, and the step counts as that of the first lane. At an access, each
lane takes a step of its own, in any order. It is then held until the other lanes there have done so, too.

Each step is checked: its accesses must not conflict with plain accesses that other threads have made lately, which is
since their last access or release from a barrier. The page docs/do/progress.md says why this is enough, and why most
arrivals at barriers need no steps of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from synth_kernels.progress.steps import conflicts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from synth_kernels.progress.machine import Machine
    from synth_kernels.progress.partial_values import Value
    from synth_kernels.progress.steps import AccessEffect, ThreadState, Touch

#: The memory, and the state of each thread.
State: TypeAlias = "tuple[tuple[Value, ...], tuple[ThreadState, ...]]"
#: Where threads stand that can take a step.
_CAN_STEP = frozenset({"access", "barrier"})


class RaceError(Exception):
    """Plain accesses conflict on these elements."""

    def __init__(self, elements: frozenset[int]) -> None:
        super().__init__(elements)
        self.elements = elements


class LaunchStep(NamedTuple):
    """A step: the state after it, and what its access did. At a barrier there is no access.

    `lanes` are the threads that take the step together. The access is that of the first one.
    """

    after: State
    deed: AccessEffect | None
    lanes: tuple[int, ...]


def first_state(machine: Machine) -> State:
    """Return the first state: each thread stands before its first step."""
    memory = machine.first_memory()
    threads: list[ThreadState] = []
    for number in range(len(machine.threads)):
        local = machine.starting(number, memory)
        _check(local.touched, threads)
        threads.append(local)
    return tuple(memory), tuple(threads)


def able_threads(machine: Machine, state: State) -> list[int]:
    """Return the threads that can take a step; of lanes that step together, the first one."""
    return [
        thread
        for thread, local in enumerate(state[1])
        if local.status in _CAN_STEP and local.held is None and lanes_with(machine, state[1], thread)[0] == thread
    ]


def lanes_with(machine: Machine, threads: Sequence[ThreadState], thread: int) -> tuple[int, ...]:
    """Return the threads that take the step of a thread together with it, and that thread."""
    if not machine.rules.lockstep or threads[thread].status != "barrier":
        return (thread,)
    return tuple(lane for lane in _lanes_of(machine, thread) if _place(threads[lane]) == _place(threads[thread]))


def _lanes_of(machine: Machine, thread: int) -> Sequence[int]:
    """Return the lanes of the subgroup of a thread."""
    members = machine.members[machine.group_of[thread]]
    first = (thread - members[0]) // machine.rules.subgroup * machine.rules.subgroup
    return members[first : first + machine.rules.subgroup]


def _place(local: ThreadState) -> tuple[object, ...]:
    return local.status, local.block, local.place, local.held


def _hold(machine: Machine, threads: list[ThreadState], thread: int, before: ThreadState) -> None:
    """Hold a lane that has made its access until the other lanes at this place have done so, or let them all go on."""
    lanes, place = _lanes_of(machine, thread), (before.block, before.place)
    if any(lane != thread and _place(threads[lane]) == _place(before) for lane in lanes):
        if threads[thread].status != "ended":
            threads[thread] = threads[thread]._replace(held=place)
        return
    for lane in lanes:
        if threads[lane].held == place:
            threads[lane] = threads[lane]._replace(held=None)


def step(machine: Machine, state: State, thread: int) -> LaunchStep:
    """Return the step of a thread that can take one.

    Raises:
        RaceError: an access of the step conflicts with a plain access of another thread.
    """
    memory, threads = list(state[0]), list(state[1])
    lanes = lanes_with(machine, threads, thread)
    deeds: list[AccessEffect] = []
    for lane in lanes:
        local = threads[lane]
        if local.status == "barrier":
            threads[lane] = local._replace(status="waiting")
            continue
        threads[lane], deed = machine.after_access(lane, local, memory)
        touched = threads[lane].touched | {(element, deed.after is not None) for element in deed.elements}
        if machine.rules.lockstep:
            _hold(machine, threads, lane, local)
        _check(touched, (local for number, local in enumerate(threads) if number != lane))
        if deed.before is None:  # for whoever reads the steps
            deed = deed._replace(before=machine.held(deed.elements, state[0]))
        deeds.append(deed)
    group = machine.group_of[thread]
    changed = {group}
    while meeting := _complete(machine, threads, group):
        _release(machine, threads, meeting, memory)
        changed |= {machine.group_of[member] for member in meeting}
    if machine.reduces and machine.rules.merges:
        for group_ in changed:
            for subgroup in _subgroups(machine, group_):
                _arrive(machine, threads, subgroup, ("subgroup",))
            _arrive(machine, threads, machine.members[group_], ("group", "grid"))
    return LaunchStep((tuple(memory), tuple(threads)), deeds[0] if deeds else None, lanes)


def _complete(machine: Machine, threads: Sequence[ThreadState], group: int) -> list[int]:
    """Return the threads that a barrier releases now, after a step of a group, or none."""
    members = machine.members[group]

    def waiting(among: Iterable[int], *scopes: str) -> int | None:
        of = (thread for thread in among if threads[thread].status == "waiting")
        return next((thread for thread in of if machine.barrier_of(threads[thread]).scope in scopes), None)

    for lanes in _subgroups(machine, group):
        for lane in lanes:
            if waiting((lane,), "subgroup") == lane and (meeting := _meeting(machine, threads, lane, lanes)):
                return meeting
    everybody = range(len(threads))
    if (waiting_thread := waiting(members, "group", "grid")) is None and (
        waiting_thread := waiting(everybody, "grid")
    ) is None:
        return []
    is_of_group = machine.barrier_of(threads[waiting_thread]).scope == "group"
    return _meeting(machine, threads, waiting_thread, members if is_of_group else everybody)


def _subgroups(machine: Machine, group: int) -> list[list[int]]:
    """Return the lanes of each subgroup of a group."""
    members, size = machine.members[group], machine.rules.subgroup
    return [members[first : first + size] for first in range(0, len(members), size)]


def _meeting(machine: Machine, threads: Sequence[ThreadState], thread: int, scope: Sequence[int]) -> list[int]:
    """Return the threads that meet at the barrier where a thread waits, if all of them are there, or none."""
    barrier, mask = machine.object_of(threads[thread]), machine.mask_of(thread, threads[thread])
    may_leave = machine.rules.leave or mask
    meeting = [
        number
        for lane, number in enumerate(scope)
        if (not mask or mask >> lane & 1) and not (may_leave and threads[number].status == "ended")
    ]

    def is_here(number: int) -> bool:
        local = threads[number]
        if local.status != "waiting" or machine.object_of(local) != barrier:
            return False
        return machine.mask_of(number, local) == mask

    return meeting if all(map(is_here, meeting)) else []


def _release(machine: Machine, threads: list[ThreadState], meeting: Sequence[int], memory: list[Value]) -> None:
    """Let threads go on that wait at a barrier."""
    for number in meeting:
        threads[number] = threads[number]._replace(touched=frozenset())
    for number in meeting:
        threads[number] = machine.after_barrier(number, threads[number], memory)
        _check(threads[number].touched, (thread for other, thread in enumerate(threads) if other != number))


def _arrive(machine: Machine, threads: list[ThreadState], members: Sequence[int], scopes: Collection[str]) -> None:
    """Let threads of a group or subgroup that stand before its barriers arrive, except for the last one that runs.

    If all of them are at one barrier, the last one is the one with the highest number, whoever came last. Arrivals of
    lanes whose mask leaves some lanes out stay steps of their own.
    """

    def stands_before(number: int) -> bool:
        local = threads[number]
        if local.status != "barrier" or local.held or machine.barrier_of(local).scope not in scopes:
            return False
        mask = machine.mask_of(number, local)
        return not mask or mask == (1 << len(members)) - 1

    running = [number for number in members if threads[number].status in _CAN_STEP]
    for number in tuple(running):
        if len(running) > 1 and stands_before(number):
            threads[number] = threads[number]._replace(status="waiting")
            running.remove(number)
    if len(running) != 1 or not stands_before(running[0]):
        return
    barrier = machine.object_of(threads[running[0]])
    live = [number for number in members if threads[number].status != "ended"]
    if all(machine.object_of(threads[number]) == barrier for number in live):
        threads[running[0]] = threads[running[0]]._replace(status="waiting")
        threads[live[-1]] = threads[live[-1]]._replace(status="barrier")


def _check(touched: frozenset[Touch], others: Iterable[ThreadState]) -> None:
    """Raise `RaceError` if accesses conflict with the plain accesses of other threads."""
    elements = frozenset[int]().union(*(conflicts(touched, other.touched) for other in others if other.touched))
    if elements:
        raise RaceError(elements)
