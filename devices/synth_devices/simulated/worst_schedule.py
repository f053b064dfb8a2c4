"""The worst schedule of a test that a model allows (`synth_devices.sim.adversary`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_backends.mapping import read_mapping
from synth_devices.sim import adversary
from synth_devices.sim.attacks import broken_promise
from synth_devices.sim.scheduler import Scheduler
from synth_devices.sim.simulation import Simulator
from synth_litmus.inputs.models import given_model
from synth_litmus.inputs.questions import program_given

if TYPE_CHECKING:
    from synth_checker.programs.program import Program
    from synth_devices.sim.adversary import Attack, Table
    from synth_litmus.inputs.questions import Given


def attack(program: Given, verdict: str) -> Attack | None:
    """Return a schedule that keeps the promise of a verdict's model and makes a program hang; None if there is none.

    The program takes the steps of the stem once, and then those of the cycle without end. The verdict belongs to the
    library or to a model of your own. A model means both its forms. Whatever keeps the strong promise keeps the weak
    one.

    Raises:
        InputError: there is no such verdict, or the program can't be read.
        LimitError: the program reaches too many states, or has too many threads for the model.
    """
    litmus_program = program_given(program)
    model, forms = given_model(verdict)
    return adversary.attack(steps_of(litmus_program), model.automaton(len(litmus_program)), forms[-1])


def steps_of(program: Program) -> Table:
    """Return the steps of one instance of a program on the simulated device."""
    return Simulator(Scheduler((1, 1)), program, read_mapping("plain"), 1).table()


def why_unfair(lasso: Attack, program: Program, verdict: str) -> str | None:
    """Return why an attack does not keep the promise of a verdict's model; None if it does.

    A model means both its forms. The reason is that of the first promise that is not kept.

    Raises:
        InputError: there is no such verdict.
    """
    model, forms = given_model(verdict)
    automaton = model.automaton(len(program))
    broken = (broken_promise(lasso, program, automaton, form) for form in forms)
    return next((why for why in broken if why is not None), None)
