"""How the states and steps of a program are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.executions import Executions
from synth_checker.normal import normal_form, with_no_ops, written_out
from synth_checker.text import write_instruction

if TYPE_CHECKING:
    from synth_checker.program import Instruction, Program, State


class DrawnProgram(Executions):
    """A program with its no-ops, its locations and values named by first use; `id` is that of its normal form.

    Raises:
        InputError: it consists of no-ops.
    """

    def __init__(self, program: Program, name: str | None = None) -> None:
        form = normal_form(program)
        if not form.threads:
            msg = "program: found nothing but no-ops, expected an instruction that does something"
            raise InputError(msg)
        super().__init__(with_no_ops(program))
        self.id = written_out(form)
        self.name = name

    @property
    def title(self) -> str:
        """The program by its name and written out."""
        program = written_out(self.program)
        return f"{self.name}: {program}" if self.name else program

    def lines(self, state: State) -> list[str]:
        """Memory and program locations."""
        ends = [len(thread) for thread in self.program]
        at = ["END" if pc == end else str(pc) for pc, end in zip(state.pcs, ends, strict=True)]
        return [f"Mem {' '.join(map(str, state.memory))}", f"pcs {' '.join(at)}"]

    def told(self, state: State, thread: int) -> str:
        """The instruction as the paper prints it."""
        return write_instruction(self.program[thread], state.pcs[thread])

    def label(self, state: State, thread: int) -> str:
        """The instruction as the paper's section 4 writes it for CADP."""
        return _axb(self.program[thread][state.pcs[thread]])


def _axb(i: Instruction) -> str:
    exchanges = "false,0" if i.exch is None else f"true,{i.exch}"
    return f"AXB({i.loc},{i.check},{i.target},{exchanges})"
