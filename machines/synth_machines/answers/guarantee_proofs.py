"""Prove that a machine guarantees a model for every setting: the work behind `synth machine guarantees --prove`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_machines.answers.proof_attempts import prove
from synth_machines.guarantees.premises import NoRuleError, Premises

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.models import Model
    from synth_machines.answers.proof_attempts import Asked
    from synth_machines.checked import CheckedMachine
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.scheduler_parts import Reading
    from synth_machines.obligations.obligation import Obligation


class ProofFields(TypedDict):
    """Whether a guarantee is proved for every setting.

    `premises` is the number of premises that are proved, and `invariants` that of the obligations of invariants.
    `assumed` are predicates about constants that the proof needs. `open` names premises and obligations that are not
    proved. If `because` is not empty, it says why nothing was tried.
    """

    proved: bool
    premises: int
    invariants: int
    assumed: list[str]
    open: list[str]
    because: str


class Prover:
    """Proves guarantees of a machine. The invariants are proved once, when somebody first asks for a model."""

    def __init__(self, machine: CheckedMachine, reading: Reading, fairness: Fairness, asked: Asked, jobs: int) -> None:
        self._given = (machine, reading, fairness)
        self._asked = asked
        self._jobs = jobs
        self._premises: Premises | None = None
        self._invariants: tuple[int, list[str]] | None = None

    def proof(self, model: Model) -> ProofFields:
        """Return whether the guarantee of a model is proved for every setting.

        Raises:
            InputError: the reading does not fit the machine.
        """
        reading = self._given[1]
        found: ProofFields = {
            "proved": False,
            "premises": 0,
            "invariants": 0,
            "assumed": list(reading.assumed),
            "open": [],
            "because": "",
        }
        try:
            self._premises = self._premises or Premises(*self._given)
            covered, *others = self._premises.of_model(model)
        except NoRuleError as error:
            return {**found, "because": str(error)}
        if not self._premises.stages:
            return {**found, "because": "the reading has no stages for this machine"}
        count, left = self._decided([covered])
        if not left:
            count, left = self._decided([covered, *others])
            self._invariants = self._invariants or self._decided(self._premises.invariants())
            left = [*left, *self._invariants[1]]
            found["invariants"] = self._invariants[0]
        return {**found, "proved": not left, "premises": count, "open": left}

    def _decided(self, obligations: Iterable[Obligation]) -> tuple[int, list[str]]:
        """Return how many obligations are proved, and the names of the others."""
        proved, left = 0, []
        for decided in prove(obligations, self._asked, self._jobs):
            if decided.verdict == "proved":
                proved += 1
            else:
                left.append(decided.obligation.name)
        return proved, left
