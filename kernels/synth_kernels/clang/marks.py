"""The names by which `preparation` marks what it changes in LLVM IR, and by which the translation knows it again."""

from __future__ import annotations

import re

#: How the names begin of values that are arbitrary because a variable is not set, and of variables of the program that
#: hold them. Behind it come the name of the variable and a number.
UNSET = "unset."
#: The functions of which a scalar variable gets such a value. The type follows.
GIVES = "__synth_unset."
#: The metadata of an operation that has a sign and may overflow.
SIGNED = "synth.signed"
#: The functions that take the place of such operations where an overflow is a fault. The operation and the type follow.
CHECKS = "__synth_checked."
#: The function that is called where no thread may come.
TRAPS = "__synth_trap"
_VARIABLE = re.compile(rf"{re.escape(UNSET)}(\w+)\.\d+")


def variable_of(name: str) -> str:
    """Return the variable of the source that a value or a variable of the program with this name stands for, if any."""
    return match[1] if (match := _VARIABLE.match(name)) else ""
