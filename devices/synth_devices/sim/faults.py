"""Faults that can be planted in the simulated scheduler, and the promise that each breaks.

Each fault is one edit to the simulator (checker/native/simulation/faults.hpp). Without the fault, its scheduler implies
a verdict. A conformance suite of this verdict should find the fault: some test of the suite passes the verdict and
hangs. A fault with `hides_in_plain` needs more workgroups than one instance of a test has. So no launch under the
mapping `plain` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from synth_devices.sim.scheduler import MOST, Scheduler

#: Schedulers that keep a promise; docs/sim.md has the arguments. The numbers of slots are small, so that launches of
#: some hundred workgroups fill them.
_ONE = Scheduler((1, 1))
_IN_ORDER = Scheduler((16, 16))
_RESIDENT = Scheduler((MOST, MOST))
_LOCKSTEP = Scheduler((MOST, MOST), pick="rotate")
_PREEMPTIVE = Scheduler((8, 8), quantum=7, pick="rotate")
_RESTLESS = Scheduler((8, 8), quantum=1, pick="rotate")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: its name, what goes wrong, the scheduler without it, and the verdict that this scheduler implies."""

    name: str
    about: str
    scheduler: Scheduler
    verdict: str
    hides_in_plain: bool


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
    Fault(name, about, scheduler, verdict, name not in _SHOWS_IN_PLAIN)
    for name, about, scheduler, verdict in (
        ("reversed-queue", "Workgroups start by falling number.", _IN_ORDER, "LOBE.strong"),
        ("swapped-halves", "The second half of the workgroups starts first.", _IN_ORDER, "HSA.strong"),
        ("odd-first", "Workgroups with odd numbers start first.", _IN_ORDER, "HSA+OBE.strong"),
        ("forgets-last", "The last workgroup never starts.", _RESIDENT, "fair.strong"),
        ("forgets-each-seventh", "Each seventh workgroup never starts.", _RESIDENT, "fair.strong"),
        ("forgets-after-64", "Workgroups behind the first 64 never start.", _RESIDENT, "fair.strong"),
        ("newest-first", "A slot takes the last workgroup of the queue.", _IN_ORDER, "LOBE.strong"),
        ("second-first", "A slot takes the second workgroup of the queue.", _ONE, "HSA.strong"),
        ("slots-retire", "A slot is closed after three workgroups.", _IN_ORDER, "HSA.strong"),
        ("keeps-three-back", "The last three workgroups of the queue get no slot.", _IN_ORDER, "HSA.strong"),
        ("starts-pairs", "A slot takes two workgroups, and runs one after the other.", _IN_ORDER, "LOBE.strong"),
        ("skips-last-slot", "The last slot steps only if it is alone.", _LOCKSTEP, "fair.weak"),
        ("skips-far-slots", "Slots from the ninth on step only if they are alone.", _LOCKSTEP, "fair.weak"),
        ("sticks", "A slot steps until its workgroup ends.", _LOCKSTEP, "fair.weak"),
        ("sticks-when-crowded", "The same, if more than eight slots are occupied.", _LOCKSTEP, "fair.weak"),
        ("skips-odd-when-crowded", "Odd slots wait if 32 are occupied.", _LOCKSTEP, "LOBE.weak"),
        ("loses-preempted", "A pre-empted workgroup is lost.", _RESTLESS, "OBE.weak"),
        ("preempted-first", "A pre-empted workgroup goes to the front of the queue.", _PREEMPTIVE, "fair.weak"),
        ("stops-preempting", "After 100 pre-emptions there are no more.", _PREEMPTIVE, "fair.weak"),
        (
            "loses-preempted-when-crowded",
            "A pre-empted workgroup is lost if 17 wait.",
            _PREEMPTIVE,
            "fair.weak",
        ),
    )
)
