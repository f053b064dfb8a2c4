"""Who checks the proofs: our own checker, in C++ or in Python, and beside it dratify or any program such as drat-trim.

Our own accepts DRUP proofs and no others (`synth_checker.proofs`). dratify, in the extra `proof`, checks forward, too,
and is told to accept no RAT steps; cdclkit's build of the Rust crate of the same author is used where it is installed.
drat-trim (Heule et al.) checks backward, only what the empty clause needs. It accepts RAT steps; so do most others.
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

#: Of a formula and a proof, texts in pieces: why it is not shown that the formula has no model; None if it is.
Refusal = Callable[[Iterable[bytes], Iterable[bytes]], str | None]


class Checker(NamedTuple):
    """A checker of proofs: what to call it, what must be trusted of it, and what it says of a proof."""

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
    """`native` or `python`, our own; `dratify`; or the path of a program that is called as drat-trim is.

    Raises:
        InputError: there is no such checker here.
    """
    if word in _OWN:
        return _OWN[word]
    if word == "dratify":
        return _dratify()
    if not shutil.which(word):
        expected = f"native, python, dratify or a program such as drat-trim{hint(word, (*_OWN, 'dratify'))}"
        msg = f"checker: found {word!r}, expected {expected}"
        raise InputError(msg)
    trusted = f"{word}, which checked the proofs; programs such as drat-trim accept RAT steps, which ours never does"
    return Checker(word, trusted, functools.partial(_refusal_of_program, word))


def _dratify() -> Checker:
    if importlib.util.find_spec("dratify") is None:
        msg = f"checker: found no dratify, expected it; to install: {how_to_install('proof')}"
        raise InputError(msg)
    native = all(importlib.util.find_spec(name) is not None for name in ("cdclkit", "cdclkit_native"))
    name = f"dratify, in {'Rust' if native else 'Python'}"
    trusted = f"{name}, which checked the proofs and was told to accept no RAT step"
    return Checker(name, trusted, functools.partial(_refusal_of_dratify, "native" if native else "python"))


def _refusal_of_dratify(engine: str, formula: Iterable[bytes], proof: Iterable[bytes]) -> str | None:
    if engine == "native":
        import cdclkit  # noqa: F401  (registers its checker with dratify)
    import dratify

    try:
        # A byte that is no character is for dratify to refuse.
        text, steps = (b"".join(pieces).decode("ascii", "replace") for pieces in (formula, proof))
        result = dratify.check_proof(dratify.parse_dimacs(text), steps, check_rat=False, engine=engine)
    except ValueError as error:  # what is no proof at all
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
            msg = f"checker: {program}: {error.strerror}, expected a program such as drat-trim"
            raise InputError(msg) from error
    said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode == 0 and "s VERIFIED" in said:
        return None
    return f"{program} left with {done.returncode} and said {said[-1] if said else 'nothing'!r}"
