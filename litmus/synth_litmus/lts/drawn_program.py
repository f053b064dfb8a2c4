"""Write the states and steps of a program as text for drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.programs.normal import normal_form, with_no_ops, written_out
from synth_checker.programs.text import write_instruction
from synth_checker.transitions.executions import Executions

if TYPE_CHECKING:
    from synth_checker.programs.program import Instruction, Program, State


class DrawnProgram(Executions):
    """A program with its no-ops, and with locations and values named by first use; `id` is the id of its normal form.

    Raises:
        InputError: the program has only no-ops.
    """

    def __init__(self, program: Program, name: str | None = None) -> None:
        form = normal_form(program)
        if not form.threads:
            raise InputError("program: found only no-ops, expected an instruction that does something")
        super().__init__(with_no_ops(program))
        self.id = written_out(form)
        self.name = name

    @property
    def title(self) -> str:
        """The name of the program, if it has one, and the program written out."""
        program = written_out(self.program)
        return f"{self.name}: {program}" if self.name else program

    def lines(self, state: State) -> list[str]:
        """Return two lines for a state: the memory, and the program locations of the threads."""
        ends = [len(thread) for thread in self.program]
        at = ["END" if pc == end else str(pc) for pc, end in zip(state.pcs, ends, strict=True)]
        return [f"Mem {' '.join(map(str, state.memory))}", f"pcs {' '.join(at)}"]

    def told(self, state: State, thread: int) -> str:
        """Return the next instruction of a thread as the paper prints it."""
        return write_instruction(self.program[thread], state.pcs[thread])

    def label(self, state: State, thread: int) -> str:
        """Return the next instruction of a thread as section 4 of the paper writes it for CADP."""
        return _axb(self.program[thread][state.pcs[thread]])


def _axb(i: Instruction) -> str:
    exchanges = "false,0" if i.exch is None else f"true,{i.exch}"
    return f"AXB({i.loc},{i.check},{i.target},{exchanges})"
