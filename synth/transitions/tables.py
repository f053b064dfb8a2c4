"""LTSs for other tools: as Aldebaran text for CADP (and mCRL2, LTSmin, ...), and as JSON.

Aldebaran (https://cadp.inria.fr/man/aut.html): a line `des (START, STEPS, STATES)`, then one line a step. The labels
are those of the paper's section 4, `Step !THREAD !AXB(LOC,CHECK,TARGET,EXCHANGES,VALUE)`, with a model also its fair
set. Terminated states have no steps, not even CADP's `exit`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from synth.explaining.answer import state_fields
from synth.words import written_set
from synth_checker.normal import written_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from synth.transitions import Lts
    from synth_checker.program import Instruction


def write_aut(lts: Lts) -> str:
    """The LTS in the Aldebaran format."""
    lines = [f"des (0, {len(lts.transitions)}, {len(lts.product.states)})"]
    for source, thread, target, *_ in lts.transitions:
        instruction = lts.program[thread][lts.product.states[source].pcs[thread]]
        fair = "" if lts.model is None else f" !{written_set(lts.product.fair[source])}"
        lines.append(f'({source}, "Step !{thread} !{_axb(instruction)}{fair}", {target})')
    return "\n".join([*lines, ""])


def write_json(lts: Lts) -> str:
    """The LTS as a JSON object; a state is known by its place in the list, the start being the first."""
    states: list[Mapping[str, object]] = []
    for state, fair in zip(lts.product.states, lts.product.fair, strict=True):
        states.append({"memory": state.memory, "pcs": state.pcs} if lts.model is None else state_fields(state, fair))
    transitions = [each._asdict() for each in lts.transitions]
    if lts.model is None:
        for each in transitions:
            del each["for_ever"]
    program = written_out(lts.program)
    fields = {
        "id": lts.id,
        **({"with_no_ops": program} if program != lts.id else {}),
        "name": lts.name,
        "model": None if lts.model is None else lts.model.name,
        "states": states,
        "transitions": transitions,
    }
    return json.dumps(fields, separators=(",", ":")) + "\n"


def _axb(i: Instruction) -> str:
    exchanges = "false,0" if i.exch is None else f"true,{i.exch}"
    return f"AXB({i.loc},{i.check},{i.target},{exchanges})"
