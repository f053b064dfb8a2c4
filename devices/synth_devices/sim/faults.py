"""Faults that `synth sim power` plants in a simulated scheduler, and the verdict that each of them breaks.

A fault makes the scheduler do one thing wrong (checker/native/simulation/faults.hpp). Without the fault, the scheduler
implies a verdict: every test that passes the verdict ends. A conformance suite of this verdict should find the fault:
some test of the suite passes the verdict, and hangs on the faulty scheduler. A fault with `hides_in_plain` shows only
if a launch has more than `PLAIN_THREADS` workgroups. Under the mapping `plain`, a launch has a workgroup for each
thread of the test. So no launch under `plain` shows such a fault, if the test has at most `PLAIN_THREADS` threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_devices.sim.scheduler import MOST, Scheduler

#: Schedulers that keep a promise; docs/understand/sim.md has the arguments. The numbers of slots are small, so that
#: launches of some hundred workgroups fill them.
_ONE = Scheduler((1, 1))
_IN_ORDER = Scheduler((16, 16))
_RESIDENT = Scheduler((MOST, MOST))
_LOCKSTEP = Scheduler((MOST, MOST), pick="rotate")
_PREEMPTIVE = Scheduler((8, 8), quantum=7, pick="rotate")
_RESTLESS = Scheduler((8, 8), quantum=1, pick="rotate")


@dataclass(frozen=True, slots=True)
class SchedulerFault:
    """A fault of a scheduler: its name, what goes wrong, the scheduler without the fault, and the verdict it breaks.

    The scheduler without the fault implies this verdict.
    """

    name: str
    about: str
    scheduler: Scheduler
    verdict: str
    hides_in_plain: bool


#: The most threads of a test that hides each fault with `hides_in_plain` under the mapping `plain`.
PLAIN_THREADS = 6
_SHOWS_IN_PLAIN = {
    "forgets-last",
    "second-first",
    "keeps-three-back",
    "starts-pairs",
    "skips-last-slot",
    "sticks",
    "loses-preempted",
}

FAULTS = tuple(
    SchedulerFault(name, about, scheduler, verdict, name not in _SHOWS_IN_PLAIN)
    for name, about, scheduler, verdict in (
        ("reversed-queue", "Workgroups start by falling number.", _IN_ORDER, "LOBE.strong"),
        ("swapped-halves", "The second half of the workgroups starts first.", _IN_ORDER, "HSA.strong"),
        ("odd-first", "Workgroups with odd numbers start first.", _IN_ORDER, "HSA+OBE.strong"),
        ("forgets-last", "The last workgroup never starts.", _RESIDENT, "fair.strong"),
        ("forgets-each-seventh", "Every seventh workgroup never starts.", _RESIDENT, "fair.strong"),
        ("forgets-after-64", "Only the first 64 workgroups start.", _RESIDENT, "fair.strong"),
        (
            "newest-first",
            "A free slot takes the last workgroup of the queue instead of the first.",
            _IN_ORDER,
            "LOBE.strong",
        ),
        (
            "second-first",
            "A free slot takes the second workgroup of the queue instead of the first.",
            _ONE,
            "HSA.strong",
        ),
        ("slots-retire", "A slot takes no more workgroups after three have run in it.", _IN_ORDER, "HSA.strong"),
        ("keeps-three-back", "The last three workgroups of the queue never get a slot.", _IN_ORDER, "HSA.strong"),
        (
            "starts-pairs",
            "A slot takes two workgroups at once, and runs one after the other.",
            _IN_ORDER,
            "LOBE.strong",
        ),
        (
            "skips-last-slot",
            "The workgroup in the last occupied slot steps only if no other slot is occupied.",
            _LOCKSTEP,
            "fair.weak",
        ),
        (
            "skips-far-slots",
            "Workgroups in the ninth and later slots step only if the first eight slots are empty.",
            _LOCKSTEP,
            "fair.weak",
        ),
        ("sticks", "The workgroup that has begun to step goes on until it ends.", _LOCKSTEP, "fair.weak"),
        (
            "sticks-when-crowded",
            "If more than eight slots have workgroups, the one that has begun to step goes on until it ends.",
            _LOCKSTEP,
            "fair.weak",
        ),
        (
            "skips-odd-when-crowded",
            "If 32 or more slots have workgroups, those in odd slots step only if no even slot has one.",
            _LOCKSTEP,
            "LOBE.weak",
        ),
        ("loses-preempted", "A pre-empted workgroup never steps again.", _RESTLESS, "OBE.weak"),
        ("preempted-first", "A pre-empted workgroup goes to the front of the queue.", _PREEMPTIVE, "fair.weak"),
        ("stops-preempting", "After 100 pre-emptions, the scheduler pre-empts no more.", _PREEMPTIVE, "fair.weak"),
        (
            "loses-preempted-when-crowded",
            "If 17 or more workgroups wait, a pre-empted workgroup never steps again.",
            _PREEMPTIVE,
            "fair.weak",
        ),
    )
)
