"""A progress model: a name, and the rule that says which threads are promised to run (definitions, section 4).

The rule is a set expression over the history, a guarded automaton with states of its own (`guarded`), or a Python
object that a package has registered (`registered`). Each kind of rule becomes the tables of an `Automaton`, and
verdicts depend on these tables alone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import LimitError, excerpt
from synth_checker.models.automaton import MAX_THREADS as TABLED_THREADS
from synth_checker.models.automaton import Automaton, history_automaton, is_thread_symmetric
from synth_checker.models.expression import Expression, Name, mentions
from synth_checker.models.guarded import GuardedAutomaton, GuardedOnDemand
from synth_checker.models.on_demand import MAX_THREADS, HistoryOnDemand, OnDemand

if TYPE_CHECKING:
    from synth_checker.models.registered import RegisteredModel

Form = Literal["weak", "strong"]


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """A progress model: its name, its definition as text, the rule read from that text, and a description."""

    name: str
    definition: str
    fair: Expression | GuardedAutomaton | RegisteredModel
    about: str = ""

    def __repr__(self) -> str:
        return f"<Model {excerpt(' '.join(self.text.split()))}>"

    def automaton(self, threads: int) -> Automaton:
        """Return the tables of the model for one number of threads.

        Raises:
            LimitError: there are more than eight threads, or the tables would have too many states.
            InputError: the Python object that is registered as the model cannot be used, or gives other tables than
                the first time.
        """
        return _automaton(self.fair, threads)

    def beside(self, threads: int) -> Automaton | OnDemand:
        """Return the model in the form that runs side by side with a program of so many threads.

        This is the tables, or the form that `on_demand` returns if the tables would be too large.

        Raises:
            LimitError: there are too many threads for the model.
            InputError: the Python object that is registered as the model cannot be used, or gives other tables than
                the first time.
        """
        return self.automaton(threads) if self.has_tables(threads) else self.on_demand(threads)

    def has_tables(self, threads: int) -> bool:
        """Return whether verdicts for so many threads use the model's tables.

        They do if the tables are small enough, or if the model has no other form.
        """
        return _has_tables(self.fair, threads)

    def on_demand(self, threads: int) -> OnDemand:
        """Return the model without tables, in a form that computes only what a program needs.

        Raises:
            LimitError: there are more than 32 threads, or the model is a Python object.
        """
        if threads > MAX_THREADS:
            raise LimitError(f"verdicts: found a program with {threads} threads, expected at most {MAX_THREADS}")
        if isinstance(self.fair, Expression):
            return HistoryOnDemand(self.fair, threads)
        return self.fair.on_demand(threads)

    def is_thread_symmetric(self, threads: int) -> bool:
        """Return whether the model treats all threads alike, for so many threads."""
        return is_thread_symmetric(self.automaton(threads))

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return the forms of the model. A model that promises nothing has one form, because its two forms agree."""
        return ("weak",) if self.fair == Name("none") else ("weak", "strong")

    @property
    def verdicts(self) -> tuple[str, ...]:
        """Return the names of the verdicts of the model."""
        return tuple(f"{self.name}.{form}" for form in self.forms) if len(self.forms) > 1 else (self.name,)

    @property
    def text(self) -> str:
        """Return the text from which the model can be read.

        It is `NAME = DEFINITION`, or only an expression that has no other name.
        """
        return self.definition if self.name == self.definition else f"{self.name} = {self.definition}"

    def fair_in(self, beside: Automaton | OnDemand, state: int) -> tuple[Expression, dict[str, int]] | None:
        """Return the expression of the fair set in a state, and the values of its names except `live` and `all`.

        Values are sets as bit masks. The result is None for a Python object, which has no expression. `beside` is what
        the method `beside` returned, and `state` is one of its states.
        """
        if isinstance(self.fair, GuardedAutomaton):
            met = beside.met if isinstance(beside, GuardedOnDemand) else self.fair.configurations(beside.threads)
            here = met[state]
            return self.fair.states[here.state].fair, self.fair.values(here)
        if isinstance(self.fair, Expression):
            # The states of a set expression's tables are the sets of threads that have stepped.
            return self.fair, {"stepped": state if mentions(self.fair, "stepped") else 0}
        return None


@functools.cache
def _automaton(fair: Expression | GuardedAutomaton | RegisteredModel, threads: int) -> Automaton:
    return history_automaton(fair, threads) if isinstance(fair, Expression) else fair.automaton(threads)


@functools.cache
def _has_tables(fair: Expression | GuardedAutomaton | RegisteredModel, threads: int) -> bool:
    if threads > TABLED_THREADS:
        return False
    try:
        _automaton(fair, threads)
    except LimitError:
        return not isinstance(fair, Expression | GuardedAutomaton)  # Python code has no form but tables
    return True
