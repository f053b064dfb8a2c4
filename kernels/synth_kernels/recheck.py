"""Proofs that take for granted what nothing has checked are looked at again, now without that.

- `--only` leaves out checks of races. Then the proof must hold in memory where others may store at any time (`apart`).
- An atomic access of a narrow scope is taken as atomic among all threads (`scopes`). Then the proof must hold with a
  plain access in its place.
- An atomic access is taken as atomic to all others. Then the proof must hold with plain accesses in the place of those
  that are wider than others of the same array.

What does not hold becomes unknown. Both ways to verify come through here: kernels with all that they call inlined, and
kernels and functions by their contracts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from synth_kernels.program import Call
from synth_kernels.reports import PROOFS
from synth_kernels.scopes import (
    as_plain,
    atomics_of,
    narrow_atomics,
    narrow_scope_reason,
    wider_access_reason,
    wider_atomics,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.program import Access, Kernel
    from synth_kernels.reports import KernelReport

#: Kernels and functions that are verified together, each with its launch.
Together: TypeAlias = "Sequence[tuple[Kernel, Launch]]"
#: What verifies them: it returns a report on each.
Prove: TypeAlias = "Callable[[Together, Options], list[KernelReport]]"


def recheck_proofs(parts: Together, options: Options, prove: Prove) -> list[KernelReport]:
    """Return the reports on kernels and functions, of which no proof rests on what was not checked."""
    reports = prove(parts, options)
    if options.unchecked and _has_proof(reports):
        strict = prove(parts, replace(options, apart=options.unchecked))
        reports = [_without_races(*both, options) for both in zip(reports, strict, strict=True)]
    if options.only == "divergence":
        return reports
    doubts = (
        ([narrow_atomics(kernel, launch) for kernel, launch in parts], narrow_scope_reason, _scope_variants),
        (_wider_atomics_of(parts), wider_access_reason, _width_variants),
    )
    for doubtful, reason, variants in doubts:
        if any(doubtful) and _has_proof(reports):
            doubtful_parts = [(kernel, accesses) for (kernel, _), accesses in zip(parts, doubtful, strict=True)]
            clean = _clean_without(parts, variants(doubtful, options), prove)
            if any(accesses and _has_calls(kernel) for kernel, accesses in doubtful_parts):
                # what calls do was noted when the source was read, with all its atomic accesses
                clean = [
                    is_clean and not _has_calls(kernel) for is_clean, (kernel, _) in zip(clean, parts, strict=True)
                ]
            reports = [
                _unknown(report, reason(doubtful_parts)) if report.verdict in PROOFS and not is_clean else report
                for report, is_clean in zip(reports, clean, strict=True)
            ]
    return reports


def _has_proof(reports: Sequence[KernelReport]) -> bool:
    return any(report.verdict in PROOFS for report in reports)


def _without_races(report: KernelReport, strict: KernelReport, options: Options) -> KernelReport:
    """Return the report on a kernel of which no races were checked, by the proof in which they change what they can."""
    if report.verdict not in PROOFS:
        return report
    if strict.verdict == report.verdict or any(
        counterexample.is_confirmed for counterexample in strict.counterexamples
    ):
        return strict
    what = "races" if options.only == "divergence" else "races between groups"
    reason = f"--only {options.only} does not look at {what}, and one may change what decides the verdict"
    return _unknown(report, f"{reason}; leave out --only")


def _unknown(report: KernelReport, reason: str) -> KernelReport:
    """Return the report on a kernel whose proof is none, with its candidates."""
    return replace(report, verdict="unknown", reason=reason, loops=(), benign=(), unreached=())


#: Some accesses of each part that are to be plain ones, and what to look for then.
_RecheckVariant: TypeAlias = "tuple[Sequence[Sequence[Access]], Options]"


def _scope_variants(doubtful: Sequence[list[Access]], options: Options) -> list[_RecheckVariant]:
    """Return how to look for faults of accesses of a narrow scope. One of a group is atomic within the group."""
    wide = [[access for access in accesses if access.reach in {"group", "cluster"}] for accesses in doubtful]
    others = [[access for access in accesses if access not in of] for accesses, of in zip(doubtful, wide, strict=True)]
    between = [] if options.only == "intra-group" else [(wide, replace(options, only="between groups"))]
    return [(others, options), *between]


def _width_variants(doubtful: Sequence[list[Access]], options: Options) -> list[_RecheckVariant]:
    """Return how to look for faults of accesses that are atomic, but not to narrower ones: with each width."""
    widths = sorted({access.width for accesses in doubtful for access in accesses})
    only = replace(options, only="with atomics")
    return [
        ([[access for access in accesses if access.width == width] for accesses in doubtful], only) for width in widths
    ]


def _clean_without(parts: Together, variants: Sequence[_RecheckVariant], prove: Prove) -> list[bool]:
    """Return for each part whether it has no fault if some of its accesses are plain ones."""
    clean = [True] * len(parts)
    for chosen, how in variants:
        if any(chosen):
            plain = [
                (as_plain(kernel, accesses), launch) for (kernel, launch), accesses in zip(parts, chosen, strict=True)
            ]
            reports = prove(plain, how)
            clean = [before and report.verdict in PROOFS for before, report in zip(clean, reports, strict=True)]
    return clean


def _has_calls(kernel: Kernel) -> bool:
    """Return whether a kernel calls functions that are not inlined, or is one."""
    return kernel.function is not None or any(isinstance(instruction, Call) for instruction in kernel.steps)


def _wider_atomics_of(parts: Together) -> list[list[Access]]:
    """Return the atomic accesses of each part that may meet narrower ones. Calls may pass on any array."""
    kernels = [kernel for kernel, _ in parts]
    passing = [atomic for kernel in kernels if _has_calls(kernel) for atomic in atomics_of(kernel)]
    least = min((access.width for access in passing), default=0)
    return [
        [atomic for atomic in atomics_of(kernel) if atomic.width > least]
        if _has_calls(kernel)
        else wider_atomics(kernel)
        for kernel in kernels
    ]
