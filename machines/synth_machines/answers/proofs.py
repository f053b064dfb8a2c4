"""Proofs of earlier runs: which hypotheses a goal follows from.

A proof is found again if the goal is the same, and each hypothesis that it used is still there. So a change of other
hypotheses does not make a proof worthless. The file has a line of JSON for each proof: a hash of the goal, and the
hashes of the hypotheses used. A hash covers the types of all names. Whoever can write the file can add false proofs.
"""

from __future__ import annotations

import hashlib
import json
import threading
from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_machines.formulas.names import free_names
from synth_machines.formulas.printer import shown
from synth_machines.formulas.types import shown_type
from synth_storage.files import read_small
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_machines.formulas.formula import Formula
    from synth_machines.sequents.scripts import Sequent

#: The most bytes of such a file.
_LONGEST = 1 << 30
#: Changes when queries change, so that proofs of queries with a mistake are not found again.
VERSION = 2


class Proofs:
    """The proofs in a file, which need not exist yet.

    Raises:
        InputError: the file holds something else.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, list[frozenset[str]]] = {}
        text = read_small(path, "a file for proofs", _LONGEST) if path.exists() else ""
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                entry = json.loads(line)
                goal, used = str(entry["goal"]), frozenset(map(str, entry["used"]))
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{path}: line {number}: found something else, expected a proof in JSON") from None
            self._known.setdefault(goal, []).append(used)

    def find(self, sequent: Sequent) -> tuple[int, ...] | None:
        """Return the places of the hypotheses of a known proof, or None."""
        if not (known := self._known.get(_hash(sequent.goal, sequent))):
            return None
        hashes = [_hash(hypothesis, sequent) for hypothesis in sequent.hypotheses]
        for used in known:
            if used <= set(hashes):
                return tuple(place for place, hash_ in enumerate(hashes) if hash_ in used)
        return None

    def add(self, sequent: Sequent, used: Sequence[int]) -> None:
        """Keep a proof."""
        goal = _hash(sequent.goal, sequent)
        hashes = sorted(_hash(sequent.hypotheses[place], sequent) for place in used)
        line = json.dumps({"goal": goal, "used": hashes})
        with self._lock, as_user_errors(self._path), self._path.open("a", encoding="utf-8") as file:
            self._known.setdefault(goal, []).append(frozenset(hashes))
            file.write(f"{line}\n")


def _hash(formula: Formula, sequent: Sequent) -> str:
    names = ", ".join(f"{name}: {shown_type(sequent.types[name])}" for name in sorted(free_names(formula)))
    return hashlib.sha256(f"{VERSION}|{shown(formula, with_types=True)}|{names}".encode()).hexdigest()[:32]
