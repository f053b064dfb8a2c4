"""Independent checkers of proofs: dratify, in Rust or in Python, and any `drat-trim` that the user names.

dratify checks forward, every step. Its native form is cdclkit's build of the Rust crate of the same author, which
registers itself when it is imported; both are in the extra `proof`. `drat-trim` (Heule et al.) checks backward, only
what the empty clause needs.
"""

from __future__ import annotations

import functools
import importlib.util
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth.certifying import Refuted
from synth_checker.errors import InputError
from synth_corpus.extras import how_to_install

if TYPE_CHECKING:
    from collections.abc import Callable


class Checker(NamedTuple):
    """A checker of proofs: what to call it, and a function that is given formula and proof as texts.

    It returns if the proof shows that the formula has no model, and raises Refuted if not.
    """

    name: str
    check: Callable[[str, str], None]


def checker_named(word: str | None) -> Checker:
    """`native`, `python`, or the path of a program that is called as drat-trim is; by default native where it is there.

    Raises:
        InputError: there is no such checker here.
    """
    if word is None:
        word = "native" if _native_is_there() else "python"
    if word in {"native", "python"}:
        if importlib.util.find_spec("dratify") is None:
            msg = f"checker: found no dratify, expected it or --checker with the path of drat-trim; {_to_install()}"
            raise InputError(msg)
        if word == "native" and not _native_is_there():
            msg = f"checker: found no native part of dratify, expected cdclkit[native]; {_to_install()}"
            raise InputError(msg)
        language = {"native": "Rust", "python": "Python"}[word]
        return Checker(f"dratify, in {language}", functools.partial(_check_with_dratify, word))
    if not shutil.which(word):
        msg = f"checker: found {word!r}, expected native, python or a program such as drat-trim"
        raise InputError(msg)
    return Checker(word, functools.partial(_check_with_program, word))


def _to_install() -> str:
    return f"to install: {how_to_install('proof')}"


def _native_is_there() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("cdclkit", "cdclkit_native"))


def _check_with_dratify(engine: str, formula: str, proof: str) -> None:
    if engine == "native":
        import cdclkit  # noqa: F401  (registers its checker with dratify)
    import dratify

    try:
        result = dratify.check_proof(dratify.parse_dimacs(formula), proof, engine=engine)
    except ValueError as error:  # what is no proof at all
        raise Refuted(str(error)) from None
    if not result.ok:
        raise Refuted(f"step {result.failed_step}: {result.reason}" if result.failed_step > 0 else result.reason)


def _check_with_program(program: str, formula: str, proof: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("formula.cnf", "proof.drat")]
        for file, text in zip(files, (formula, proof), strict=True):
            file.write_text(text, "ascii")
        try:
            done = subprocess.run(  # noqa: S603  (the user names it)
                [program, *map(str, files)], capture_output=True, text=True, errors="replace", check=False
            )
        except OSError as error:
            msg = f"checker: {program}: {error.strerror}, expected a program such as drat-trim"
            raise InputError(msg) from error
    said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    if done.returncode != 0 or "s VERIFIED" not in said:
        raise Refuted(f"{program} left with {done.returncode} and said {said[-1] if said else 'nothing'!r}")
