"""Integer operators as terms. ÷ rounds towards 0, where SMT-LIB's `div` rounds down for a positive divisor."""

from __future__ import annotations

from synth_machines.sequents.terms import TRUE, if_else, negation

_OPERATORS = {"+": "+", "∗": "*", "−": "-", "<": "<", "≤": "<=", ">": ">", "≥": ">="}
#: A power with a larger exponent is not written out.
MOST_EXPONENT = 64


def arithmetic(operator: str, operands: list[str]) -> str:
    """Return the term for an operator with integers."""
    match operator:
        case "÷":
            left, right = operands
            down = f"(div {left} {right})"
            up = f"(- (div (- {left}) {right}))"
            return down if left.isdigit() else if_else(f"(>= {left} 0)", down, up)
        case "mod":
            return f"(mod {' '.join(operands)})"
        case "^":
            base, exponent = operands
            return f"(* 1 1{f' {base}' * int(exponent)})"
        case _:
            return f"({_OPERATORS[operator]} {' '.join(operands)})"


def comparison(operator: str, left: str, right: str) -> str:
    """Return the term for a comparison of integers."""
    if left == right:
        return TRUE if operator in {"≤", "≥"} else negation(TRUE)
    return f"({_OPERATORS[operator]} {left} {right})"
