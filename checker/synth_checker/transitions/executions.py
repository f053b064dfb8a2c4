"""A program as a transition system: its states, and the step of each thread in a state (definitions, section 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.twin import semantics

if TYPE_CHECKING:
    from synth_checker.programs.program import Program, State


class Executions:
    """The transition system of a program. A state is the content of the memory and every thread's program location."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @property
    def threads(self) -> int:
        """Return the number of threads of the program."""
        return len(self.program)

    @property
    def start(self) -> State:
        """Return the start state: all memory is 0, and every thread is at its program location 0."""
        return semantics.start(self.program)

    def steps(self, state: State) -> dict[int, State]:
        """Return, for each live thread, the state after one step of that thread."""
        live = sorted(semantics.live(self.program, state))
        return {thread: semantics.step(self.program, state, thread) for thread in live}
