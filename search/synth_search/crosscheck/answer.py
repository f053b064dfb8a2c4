"""The answer of `synth crosscheck`: what engines and oracles have found, and the programs about which they differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from synth_checker.programs.normal import program_of_id
from synth_storage.answer_json import HIDDEN


class ComparedPart(NamedTuple):
    """What one engine or oracle has done: its name, how many tests it has found or judged, and in how many seconds."""

    name: str
    tests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A program, for each engine whether it found the program, and for each oracle the verdicts of the program.

    `verdicts` is empty if the oracles did not judge the program.
    """

    id: str
    found: dict[str, bool]
    verdicts: dict[str, dict[str, Literal["pass", "fail"]]]

    @property
    def size(self) -> tuple[int, int, str]:
        """The key that sorts programs, smallest first: instructions, then threads, then id (definitions, section 2)."""
        program = program_of_id(self.id)
        return program.size, len(program), self.id

    @property
    def disputed(self) -> list[str]:
        """Those verdicts about which two oracles differ."""
        first, *others = self.verdicts.values() or [{}]
        return [name for name, letter in first.items() if any(other[name] != letter for other in others)]


@dataclass(frozen=True, slots=True)
class Crosscheck:
    """The engines and oracles that took part, what they found, and the smallest program about which they disagree.

    `tests` is the number of programs that at least one engine found. The oracles judged `judged` of them. If `seed` is
    null, the oracles judged all these programs. Otherwise they judged a random sample, drawn with `seed`.
    """

    question: str
    agreed: bool = field(init=False)
    tests: int
    engines: tuple[ComparedPart, ...]
    judged: int
    seed: int | None
    oracles: tuple[ComparedPart, ...]
    disagreements: int = field(init=False)
    smallest: Disagreement | None = field(init=False)
    #: The programs about which some disagree, the smallest first.
    programs: tuple[Disagreement, ...] = field(metadata=HIDDEN)

    def __post_init__(self) -> None:
        object.__setattr__(self, "agreed", not self.programs)
        object.__setattr__(self, "disagreements", len(self.programs))
        object.__setattr__(self, "smallest", self.programs[0] if self.programs else None)
