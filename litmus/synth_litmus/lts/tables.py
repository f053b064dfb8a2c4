"""Write transition systems for other tools: as Aldebaran text for CADP (and mCRL2, LTSmin, ...), and as JSON.

Aldebaran (https://cadp.inria.fr/man/aut.html) has a line `des (START, STEPS, STATES)` and then a line for each step.
The labels are those of section 4 of the paper, `Step !THREAD !AXB(LOC,CHECK,TARGET,EXCHANGES,VALUE)`. With a model, a
label also has the fair set. Terminated states have no steps, not even CADP's `exit`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth_checker.programs.normal import written_out
from synth_documents.phrases import written_set
from synth_litmus.states import DescribedState, state_values
from synth_storage.answer_json import json_of

if TYPE_CHECKING:
    from synth_checker.transitions.transition_system import AnyState
    from synth_litmus.lts import Lts, ProgramLts


def write_aut(lts: Lts[AnyState]) -> str:
    """Return a transition system as text in the Aldebaran format."""
    lines = [f"des (0, {len(lts.transitions)}, {len(lts.product.states)})"]
    for source, thread, target, *_ in lts.transitions:
        label = lts.system.label(lts.product.states[source].system, thread)
        fair = "" if lts.model is None else f" !{written_set(lts.product.fair[source])}"
        lines.append(f'({source}, "Step !{thread} !{label}{fair}", {target})')
    return "\n".join([*lines, ""])


def write_json(lts: ProgramLts) -> str:
    """Return the transition system of a program as a JSON object.

    A state is given by its place in the list `states`, and the first one is the start.
    """
    states = [
        json_of(state.system if lts.model is None else DescribedState(*state_values(state, fair)))
        for state, fair in zip(lts.product.states, lts.product.fair, strict=True)
    ]
    transitions = [each._asdict() for each in lts.transitions]
    if lts.model is None:
        for each in transitions:
            del each["for_ever"]
    program = written_out(lts.of.program)
    fields = {
        "id": lts.of.id,
        **({"with_no_ops": program} if program != lts.of.id else {}),
        "name": lts.of.name,
        "model": None if lts.model is None else lts.model.name,
        "states": states,
        "transitions": transitions,
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"
