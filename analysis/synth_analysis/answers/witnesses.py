"""The most telling witness against each violated verdict: its program, how it may hang, and how to run it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_campaigns.claims import passed_verdicts
from synth_campaigns.settings import LaunchSettings
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_program
from synth_checker.relations.antichains import fairest
from synth_litmus.explanation import explain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synth_analysis.patterns import PatternEvidence
    from synth_campaigns.cell_result import CellResult
    from synth_campaigns.claims import Claim


@dataclass(frozen=True, slots=True)
class Witness:
    """The most telling witness against some verdicts.

    - `program` is the text of its test.
    - `under` is a verdict that the test fails, one of the fairest. `lasso` says in words how the test may hang
      on a scheduler that keeps the promise of `under`.
    - `command` runs the cell again. It is empty if `synth` cannot, as for a published table.
    - `finished` is empty if the test passes the verdicts. Otherwise, who had finished in a hang speaks against them:
      these are the sets of finished threads in this hang.
    """

    result: CellResult
    verdicts: tuple[str, ...]
    program: str
    under: str
    lasso: tuple[str, ...]
    command: str
    finished: tuple[str, ...] = ()


def witnesses_of(claims: Sequence[Claim], sharper: Mapping[tuple[str, int], PatternEvidence]) -> list[Witness]:
    """Return the first witness against each violated verdict, each once. One by patterns counts only without others."""
    by_program: dict[tuple[str, int, bool], tuple[CellResult, list[str]]] = {}
    for claim in claims:
        if claim.status == "violates":
            first = (*claim.witnesses, *claim.pattern_witnesses)[0]
            key = (first.campaign, first.number, not claim.witnesses)
            by_program.setdefault(key, (first, []))[1].append(claim.verdict)
    return [
        _witness(cell_result, verdicts, sharper[campaign, number].finished if is_pattern else ())
        for (campaign, number, is_pattern), (cell_result, verdicts) in by_program.items()
    ]


def _witness(result: CellResult, verdicts: Sequence[str], finished: tuple[str, ...]) -> Witness:
    program = program_of_id(result.cell.test)
    under = _fairest_failed(result.cell.test)
    lasso = explain(program, under).sentences
    return Witness(result, tuple(verdicts), write_program(program), under, lasso, command_of(result), finished)


def _fairest_failed(test: str) -> str:
    """Return the first of the fairest verdicts that a test fails."""
    passed = passed_verdicts([test])[test]
    return fairest([name for name in verdict_names(library()) if name not in passed])[0]


def command_of(result: CellResult) -> str:
    """Return a command that runs a cell again with all its settings, or an empty text if there is none."""
    cell, setting = result.cell, result.cell.setting
    kind, _, words = cell.device.partition(":")
    if kind == "published":
        return ""
    is_bundle = kind == "bundle"
    options = ["--mapping", setting.mapping]
    if setting.mapping != "plain":
        options += ["--instances", str(setting.instances)]
    if setting.stress:
        options += ["--stress", str(setting.stress), "--stress-shape", setting.stress_shape]
    if setting.width > 1:
        options += ["--width", str(setting.width)]
    if is_bundle:
        return shlex.join(["synth", "emit", cell.test, "--target", words, *options, "--out", "again"])
    if cell.busy:
        options += ["--busy", str(cell.busy)]
    options += ["--launches", str(cell.declared)]
    launches, usual = result.launches or LaunchSettings(), LaunchSettings()
    if result.after_hang != usual.after_hang:
        options += ["--after-hang", str(result.after_hang)]
    if launches.timeout_s != usual.timeout_s and not result.decides:
        options += ["--timeout", f"{launches.timeout_s:g}"]
    if launches.confirm_s != usual.confirm_s and not result.decides:
        options += ["--confirm", f"{launches.confirm_s:g}"]
    command = ["synth", "campaign", "run", cell.test, "--device", cell.device, *options, "--out", "again.campaign"]
    return shlex.join(command)
