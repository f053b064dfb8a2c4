"""Proofs that take for granted what nothing has checked are looked at again, now without that.

- `--only` leaves out checks of races. Then the proof must hold in memory where others may store at any time (`apart`).
- An atomic access of a narrow scope is taken as atomic among all threads (`scopes`). Then the proof must hold with a
  plain access in its place.

What does not hold becomes unknown. Both ways to verify come through here: kernels with all that they call inlined, and
kernels and functions by their contracts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.reports import PROOFS, Report
from synth_kernels.scopes import as_plain, narrow, told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Access, Kernel

#: Kernels and functions that are verified together, each with its launch.
Together: TypeAlias = "Sequence[tuple[Kernel, Launch]]"
#: What verifies them: it returns a report on each.
Prove: TypeAlias = "Callable[[Together, Options], list[Report]]"


def rechecked(parts: Together, options: Options, prove: Prove) -> list[Report]:
    """Return the reports on kernels and functions, of which no proof rests on what was not checked."""
    reports = prove(parts, options)
    if options.unchecked and _has_proof(reports):
        strict = prove(parts, replace(options, apart=options.unchecked))
        reports = [_without_races(*both, options) for both in zip(reports, strict, strict=True)]
    some = [(kernel, narrow(kernel, launch)) for kernel, launch in parts]
    if not any(accesses for _, accesses in some) or not _has_proof(reports) or options.only == "divergence":
        return reports
    clean = _clean_without(parts, [accesses for _, accesses in some], options, prove)
    unknown = Report("unknown", reason=told(some))
    return [
        replace(unknown, inferred=one.inferred) if one.verdict in PROOFS and not is_clean else one
        for one, is_clean in zip(reports, clean, strict=True)
    ]


def _has_proof(reports: Sequence[Report]) -> bool:
    return any(one.verdict in PROOFS for one in reports)


def _without_races(report: Report, strict: Report, options: Options) -> Report:
    """Return the report on a kernel of which no races were checked, by the proof in which they change what they can."""
    if report.verdict not in PROOFS:
        return report
    if strict.verdict == report.verdict or any(one.is_confirmed for one in strict.counterexamples):
        return strict
    what = "races" if options.only == "divergence" else "races between groups"
    return Report("unknown", reason=f"{what} are not looked at, and one may change what decides here")


def _clean_without(parts: Together, some: Sequence[list[Access]], options: Options, prove: Prove) -> list[bool]:
    """Return for each part whether it has no fault if accesses are not atomic that have a narrow scope."""
    clean = [True] * len(parts)
    of_group = [[one for one in accesses if one.reach in {"group", "cluster"}] for accesses in some]
    others = [[one for one in accesses if one not in wide] for accesses, wide in zip(some, of_group, strict=True)]
    between = replace(options, only="between groups")
    asked = [(others, options), *([] if options.only == "intra-group" else [(of_group, between)])]
    for chosen, how in asked:
        if any(chosen):
            plain = [(as_plain(kernel, one), launch) for (kernel, launch), one in zip(parts, chosen, strict=True)]
            found = prove(plain, how)
            clean = [before and one.verdict in PROOFS for before, one in zip(clean, found, strict=True)]
    return clean
