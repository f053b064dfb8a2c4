"""The words of Rodin's XML files, and what both reading and writing need."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synth_machines.components import Status

CORE = "org.eventb.core."
CONTEXT_FILE, MACHINE_FILE = f"{CORE}contextFile", f"{CORE}machineFile"
#: How the names of files end that hold a context or a machine.
CONTEXT_SUFFIX, MACHINE_SUFFIX = ".buc", ".bum"
#: The number by which files name the status of an event.
CONVERGENCE: dict[Status, str] = {"ordinary": "0", "convergent": "1", "anticipated": "2"}


def plain_comment(text: str) -> str:
    """Return a comment without spaces around lines and without empty lines around it. Text and XML can both hold it."""
    return "\n".join(line.strip() for line in text.splitlines()).strip()
