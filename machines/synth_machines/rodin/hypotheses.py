r"""Read the hypotheses of obligations from files of Rodin (`*.bpo`).

A sequent has a set of predicates of its own. This set has a *parent*, which may have another one, also in another file:
what holds for a whole event, machine or context is written once. A parent is named by a handle, such as
`/p/m.bpo|org.eventb.core.poFile#m|org.eventb.core.poPredicateSet#ALLHYP`. In a handle, `\` stands before a letter that
would mean something else. Projects are renamed and copied, so only the name of the file and that of the set count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import quoted
from synth_machines.rodin.words import CORE
from synth_machines.rodin.xml import read_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from synth_machines.rodin.xml import Element

_SET = f"{CORE}poPredicateSet"
_PARENT = f"{CORE}parentSet"
#: Cuts a handle where a bar or `#` means something.
_PARTS = re.compile(r"(?:\\.|[^\\|#])+")


@dataclass(frozen=True, slots=True)
class _Sets:
    """The sets of a file, by their names, and those of its sequents."""

    shared: Mapping[str, Element]
    own: Mapping[str, Element]


class Hypotheses:
    """The hypotheses in the files of a project. `read` returns the bytes of a file of a name such as `m.bpo`."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._files: dict[str, _Sets] = {}

    def of(self, file: str, sequent: str) -> list[str]:
        """Return the hypotheses of a sequent of a file, as texts of formulas.

        Raises:
            InputError: a parent is not there, or leads to itself; or a file holds something else.
        """
        own = self._sets(file).own.get(sequent)
        found: list[str] = []
        seen: set[int] = set()
        while own is not None:
            if id(own) in seen:
                raise own.fail(f"found a set of {quoted(sequent)} that is its own parent, expected another parent")
            seen.add(id(own))
            found += [element.needed(f"{CORE}predicate") for element in own.inside(f"{CORE}poPredicate")]
            own = self._parent(own)
        return found

    def _parent(self, own: Element) -> Element | None:
        handle = own.attributes.get(_PARENT)
        if handle is None:
            return None
        parts = [re.sub(r"\\(.)", r"\1", part) for part in _PARTS.findall(handle)]
        file, name = parts[0].rpartition("/")[2], parts[-1]
        found = self._sets(file).shared.get(name) if len(parts) > 1 else None
        if found is None:
            raise own.fail(f"found the parent {quoted(handle)}, expected a set of predicates that is there")
        return found

    def _sets(self, file: str) -> _Sets:
        if file not in self._files:
            root = read_root(self._read(file), "poFile")
            shared = {node.needed("name"): node for node in root.inside(_SET)}
            self._files[file] = _Sets(shared, dict(_own_sets(root)))
        return self._files[file]


def _own_sets(root: Element) -> Iterator[tuple[str, Element]]:
    for sequent in root.inside(f"{CORE}poSequent"):
        for element in sequent.inside(_SET):
            yield sequent.needed("name"), element
