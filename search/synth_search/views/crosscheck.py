"""The text of `synth crosscheck`: what engines and oracles did, and the smallest program about which they disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_documents.phrases import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_search.crosscheck import Crosscheck, Disagreement


def lines(found: Crosscheck) -> Iterator[str]:
    """Yield a line for each engine and oracle, and then lines which say whether they agree."""
    for engine in found.engines:
        yield f"engine {engine.name}: {engine.tests} tests, {engine.seconds:.2f} s"
    for oracle in found.oracles:
        yield f"oracle {oracle.name}: verdicts of {oracle.tests} tests, {oracle.seconds:.2f} s"
    name = found.question.name
    if found.disagreements:
        number = len(found.disagreements)
        yield f"{name}: disagreement on {count(number, 'program')}; the smallest:"
        yield from _disagreement(found.disagreements[0], found.verdicts)
    else:
        of = "all" if found.seed is None else f"{found.judged}, drawn with seed {found.seed}"
        yield f"{name}: all engines agree on {found.tests} tests and on the verdicts of {of}"


def _disagreement(one: Disagreement, verdicts: tuple[str, ...]) -> Iterator[str]:
    yield one.id
    yield from write_program(program_of_id(one.id)).splitlines()
    for name, has in one.found.items():
        yield f"engine {name}: {'found' if has else 'not found'}"
    for name in one.disputed(verdicts):
        said = (f"{oracle} {letters[name]}" for oracle, letters in one.verdicts(verdicts).items())
        yield f"{name}: {', '.join(said)}"
