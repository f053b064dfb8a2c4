"""The text of `synth machine`: components, what each of them has, and what must be proved of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from synth_documents.phrases import count, listed, shown
from synth_machines.formulas.printer import shown as shown_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from synth_machines.answers.answer import ComponentSummary, DecidedObligation
    from synth_machines.obligations.obligation import Obligation


def check_lines(components: Iterable[ComponentSummary]) -> Iterator[str]:
    """Yield a line for each component, and one for each note."""
    for component in components:
        counts = listed([count(number, word) for word, number in component.counts.items()])
        yield f"{component.kind} {component.component}: {counts}"
        yield from (f"  note: {note}" for note in component.notes)


def text_lines(text: str) -> Iterator[str]:
    """Yield the lines of the text of components; comments may hold any letters."""
    yield from map(shown, text.splitlines())


def obligation_lines(obligations: Iterable[Obligation]) -> Iterator[str]:
    """Yield a line with name and goal for each obligation, and at last how many there are."""
    number = 0
    for number, obligation in enumerate(obligations, start=1):  # noqa: B007  (the last number is shown)
        yield f"{obligation.full_name}: {shown_formula(obligation.goal)}"
    yield count(number, "obligation")


def decided_lines(decided: DecidedObligation) -> Iterator[str]:
    """Yield the lines about an obligation that is not proved, or about the axioms of a context."""
    if decided.verdict == "proved":
        return
    if decided.verdict == "satisfiable":
        values = [f"{name} = {value}" for name, value in decided.state.items()]
        yield (
            f"{decided.component}: the axioms hold for {listed(values)}"
            if values
            else (f"{decided.component}: the axioms hold")
        )
        return
    because = f": {decided.because}" if decided.because else ""
    yield f"{decided.component}/{decided.name}: {decided.verdict}{because}"
    yield f"  goal: {shown(decided.goal)}"
    yield from (f"  {name} = {value}" for name, value in decided.state.items())
    if decided.reached:
        yield f"  {shown(decided.reached)}"
    if decided.trace is not None and decided.trace["setting"]:
        setting = decided.trace["setting"]
        yield f"  in the setting {', '.join(f'{name} = {value}' for name, value in setting.items())}"


def summary_lines(decided: Iterable[DecidedObligation]) -> Iterator[str]:
    """Yield how many obligations of each component are proved, refuted and undecided, and how many in all.

    The axioms of contexts do not count.
    """
    counts: dict[str, Counter[str]] = {}
    confirmed = repeated = 0
    for decided_obligation in decided:
        if decided_obligation.name == "axioms":
            continue
        counts.setdefault(decided_obligation.component, Counter())[decided_obligation.verdict] += 1
        repeated += decided_obligation.confirmed is not None
        confirmed += decided_obligation.confirmed is True
    for component, verdict_counts in counts.items():
        yield f"{component}: {_verdicts(verdict_counts)}"
    total = sum(counts.values(), Counter())
    yield f"{count(total.total(), 'obligation')}: {_verdicts(total)}"
    if repeated:
        yield f"a second solver confirms {confirmed} of {count(repeated, 'proof')}"


def _verdicts(verdict_counts: Counter[str]) -> str:
    words = [
        f"{verdict_counts[verdict]} {verdict}"
        for verdict in ("proved", "refuted", "undecided")
        if verdict_counts[verdict]
    ]
    return listed(words) if words else "none"


def export_lines(files: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield a line that says what was written."""
    yield f"wrote {count(len(files), 'file')} to {shown(str(folder))}"
