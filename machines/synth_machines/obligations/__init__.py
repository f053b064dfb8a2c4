"""Proof obligations: what must be proved of contexts and machines, with the names that Rodin gives.

for obligation in obligations_of(project.machine("kernel")):
    print(obligation.name, shown(obligation.goal))
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_machines.checked_components import CheckedMachine
from synth_machines.obligations.of_contexts import of_context
from synth_machines.obligations.of_machines import of_machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_machines.checked_components import CheckedContext
    from synth_machines.obligations.obligation import Obligation


def obligations_of(component: CheckedContext | CheckedMachine, *, as_rodin: bool = False) -> Iterator[Obligation]:
    """Yield the obligations of a component.

    With `as_rodin`, SIM obligations are those of Rodin, which compares other pairs of actions
    (`of_refinements`). If the component is not whole, the obligations are partial.
    """
    obligations = _obligations(component, as_rodin=as_rodin)
    return obligations if component.is_whole else (replace(obligation, is_partial=True) for obligation in obligations)


def _obligations(component: CheckedContext | CheckedMachine, *, as_rodin: bool) -> Iterator[Obligation]:
    if isinstance(component, CheckedMachine):
        return of_machine(component, as_rodin=as_rodin)
    return of_context(component)
