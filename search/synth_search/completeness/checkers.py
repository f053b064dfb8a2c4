"""Choose the program that checks proofs: one of our own checkers, dratify, or another program such as drat-trim.

Our own checkers, in C++ and in Python, accept DRUP proofs and no others (`synth_checker.proofs`). dratify, in the extra
`proof`, checks forward, too, and we tell it to accept no RAT steps. If the package cdclkit is there, dratify uses its
build of a Rust crate by the same author. The program drat-trim (Heule et al.) checks backward, and only the steps that
the empty clause needs. This checker accepts RAT steps, and so do most other checkers.
"""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from synth_checker import proofs
from synth_checker.errors import InputError
from synth_checker.extras import how_to_install
from synth_checker.nearest import hint
from synth_checker.twin import proofs as twin

#: A function that takes a formula and a proof, as texts in pieces. It returns the reason why the proof does not show
#: that nothing satisfies the formula, or None if the proof does.
Refusal = Callable[[Iterable[bytes], Iterable[bytes]], str | None]


class Checker(NamedTuple):
    """A checker of proofs: its name, a phrase that says what to trust, and the function that checks a proof."""

    name: str
    trusted: str
    refusal: Refusal


_OWN = {
    "native": Checker(
        "the checker in C++",
        "checker/native/proofs/proof_checker.cpp with unit_propagation.cpp, which checked the proofs",
        proofs.refusal,
    ),
    "python": Checker(
        "the checker in Python", "synth_checker.twin.proofs, which checked the proofs", twin.refusal
    ),
}  # fmt: skip


def checker_named(word: str) -> Checker:
    """Return a checker of proofs of unsatisfiability by its name.

    The name is `native` or `python` for one of our own checkers, `dratify`, or the path of another program.
    `synth` calls a program that is given by its path with the same arguments as drat-trim.

    Raises:
        InputError: there is no such checker on this machine.
    """
    if word in _OWN:
        return _OWN[word]
    if word == "dratify":
        return _dratify()
    if not shutil.which(word):
        if Path(word).is_file():
            raise InputError(f"checker: {word} is no program that may be run; to allow it, run chmod +x {word}")
        expected = f"native, python, dratify or a program such as drat-trim{hint(word, (*_OWN, 'dratify'))}"
        raise InputError(f"checker: found {word!r}, expected {expected}")
    trusted = (
        f"{word}, which said that the proofs are right; such a program may accept RAT steps, which our own checker "
        "never accepts"
    )
    return Checker(word, trusted, functools.partial(_refusal_of_program, word))


def _dratify() -> Checker:
    if importlib.util.find_spec("dratify") is None:
        raise InputError(f"checker: dratify is missing; to install it: {how_to_install('proof')}")
    native = all(importlib.util.find_spec(name) is not None for name in ("cdclkit", "cdclkit_native"))
    name = f"dratify (in {'Rust' if native else 'Python'})"
    trusted = f"{name}, which checked the proofs and had to accept no RAT step"
    return Checker(name, trusted, functools.partial(_refusal_of_dratify, "native" if native else "python"))


def _refusal_of_dratify(engine: str, formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    if engine == "native":
        import cdclkit  # noqa: F401  (registers its checker with dratify)
    import dratify

    try:
        # dratify refuses a byte that is no character.
        text, steps = (b"".join(pieces).decode("ascii", "replace") for pieces in (formula, proof))
        result = dratify.check_proof(dratify.parse_dimacs(text), steps, check_rat=False, engine=engine)
    except ValueError as error:  # the text is no proof at all
        return str(error)
    if result.ok:
        return None
    return f"step {result.failed_step}: {result.reason}" if result.failed_step > 0 else result.reason


def _refusal_of_program(program: str, formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("formula.cnf", "proof.drat")]
        for path, pieces in zip(files, (formula, proof), strict=True):
            with path.open("wb") as file:
                file.writelines(pieces)
        try:
            done = subprocess.run(  # noqa: S603  (the user names it)
                [program, *map(str, files)], capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            raise InputError(f"checker: {program}: {error.strerror}, expected a program such as drat-trim") from error
    said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode == 0 and "s VERIFIED" in said:
        return None
    return f"{program} exited with status {done.returncode} and said {said[-1] if said else 'nothing'!r}"
