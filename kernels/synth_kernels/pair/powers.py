"""Products, quotients and remainders by a power of two that changes, such as the stride of a scan.

Solvers are slow with these operators if both operands are unknown. If one of them is a power of two, the result is a
choice among shifts, or a mask. So each such operator is written as that choice where its operand is a power of two or
0. Elsewhere it is a variable (`products`), so a proof needs an invariant that says that the operand is a power.

Which values may be powers of two is only a guess: values that begin with one, and are doubled, halved, copied or
chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_kernels.operators import CASTS
from synth_kernels.program import Compute, Constant

if TYPE_CHECKING:
    from synth_kernels.program import Kernel, Operand
    from synth_kernels.terms import Term, Terms

#: Operators that have such a form.
BY_POWERS = frozenset({"mul", "udiv", "urem", "sdiv", "srem"})
_HALVES = {"lshr", "ashr", "udiv", "sdiv"}


def guessed_powers(kernel: Kernel) -> frozenset[str]:
    """Return the names of values that loops change, and that may be powers of two or 0."""
    arguments: dict[str, list[Operand]] = {}
    for block in kernel.blocks:
        for target in block.end.targets:
            for (name, width), operand in zip(kernel.block(target.block).parameters, target.arguments, strict=True):
                if width > 1:
                    arguments.setdefault(name, []).append(operand)
    computed = {instruction.name: instruction for instruction in kernel.steps if isinstance(instruction, Compute)}
    guesses = arguments.keys() | {name for name, compute in computed.items() if compute.width > 1}
    fresh = guesses
    while fresh:  # all are powers until one is seen to come from something else
        fresh = {
            name
            for name in guesses
            if not (
                _stays_power(computed[name], guesses)
                if name in computed
                else all(_may_be_power(operand, guesses) for operand in arguments[name])
            )
        }
        guesses -= fresh
    return frozenset(guesses)


def _may_be_power(operand: Operand, guesses: set[str]) -> bool:
    if isinstance(operand, Constant):
        return operand.value & (operand.value - 1) == 0
    return operand in guesses


def _stays_power(compute: Compute, guesses: set[str]) -> bool:
    """Return whether the result of an operator may be a power of two if the guessed operands are."""
    first, last = compute.operands[0], compute.operands[-1]
    if compute.operator in CASTS:
        return _may_be_power(first, guesses)
    if compute.operator == "select":
        return all(_may_be_power(operand, guesses) for operand in compute.operands[1:])
    if compute.operator == "add":
        return first == last and _may_be_power(first, guesses)
    if compute.operator == "mul":
        return all(_may_be_power(operand, guesses) for operand in compute.operands)
    if compute.operator == "shl" or compute.operator in _HALVES:
        shifts = compute.operator not in {"udiv", "sdiv"}
        return _may_be_power(first, guesses) and isinstance(last, Constant) and (shifts or _may_be_power(last, guesses))
    return False


def choice_by_power(terms: Terms, operator: str, term: Term, power: Term, otherwise: Term) -> Term:
    """Return a product, quotient or remainder by what may be a power of two, and another term if it is none.

    A quotient or remainder by 0 may be anything.
    """
    width, zero = power.width, terms.constant(0, power.width)
    is_signed = operator in {"sdiv", "srem"}
    if operator in {"urem", "srem"}:
        below = terms.apply("sub", (power, terms.constant(1, width)))
        is_power = terms.equal(terms.apply("and", (power, below)), zero)
        result = terms.choose(is_power, terms.apply("and", (term, below)), otherwise)
    else:
        result = otherwise if operator != "mul" else terms.choose(terms.equal(power, zero), zero, otherwise)
        for bit in range(width):
            shifted = terms.apply("shl" if operator == "mul" else "lshr", (term, terms.constant(bit, width)))
            result = terms.choose(terms.equal(power, terms.constant(1 << bit, width)), shifted, result)
    are_positive = terms.all(*(terms.apply("sle", (zero, side)) for side in (term, power)))
    return terms.choose(are_positive, result, otherwise) if is_signed else result
