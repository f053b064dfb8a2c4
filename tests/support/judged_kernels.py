"""Judge typed programs of the launch of random kernels: whether they are proven, and what each encoding finds."""

import collections
from dataclasses import replace

from hypothesis import given, seed

from random_kernels import CONTENTS, GROUPS, LOCAL, faults
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.houdini import infer
from synth_kernels.induction import with_induction
from synth_kernels.kernel_verdict import failing_checks
from synth_kernels.launch import Launch
from synth_kernels.pair.options import DEFAULT, ENCODINGS
from synth_kernels.pair.walk import Walk
from synth_kernels.terms import script

LAUNCH = Launch((LOCAL,), (GROUPS,))


def is_proven(kernel, solver, options=DEFAULT, launch=LAUNCH):
    """Whether no check of a kernel can fail. This does not look for runs, so it is faster than `verify`."""
    kernel, _ = with_candidates(kernel, launch, options.rules)
    kernel = with_induction(kernel, options.depth)
    walk = Walk(kernel, launch, infer(kernel, launch, solver, options).removed, options)
    return failing_checks([check for check in walk.state.checks if not check.candidate], walk, solver) is None


def is_wrong(kernel, solver, options=DEFAULT, launch=LAUNCH):
    """Whether a kernel counts as verified although a run has a fault."""
    has_fault = bool(faults(kernel, contents=CONTENTS, warp=launch.warp, waits_fence=launch.waits_fence))
    return has_fault and is_proven(kernel, solver, options, launch)


def counted(drawn, solver, asked, options=DEFAULT, launch=LAUNCH):
    """Judge random kernels by a proof and by runs, count them by what both say, and fail if a fault is proved away.

    `drawn` is the strategy, and `asked` the settings of hypothesis.
    """
    seen = collections.Counter()

    @seed(2)
    @asked
    @given(drawn)
    def compare(kernel):
        has_fault = bool(faults(kernel, contents=CONTENTS, warp=launch.warp, waits_fence=launch.waits_fence))
        proven = is_proven(kernel, solver, options, launch)
        assert not (has_fault and proven)
        seen["with a fault" if has_fault else "verified" if proven else "neither"] += 1

    compare()
    print(dict(seen))  # noqa: T201  (pytest -s shows it)
    return seen


def all_failing(kernel, solver, options, launch=LAUNCH):
    """Return the candidates that are refuted and the checks that fail, each asked for alone."""

    def fails(check):
        return solver.ask(script([check.fails])).verdict == "sat"

    refuted = set()
    while True:
        walk = Walk(kernel, launch, refuted, options)
        lines = {check.line for check in walk.state.checks if check.candidate and fails(check)}
        if not lines:
            others = [check for check in walk.state.checks if not check.candidate and fails(check)]
            return refuted, [(other.kind, other.line, other.access, other.other) for other in others]
        refuted |= lines


def disagreement(kernel, solver, options=DEFAULT, launch=LAUNCH):
    """Return what each encoding finds, if they differ."""
    found = [all_failing(kernel, solver, replace(options, encoding=encoding), launch) for encoding in ENCODINGS]
    return None if found[0] == found[1] else found
