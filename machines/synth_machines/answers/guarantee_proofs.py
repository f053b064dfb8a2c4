"""Prove that a machine guarantees a model for every setting: the work behind `synth machine guarantees --prove`."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from typing import TYPE_CHECKING, NamedTuple

from synth_machines.answers.proof_attempts import prove
from synth_machines.guarantees.premises import NoRuleError, Premises

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.models import Model
    from synth_machines.answers.proof_attempts import ProofOptions
    from synth_machines.checked_components import CheckedMachine
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.scheduler_parts import Reading
    from synth_machines.obligations.obligation import Obligation


class GuaranteeProof(NamedTuple):
    """Whether a guarantee is proved for every setting.

    `premises` is the number of premises that are proved, and `invariants` that of the obligations of invariants.
    `assumed` are predicates about constants that the proof needs. `open` names premises and obligations that are not
    proved. If `because` is not empty, it says why nothing was tried.
    """

    proved: bool = False
    premises: int = 0
    invariants: int = 0
    assumed: Sequence[str] = ()
    open: Sequence[str] = ()
    because: str = ""


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

    def proof(self, model: Model) -> GuaranteeProof:
        """Return whether the guarantee of a model is proved for every setting.

        Raises:
            InputError: the reading does not fit the machine.
        """
        assumed, invariants = self._inputs[1].assumed, 0
        try:
            self._premises = self._premises or Premises(*self._inputs)
            covered, *others = self._premises.of_model(model)
        except NoRuleError as error:
            return GuaranteeProof(assumed=assumed, because=str(error))
        if not self._premises.stages:
            why = "the reading has no stages for this machine"
            return GuaranteeProof(assumed=assumed, because=why)
        count, unproved = self._decided([covered])
        if not unproved:
            count, unproved = self._decided([covered, *others])
            self._invariants = self._invariants or self._decided(self._premises.invariants())
            invariants = self._invariants[0]
            unproved = [*unproved, *self._invariants[1]]
        return GuaranteeProof(not unproved, count, invariants, assumed, unproved)

    def _decided(self, obligations: Iterable[Obligation]) -> tuple[int, list[str]]:
        """Return how many obligations are proved, and the names of the others."""
        proved, unproved = 0, []
        for decided in prove(obligations, self._options, self._jobs):
            if decided.verdict == "proved":
                proved += 1
            else:
                unproved.append(decided.obligation.name)
        return proved, unproved
