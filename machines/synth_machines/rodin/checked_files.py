"""Read what the static checker of Rodin finds of a component (`*.bcc`, `*.bcm`): the types of its names.

The file of a machine also has the contexts that it sees, and that of a context those that it extends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_machines.rodin.words import CORE
from synth_machines.rodin.xml import read_root

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_machines.rodin.xml import Element

#: How the names of files end that hold a checked context or machine.
CHECKED_SUFFIXES = (".bcc", ".bcm")
_NAMES = tuple(f"{CORE}{word}" for word in ("scCarrierSet", "scConstant", "scVariable"))


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The types of carrier sets, constants and variables as texts, and whether the checker found no fault."""

    types: Mapping[str, str]
    is_accurate: bool


def read_checked(data: bytes) -> CheckedFile:
    """Return what a checked file says.

    Raises:
        InputError: the file holds something else.
    """
    root = read_root(data, "scContextFile", "scMachineFile")
    types = {node.needed("name"): node.needed(f"{CORE}type") for node in _named(root)}
    return CheckedFile(types, root.attributes.get(f"{CORE}accurate", "true") == "true")


def _named(root: Element) -> Iterator[Element]:
    for child in root.children:
        if child.tag in _NAMES:
            yield child
        elif child.tag == f"{CORE}scInternalContext":
            yield from _named(child)
