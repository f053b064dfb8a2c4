"""Test that the rules find the invariants of loops, and that Houdini keeps all that hold."""

import pytest

from quick import mostly_full
from rule_kernels import BUFFERS, ESSENTIAL, SUPERSEDED, text
from synth_kernels.candidates.annotation_texts import annotation, scope_of, typed_lines
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL, RULES
from synth_kernels.flow import Flow
from synth_kernels.houdini import infer
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.kernel_verdict import failing_checks, verify
from synth_kernels.launch import Launch
from synth_kernels.pair.options import Options
from synth_kernels.pair.walk import Walk
from synth_kernels.text import parse
from synth_solvers.answers import SolverAnswer
from synth_solvers.client import Solver

LAUNCH = Launch((8,), (2,))


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def is_proven(kernel, solver, rules):
    """Whether no check can fail. This does not look for runs, so it is faster than `verify`."""
    whole, _ = with_candidates(kernel, LAUNCH, rules)
    walk = Walk(whole, LAUNCH, infer(whole, LAUNCH, solver).removed)
    return failing_checks([check for check in walk.state.checks if not check.candidate], walk, solver) is None


@mostly_full("rule", ESSENTIAL, quick=6)
def test_a_kernel_is_verified_with_a_rule_and_not_without(solver, rule):
    kernel = parse(text(rule))
    assert is_proven(kernel, solver, ALL)
    assert not is_proven(kernel, solver, [other for other in ALL if other != rule])


def test_buffers_that_change_places_are_verified_only_with_r22(solver):
    kernel = parse(f"kernel k\n{BUFFERS}\n")
    assert is_proven(kernel, solver, ALL)
    assert not is_proven(kernel, solver, [other for other in ALL if other != "r22"])


@pytest.mark.parametrize("rule", SUPERSEDED)
def test_a_candidate_of_a_rule_that_others_supersede_is_kept(solver, rule):
    report = verify(parse(text(rule)), LAUNCH, solver, Options(rules=ALL))
    assert report.verdict == "verified"
    assert rule in {candidate.rule for candidate in report.candidates if candidate.line not in report.inferred.removed}


def test_each_rule_has_a_kernel():
    assert {*ESSENTIAL, *SUPERSEDED, "r18"} == set(RULES)  # r18 is about warps: test_lockstep has its kernel


def kept_one_by_one(kernel, solver):
    """Return what is left if each candidate has a query of its own, and is removed alone: the slow twin of `infer`."""
    removed = set()
    while True:
        walk = Walk(kernel, LAUNCH, removed)
        candidates = [check for check in walk.state.checks if check.candidate]
        wrong = next((check.line for check in candidates[::-1] if failing_checks([check], walk, solver)), None)
        if wrong is None:
            return removed
        removed.add(wrong)


@mostly_full("rule", ["r9", "r11"])
def test_what_is_kept_does_not_depend_on_the_order(solver, rule):
    whole, candidates = with_candidates(parse(text(rule)), LAUNCH, ALL)
    inferred = infer(whole, LAUNCH, solver)
    assert inferred.removed == kept_one_by_one(whole, solver)
    assert len(inferred.removed) < len(candidates)


@mostly_full("rule", ["r1", "r13"])
def test_kept_candidates_can_be_pasted(solver, rule):
    kernel = parse(text(rule))
    report = verify(kernel, LAUNCH, solver, Options(rules=ALL))
    kept = [candidate for candidate in report.candidates if candidate.line not in report.inferred.removed]
    lines = [line for number, candidate in enumerate(kept) for line in typed_lines(candidate.meaning, f"inv{number}.")]
    pasted = []
    for line in text(rule).splitlines():
        pasted += [line, *lines] if line.startswith("loop(") else [line]
    assert verify(parse("\n".join(pasted)), LAUNCH, solver).verdict == report.verdict == "verified"
    assert verify(kernel, LAUNCH, solver).verdict != "verified"


def test_a_candidate_on_which_the_solver_gives_up_is_removed():
    class GivesUp(Solver):
        """A solver that gives up on all queries about candidates."""

        def ask(self, script):
            return SolverAnswer("unknown") if "candidate " in script else super().ask(script)

    with GivesUp(seconds=120.0) as solver:
        report = verify(parse(text("r1")), LAUNCH, solver, Options(rules=ALL))
    assert report.inferred.dropped == {candidate.line for candidate in report.candidates}
    assert report.verdict == "race"


def test_solvers_that_give_up_on_many_candidates_are_asked_about_fewer(solver):
    class GivesUp(Solver):
        def ask(self, script):
            self.asked += 1
            return SolverAnswer("unknown") if self.asked < 4 else solver.ask(script)

    whole, candidates = with_candidates(parse(text("r1")), LAUNCH, ALL)
    inferred = infer(whole, LAUNCH, GivesUp(seconds=120.0))
    assert inferred.removed >= infer(whole, LAUNCH, solver).removed
    assert len(inferred.removed) < len(candidates)


@pytest.mark.full
def test_long_chains_of_values_take_no_long_time():
    """As a formula without sharing, the last of these values would have 2^300 parts."""
    chain = [f"  v{number + 1} = add v{number}, v{number}" for number in range(300)]
    chain += [f"  v{number + 1} = add v{number}, lid.0" for number in range(300, 1200)]
    body = text("r1").replace("  write i32 A[i]", "\n".join(["  v0 = add i, n", *chain, "  write i32 A[v1200]"]))
    _, candidates = with_candidates(parse(body), LAUNCH, ALL)
    assert candidates


IN_C = """__kernel void k(__global int *a, __local int *t, int n) {
    int id = get_local_id(0);
    for (int d = 1; d < 64; d *= 2) {
        int left = id >= d ? t[id - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[id] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] = t[id];
}
"""


@pytest.mark.full
def test_kept_candidates_in_c_can_be_pasted_as_annotations(solver, tmp_path):
    path, launch = tmp_path / "k.cl", Launch((64,), (4,))
    path.write_text(IN_C, "utf-8")
    (kernel,) = read(path, SourceOptions())
    report = verify(kernel, launch, solver, Options(rules=ALL))
    assert report.verdict == "verified"
    kept = [candidate for candidate in report.candidates if candidate.line not in report.inferred.removed]
    pasted = IN_C
    for header, test in zip(dict.fromkeys(claim.header for claim in kept), ("d < 64", "i < n"), strict=True):
        scope = scope_of(Flow(kernel), header)
        said = [annotation(claim.meaning, kernel, scope, cuda=False) for claim in kept if claim.header == header]
        pasted = pasted.replace(f"; {test};", f"; {', '.join([*filter(None, said), test])};")
    path.write_text(pasted, "utf-8")
    (again,) = read(path, SourceOptions())
    assert pasted.count("__invariant") > 10
    assert verify(again, launch, solver).verdict == "verified"
    assert verify(kernel, launch, solver).verdict != "verified"
