"""Mutants of kernels: a barrier removed, a fence weakened, an index shifted, an id swapped, or a bound off by one."""

import random
from dataclasses import replace

from synth_kernels.printer import kernel_text
from synth_kernels.program import Access, Barrier, Compute, Constant
from synth_kernels.text import parse

KINDS = ("barrier", "fence", "index", "id", "bound")
#: A comparison, and the one that differs from it when both operands are equal.
_OTHER = {"ult": "ule", "ule": "ult", "slt": "sle", "sle": "slt"}
_GLOBAL = (Compute("swapped.0", "mul", ("gid.0", "lsize.0"), 32), Compute("swapped", "add", ("swapped.0", "lid.0"), 32))


def _global_ids(kernel):
    """Return the names of global ids."""
    computed = [
        instruction for block in kernel.blocks for instruction in block.instructions if isinstance(instruction, Compute)
    ]
    starts = {
        instruction.name
        for instruction in computed
        if instruction.operator == "mul" and set(instruction.operands) == {"gid.0", "lsize.0"}
    }
    return {
        instruction.name
        for instruction in computed
        if instruction.operator == "add" and "lid.0" in instruction.operands and starts & {*instruction.operands}
    }


def _changes(one, global_ids):
    """Yield the kinds of changes to an instruction, each with the instructions that take its place."""
    match one:
        case Barrier():
            yield "barrier", ()
            for space in sorted(one.fences):
                yield "fence", (replace(one, fences=one.fences - {space}),)
        case Compute(operator=operator) if operator in _OTHER:
            yield "bound", (replace(one, operator=_OTHER[operator]),)
            less = Compute("less", "sub", (one.operands[1], Constant(1, 32)), 32)
            yield "bound", (less, replace(one, operands=(one.operands[0], "less")))
        case Access():
            for operator in ("add", "sub"):
                shifted = Compute("shifted", operator, (one.offset, Constant(1, 32)), 32)
                yield "index", (shifted, replace(one, offset="shifted"))
            if one.offset == "lid.0":
                yield "id", (*_GLOBAL, replace(one, offset="swapped"))
            if one.offset in global_ids:
                yield "id", (replace(one, offset="lid.0"),)
    if isinstance(one, Compute) and one.name not in global_ids:
        for old in {"lid.0", *global_ids} & {operand for operand in one.operands if isinstance(operand, str)}:
            new = "swapped" if old == "lid.0" else "lid.0"
            operands = tuple(new if operand == old else operand for operand in one.operands)
            yield "id", (*(_GLOBAL if old == "lid.0" else ()), replace(one, operands=operands))


def mutants(kernel):
    """Yield all mutants of a kernel, each with its kind."""
    global_ids = _global_ids(kernel)
    for number, block in enumerate(kernel.blocks):
        for place, instruction in enumerate(block.instructions):
            for kind, others in _changes(instruction, global_ids):
                body = (*block.instructions[:place], *others, *block.instructions[place + 1 :])
                blocks = list(kernel.blocks)
                blocks[number] = replace(block, instructions=body)
                yield kind, parse(kernel_text(replace(kernel, blocks=tuple(blocks))))


def chosen(kernels, count, seed=1):
    """Return so many mutants of each kind, of as many different kernels as possible: name, kind and mutant."""
    drawn = random.Random(seed)
    every = [(name, *mutant) for name, kernel in kernels.items() for mutant in mutants(kernel)]
    drawn.shuffle(every)
    taken = dict.fromkeys(kernels, 0)
    found = []
    for kind in KINDS:
        left = [mutant for mutant in every if mutant[1] == kind]
        for _ in range(count):
            best = min(left, key=lambda mutant: taken[mutant[0]])
            taken[best[0]] += 1
            left.remove(best)
            found.append(best)
    return found
