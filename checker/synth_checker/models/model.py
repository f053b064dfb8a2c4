"""A progress model: a name, and what says for how many threads who is guaranteed to run (definitions, section 4).

That is a set expression over history, a guarded automaton with states of its own (`guarded`), or a Python object that a
package has registered (`registered`). Each becomes the tables of `Automaton`, which is all that judges see.
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
    from synth_checker.models.registered import Registered

Form = Literal["weak", "strong"]


@dataclass(frozen=True, slots=True, repr=False)
class Model:
    """A progress model: its name, its definition as it was written and as it was read, and what is said about it."""

    name: str
    definition: str
    fair: Expression | GuardedAutomaton | Registered
    about: str = ""

    def __repr__(self) -> str:
        return f"<Model {excerpt(' '.join(self.text.split()))}>"

    def automaton(self, threads: int) -> Automaton:
        """The model's tables for a number of threads.

        Raises:
            LimitError: there are more than eight threads, or the tables would have too many states.
            InputError: what is registered under the name is no model, or another one than it was.
        """
        return _automaton(self.fair, threads)

    def beside(self, threads: int) -> Automaton | OnDemand:
        """The model in the form that runs beside a program: the tables, or `on_demand` if these would be too large.

        It raises what `automaton` and `on_demand` raise.
        """
        return self.automaton(threads) if self.has_tables(threads) else self.on_demand(threads)

    def has_tables(self, threads: int) -> bool:
        """Whether its tables can be made, for at most eight threads; or nothing but tables would do."""
        return _has_tables(self.fair, threads)

    def on_demand(self, threads: int) -> OnDemand:
        """The model without tables, asked for what a program reaches.

        Raises:
            LimitError: there are more than 32 threads, or the model is a Python object.
        """
        if threads > MAX_THREADS:
            msg = f"verdicts: found a program of {threads} threads, expected at most {MAX_THREADS}"
            raise LimitError(msg)
        if isinstance(self.fair, Expression):
            return HistoryOnDemand(self.fair, threads)
        return self.fair.on_demand(threads)

    def is_thread_symmetric(self, threads: int) -> bool:
        """Whether the model does not tell so many threads apart."""
        return is_thread_symmetric(self.automaton(threads))

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that have verdicts of their own."""
        return ("weak",) if self.fair == Name("none") else ("weak", "strong")

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The names of this model's verdicts."""
        return tuple(f"{self.name}.{form}" for form in self.forms) if len(self.forms) > 1 else (self.name,)

    @property
    def text(self) -> str:
        """The model as its reader reads it: of an expression that has no other name, itself."""
        return self.definition if self.name == self.definition else f"{self.name} = {self.definition}"

    def fair_in(self, beside: Automaton | OnDemand, state: int) -> tuple[Expression, dict[str, int]] | None:
        """The expression that says who is guaranteed to run in a state, and what its names stand for.

        All names but `live` and `all`; sets are bit masks. None for a Python object, which says it in code.
        """
        if isinstance(self.fair, GuardedAutomaton):
            met = beside.met if isinstance(beside, GuardedOnDemand) else self.fair.configurations(beside.threads)
            here = met[state]
            return self.fair.states[here.state].fair, self.fair.values(here)
        if isinstance(self.fair, Expression):
            # The states of history tables are the sets of those that have stepped.
            return self.fair, {"stepped": state if mentions(self.fair, "stepped") else 0}
        return None


@functools.cache
def _automaton(fair: Expression | GuardedAutomaton | Registered, threads: int) -> Automaton:
    return history_automaton(fair, threads) if isinstance(fair, Expression) else fair.automaton(threads)


@functools.cache
def _has_tables(fair: Expression | GuardedAutomaton | Registered, threads: int) -> bool:
    if threads > TABLED_THREADS:
        return False
    try:
        _automaton(fair, threads)
    except LimitError:
        return not isinstance(fair, Expression | GuardedAutomaton)  # code is asked for tables alone
    return True
