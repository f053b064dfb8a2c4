"""Prove that a machine guarantees a model for every setting: the work behind `synth machine guarantees --prove`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from synth_machines.answers.proof_attempts import prove
from synth_machines.guarantees.premises import NoRuleError, Premises

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.models import Model
    from synth_machines.answers.proof_attempts import ProofOptions
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

    def __init__(
        self, machine: CheckedMachine, reading: Reading, fairness: Fairness, options: ProofOptions, jobs: int
    ) -> None:
        self._inputs = (machine, reading, fairness)
        self._options = options
        self._jobs = jobs
        self._premises: Premises | None = None
        self._invariants: tuple[int, list[str]] | None = None

    def proof(self, model: Model) -> ProofFields:
        """Return whether the guarantee of a model is proved for every setting.

        Raises:
            InputError: the reading does not fit the machine.
        """
        reading = self._inputs[1]
        proof_fields: ProofFields = {
            "proved": False,
            "premises": 0,
            "invariants": 0,
            "assumed": list(reading.assumed),
            "open": [],
            "because": "",
        }
        try:
            self._premises = self._premises or Premises(*self._inputs)
            covered, *others = self._premises.of_model(model)
        except NoRuleError as error:
            return {**proof_fields, "because": str(error)}
        if not self._premises.stages:
            return {**proof_fields, "because": "the reading has no stages for this machine"}
        count, unproved = self._decided([covered])
        if not unproved:
            count, unproved = self._decided([covered, *others])
            self._invariants = self._invariants or self._decided(self._premises.invariants())
            unproved = [*unproved, *self._invariants[1]]
            proof_fields["invariants"] = self._invariants[0]
        return {**proof_fields, "proved": not unproved, "premises": count, "open": unproved}

    def _decided(self, obligations: Iterable[Obligation]) -> tuple[int, list[str]]:
        """Return how many obligations are proved, and the names of the others."""
        proved, unproved = 0, []
        for decided in prove(obligations, self._options, self._jobs):
            if decided.verdict == "proved":
                proved += 1
            else:
                unproved.append(decided.obligation.name)
        return proved, unproved
