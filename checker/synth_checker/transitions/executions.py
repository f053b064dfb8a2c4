"""A program as a transition system: what its threads do, step by step (definitions, section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.twin import semantics

if TYPE_CHECKING:
    from synth_checker.programs.program import Program, State


class Executions:
    """All that may happen when a program runs; its states are the memory and every thread's location."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @property
    def threads(self) -> int:
        """How many threads there are."""
        return len(self.program)

    @property
    def start(self) -> State:
        """All memory is 0 and every pc is 0."""
        return semantics.start(self.program)

    def steps(self, state: State) -> dict[int, State]:
        """One step of each thread that is not at its end."""
        live = sorted(semantics.live(self.program, state))
        return {thread: semantics.step(self.program, state, thread) for thread in live}
