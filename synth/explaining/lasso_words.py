"""What the lasso of a program that fails says: who starves, who is owed a step and takes it, and what is not promised.

The models are set expressions over history. On a cycle neither who is live nor who has stepped changes, so all states
of one have the same fair set, and the parts of the expression that leave a starving thread out are the same in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.explaining.words import count, named, sentence, threads_in, written_set
from synth_checker.models.absence import Reason, reasons_of_absence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from synth_checker.certificates.certificate import Lasso
    from synth_checker.certificates.product import Product
    from synth_checker.models import Form, Model


class LassoWords:
    """The sentences about one lasso."""

    def __init__(self, product: Product, model: Model, form: Form, lasso: Lasso) -> None:
        self._product, self._model, self._form, self._lasso = product, model, form, lasso
        self._numbers = {state: number for number, state in enumerate(product.states)}
        self._cycle = {self._numbers[step.state] for step in lasso.cycle}
        self._live = set(product.successors[min(self._cycle)])
        self._owed = threads_in(product.fair[min(self._cycle)])
        self._stepping = {step.thread for step in lasso.cycle}

    def sentences(self, verdicts: Mapping[str, str]) -> Iterator[str]:
        """In the order in which they are told; `verdicts` are those of the model, by name."""
        yield self._length()
        for thread in sorted(self._live - self._stepping):
            yield self._starvation(thread)
        if self._live == self._stepping:
            yield "No thread starves: each that is live steps again and again."
        yield self._promise()
        if self._form == "weak":
            yield from self._ways_out(verdicts)
        if not self._may_end():
            yield "From the cycle no end can be reached, so no model could help."

    def _length(self) -> str:
        prefix, cycle = self._lasso.prefix, count(len(self._lasso.cycle), "step")
        steps = f"after {count(prefix, 'step')}, {cycle} again and again" if prefix else f"{cycle} again and again"
        shortest = "Nothing shorter does." if self._lasso.is_shortest else "There may be something shorter."
        return f"It may run for ever: {steps}. {shortest}"

    def _starvation(self, thread: int) -> str:
        stepped = {step.thread for step in self._lasso.steps}
        reasons = reasons_of_absence(
            self._model.fair,
            thread,
            live=sum(1 << each for each in self._live),
            stepped=sum(1 << each for each in stepped),
            everyone=(1 << len(self._product.states[0].pcs)) - 1,
        )
        why = ", and ".join(map(_absence, reasons))
        return f"Thread {thread} starves: {self._model.name} owes it no step in the cycle, for it is {why}."

    def _promise(self) -> str:
        if not self._owed:
            return "Nobody is owed a step in the cycle, so no promise is broken."
        are = "are" if len(self._owed) > 1 else "is"
        each = "each " if len(self._owed) > 1 else ""
        takes = "takes one" if self._form == "weak" else "takes it in each of its states"
        return sentence(
            f"{named(self._owed)} {are} owed a step in the cycle and {each}{takes}, so no promise is broken"
        )

    def _ways_out(self, verdicts: Mapping[str, str]) -> Iterator[str]:
        """Owed steps that lead out of the cycle, which the weak form lets go by; numbers are the lasso's."""
        leaving: dict[int, list[int]] = {}
        for number, step in enumerate(self._lasso.cycle, self._lasso.prefix + 1):
            row = self._product.successors[self._numbers[step.state]]
            for thread in self._owed:
                if row[thread] not in self._cycle:
                    leaving.setdefault(thread, []).append(number)
        for thread, numbers in sorted(leaving.items()):
            yield (
                f"An owed step of thread {thread} would leave the cycle, at {', '.join(map(str, numbers))}; the weak "
                "form promises it a step at some time, not that one."
            )
        strong = f"{self._model.name}.strong"
        if leaving and verdicts[strong] == "pass":
            yield f"The strong form promises that one, and {strong} is passed."

    def _may_end(self) -> bool:
        seen, to_do = set(self._cycle), list(self._cycle)
        while to_do:
            row = self._product.successors[to_do.pop()]
            if not row:
                return True
            to_do.extend(set(row.values()) - seen)
            seen.update(row.values())
        return False


def _absence(reason: Reason) -> str:
    members = written_set(reason.threads) if reason.threads else "empty"
    return (
        f"in {reason.part}, which is {members} and taken away"
        if reason.taken_away
        else f"not in {reason.part}, which is {members}"
    )
