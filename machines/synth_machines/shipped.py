"""The machines that ship: a GPU's scheduler as a document prints it and repaired, and those of the simulated device.

What is printed has no initial values. So it ships with two completions: arrays that are empty at the start, and arrays
that are full.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from synth_checker.nearest import unknown
from synth_machines.components import INITIALISATION, Component, MachineComponent
from synth_machines.texts.assignments import read_assignment
from synth_machines.texts.reader import read_components

_FOLDER = Path(__file__).parent / "data"
_FILES = {
    "@gpu": "gpu.eventb",
    "@schedulers": "schedulers.eventb",
    "@gpu-printed": "gpu-printed.eventb",
    "@gpu-printed-full": "gpu-printed.eventb",
}
SHIPPED = tuple(_FILES)
#: The actions of INITIALISATION with full arrays, by their labels.
_FULL = {
    "act10": "blocsArray ≔ (0 ‥ k) × {b_wait}",
    "act11": "blocs_start_time ≔ (0 ‥ k) × {0}",
    "act12": "blocs_end_time ≔ (0 ‥ k) × {0}",
    "act30": "threadsArray ≔ (0 ‥ 31) × {asleep}",
    "act31": "threads_start_time ≔ (0 ‥ 31) × {0}",
    "act32": "threads_end_time ≔ (0 ‥ 31) × {0}",
}


def shipped(name: str) -> list[Component]:
    """Return the components that ship under a name.

    Raises:
        InputError: nothing ships under this name.
    """
    if name not in _FILES:
        raise unknown("machines", name, SHIPPED)
    components = read_components((_FOLDER / _FILES[name]).read_text("utf-8"))
    return list(map(_with_full_arrays, components)) if name.endswith("-full") else components


def _with_full_arrays(component: Component) -> Component:
    """Return a component whose arrays are full at the start."""
    if not isinstance(component, MachineComponent):
        return component
    first, *others = component.events
    assert first.label == INITIALISATION  # noqa: S101  (in the files that ship)
    actions = tuple(
        replace(action, assignment=read_assignment(_FULL[action.label])) if action.label in _FULL else action
        for action in first.actions
    )
    return replace(component, events=(replace(first, actions=actions), *others))
