"""Boogie as a peer: its own Houdini keeps the candidates that ours keeps, on two-thread programs as text."""

import pytest

import boogie
from rule_kernels import ESSENTIAL, SUPERSEDED, text
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL
from synth_kernels.houdini import infer
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.program import KernelClaim
from synth_kernels.text import parse
from synth_solvers.client import Solver

pytestmark = [pytest.mark.full, pytest.mark.command("boogie")]
#: Boogie's program knows nothing of what arrays hold.
OPTIONS = Options(abstraction="adversarial")
#: Each in some seconds; the others are for `make exhaustive`.
QUICK = ("r2", "r12", "r15", "r19")
PROGRAMS = [
    pytest.param(rule, local, marks=[] if rule in QUICK and local == 8 else pytest.mark.exhaustive)
    for rule in (*ESSENTIAL, *SUPERSEDED)
    for local in (8, 4)
    # Asynchronous copies (r27) are not printed, and of remainders by unknown numbers (r28) we know only some facts.
    if rule not in {"r27", "r28"}
]


def both(kernel, launch, folder):
    """Return the lines of the candidates that we keep, those that Boogie keeps, and all of them."""
    lines = {
        instruction.line
        for block in kernel.blocks
        for instruction in block.instructions
        if isinstance(instruction, KernelClaim) and instruction.kind == "candidate"
    }
    theirs = boogie.kept(boogie.Printer(kernel, launch).text(), folder)
    assert theirs is not None, "Boogie gave up"
    assert theirs[0] | theirs[1] == lines
    with Solver(seconds=120.0) as solver:
        inferred = infer(kernel, launch, solver, OPTIONS)
    assert not inferred.dropped
    return lines - inferred.removed, theirs[0], lines


@pytest.mark.parametrize(("rule", "local"), PROGRAMS)
def test_boogie_keeps_the_same_candidates(tmp_path, rule, local):
    launch = Launch((local,), (2,))
    ours, theirs, lines = both(with_candidates(parse(text(rule)), launch, ALL)[0], launch, tmp_path)
    assert ours == theirs
    assert ours < lines or rule in {"r15", "r19"}


def test_a_wrong_candidate_is_refuted_by_both(tmp_path):
    """The second candidate follows only from the first one, which is wrong. So both go, and the third stays."""
    kernel = parse(
        "kernel planted\nscalar n: i32\nentry:\n  jump loop(0:i32)\nloop(i: i32):\n"
        "  a = ult i, 3:i32\n  candidate a\n  b = ult i, 4:i32\n  candidate b\n  c = ule i, n\n  candidate c\n"
        "  d = ult i, n\n  branch d ? body : out\nbody:\n  j = add i, 1:i32\n  jump loop(j)\nout:\n  return\n"
    )
    ours, theirs, lines = both(kernel, Launch((8,), (2,)), tmp_path)
    assert ours == theirs == {max(lines)}
