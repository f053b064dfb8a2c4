"""Answers of earlier commands, in a folder: an answer counts again if the kernel and all else is the same.

The name of an entry is a hash of the typed program with its lines, the launch, the options, the solver and the programs
of `synth`. The folder gets only what is decided: a proof, or faults. A second entry, with a name that comes from the
file and the kernel, has the invariants. If somebody edits the kernel, the solver tries these first.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import synth_kernels
import synth_solvers
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.houdini import HoudiniResult
from synth_kernels.printer import kernel_text
from synth_kernels.reports import Counterexample, KernelReport
from synth_storage.files import put_bytes
from synth_storage.refusals import as_user_errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Kernel


class Cache:
    """The answers in a folder, found with some solver. An entry with other text counts as none.

    Raises:
        InputError: there can be no such folder.
    """

    def __init__(self, folder: Path, solver: str) -> None:
        with as_user_errors(folder, "a folder for answers"):
            folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._solver = solver

    def report(self, kernel: Kernel, launch: Launch, options: Options) -> KernelReport | None:
        """Return the report on a kernel if it is known."""
        try:
            entry = json.loads(self._entry(kernel, launch, options).read_text("utf-8"))
            inferred = HoudiniResult(
                {int(line): round_ for line, round_ in entry["refuted"].items()},
                {int(line): engine for line, engine in entry["by"].items()},
                rounds=entry["rounds"],
            )
            faults = tuple(map(_counterexample, entry["counterexamples"]))
            only = None if entry["only"] is None else set(entry["only"])
            candidates = () if options.unroll else tuple(with_candidates(kernel, launch, options.rules, only)[1])
            loops = tuple(entry["loops"].items())
            return KernelReport(
                entry["verdict"], faults, entry["reason"], candidates, inferred, tuple(entry["benign"]), loops
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def first(self, path: Path, kernel: Kernel) -> frozenset[str]:
        """Return the keys of the candidates that were kept when this kernel was last verified."""
        try:
            return frozenset(map(str, json.loads(self._kept(path, kernel).read_text("utf-8"))))
        except (OSError, ValueError, TypeError):
            return frozenset()

    def keep(self, path: Path, kernel: Kernel, launch: Launch, options: Options, report: KernelReport) -> None:
        """Keep a report if it is decided, and not for lack of time."""
        inferred = report.inferred
        if report.verdict in {"unknown", "stopped"} or report.reason or inferred.dropped:
            return
        keys = [candidate.key for candidate in report.candidates]
        candidates = [] if options.unroll else with_candidates(kernel, launch, options.rules)[1]
        entry = {
            "verdict": report.verdict,
            "reason": report.reason,
            "counterexamples": [asdict(counterexample) for counterexample in report.counterexamples],
            "only": None if len(keys) == len(candidates) else keys,
            "refuted": inferred.refuted,
            "by": inferred.by,
            "rounds": inferred.rounds,
            "benign": report.benign,
            "loops": dict(report.loops),
        }
        _put(self._entry(kernel, launch, options), entry)
        if report.verdict == "verified" and report.candidates:
            kept_keys = [candidate.key for candidate in report.candidates if candidate.line not in inferred.removed]
            _put(self._kept(path, kernel), kept_keys)

    def _entry(self, kernel: Kernel, launch: Launch, options: Options) -> Path:
        lines = [instruction.line for block in kernel.blocks for instruction in (*block.instructions, block.end)]
        sizes = [(array.name, array.size) for array in kernel.arrays]
        parts = (kernel_text(kernel), lines, sizes, launch, options, self._solver, _programs())
        return self._folder / f"{_hash(*parts)}.json"

    def _kept(self, path: Path, kernel: Kernel) -> Path:
        return self._folder / f"{_hash(str(path.resolve()), kernel.name)}.kept.json"


def _put(path: Path, value: object) -> None:
    put_bytes(path, json.dumps(value).encode("utf-8"), force=True)


def _hash(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(repr, parts)).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _counterexample(fields: dict[str, object]) -> Counterexample:
    """Return a counterexample from its fields, in which JSON has made lists of tuples."""
    constructor: Callable[..., Counterexample] = Counterexample
    return constructor(**{name: _with_tuples(value) for name, value in fields.items()})


def _with_tuples(value: object) -> object:
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


@functools.cache
def _programs() -> str:
    """Return a hash of what decides: the programs of two packages, and the versions of the solvers."""
    digest = hashlib.sha256()
    for package in (synth_kernels, synth_solvers):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    for name in ("z3-solver", "bitwuzla", "cvc5"):
        try:
            digest.update(f"{name} {importlib.metadata.version(name)}".encode())
        except importlib.metadata.PackageNotFoundError:
            digest.update(name.encode())
    return digest.hexdigest()
