"""The text of `synth crosscheck`: what engines and oracles did, and the smallest program about which they disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_search.crosscheck.answer import Crosscheck, Disagreement


def lines(crosscheck: Crosscheck) -> Iterator[str]:
    """Yield a line for each engine and oracle, and then lines which say whether they agree."""
    for engine in crosscheck.engines:
        yield f"engine {engine.name}: {engine.tests} tests, {engine.seconds:.2f} s"
    for oracle in crosscheck.oracles:
        yield f"oracle {oracle.name}: verdicts of {oracle.tests} tests, {oracle.seconds:.2f} s"
    if crosscheck.smallest:
        yield f"{crosscheck.question}: disagreement on {count(crosscheck.disagreements, 'program')}; the smallest:"
        yield from _disagreement(crosscheck.smallest)
    else:
        of = "all" if crosscheck.seed is None else f"{crosscheck.judged}, drawn with seed {crosscheck.seed}"
        yield f"{crosscheck.question}: all engines agree on {crosscheck.tests} tests and on the verdicts of {of}"


def _disagreement(disagreement: Disagreement) -> Iterator[str]:
    yield disagreement.id
    yield from write_program(program_of_id(disagreement.id)).splitlines()
    for name, has in disagreement.found.items():
        yield f"engine {name}: {'found' if has else 'not found'}"
    for name in disagreement.disputed:
        said = (f"{oracle} {letters[name]}" for oracle, letters in disagreement.verdicts.items())
        yield f"{name}: {', '.join(said)}"
