"""Test that all engines, one after the other or at once, leave the candidates that Houdini alone leaves."""

import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from fused_kernels import LOCAL as FUSED_LOCAL
from fused_kernels import sources
from processes import PATIENCE_S, ending
from random_kernels import GROUPS, LOCAL, kernels
from rule_kernels import ESSENTIAL, SUPERSEDED, text
from synth_checker.errors import InputError
from synth_kernels.candidates.placement import with_candidates
from synth_kernels.candidates.rules import ALL
from synth_kernels.flow import Flow
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.launch import Launch
from synth_kernels.pair.options import DEFAULT, Options
from synth_kernels.refutation import portfolio
from synth_kernels.refutation.engine_names import Engines, engines
from synth_kernels.refutation.shared_refutations import RefutedCandidates
from synth_kernels.text import parse
from synth_solvers.client import Solver

LAUNCH = Launch((LOCAL,), (GROUPS,))
REFUTERS = ("SBASE", "SSTEP", "LU(1)", "LU(2)", "DYN")
PORTFOLIO = Options(engine="DYN||SBASE||H")
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))
#: The factors of 3037000493 * 2860486313, which solvers for bit-vectors do not find in minutes.
HARD = """(set-logic QF_BV)
(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))
(assert (= (bvmul ((_ zero_extend 32) x) ((_ zero_extend 32) y)) #x788f7bd0c47a7eb5))
(assert (bvugt x #x00000001))(assert (bvugt y #x00000001))
(check-sat)
"""
FOLDER = Path(__file__).parents[2] / "fixtures" / "loops"


@pytest.fixture(scope="module")
def solver():
    with Solver(seconds=120.0) as solver:
        yield solver


def refuted_by(engine, kernel, launch, solver):
    refuted = RefutedCandidates()
    portfolio.refute(engine, kernel, launch, solver, DEFAULT, refuted)
    return refuted.lines()


def check_engines(kernel, launch, solver):
    """Check that no engine refutes what Houdini keeps, and return how many candidates each refutes."""
    alone = portfolio.infer(kernel, launch, solver)
    counts = {}
    for engine in REFUTERS:
        lines = refuted_by(engine, kernel, launch, solver)
        assert lines <= alone.removed, (engine, lines - alone.removed)
        counts[engine] = len(lines)
    return counts | {"H": len(alone.removed)}


def test_engines_refute_candidates_of_the_kernels_of_rules(solver):
    """Each engine refutes some of them, and none that Houdini keeps."""
    refuted = [
        check_engines(with_candidates(parse(text(rule)), Launch((8,), (2,)), ALL)[0], Launch((8,), (2,)), solver)
        for rule in ("r10", "r15")
    ]
    assert all(sum(counts[engine] for counts in refuted) > 0 for engine in REFUTERS)


SOME = ("r8", "r10", "r15", "r17", "r19", "r22")


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, marks=pytest.mark.full if rule in SOME else pytest.mark.exhaustive)
        for rule in (*ESSENTIAL, *SUPERSEDED)
    ],
)
def test_what_is_kept_does_not_depend_on_engines(solver, rule):
    for engine, launch in (("SSTEP;LU(1);H", Launch((8,), (2,))), ("DYN||SBASE||H", Launch())):
        whole, _ = with_candidates(parse(text(rule)), launch, ALL)
        alone = portfolio.infer(whole, launch, solver)
        inferred = portfolio.infer(whole, launch, solver, Options(engine=engine))
        if not alone.dropped | inferred.dropped:
            assert inferred.removed == alone.removed


#: Threads of one group part at the barrier, so no two of them come to the last loop.
PARTING = """kernel parting
local T: i32
scalar n: i32
entry:
  jump head(0:i32)
head(i: i32):
  far = not same_group
  stay = uniform enabled
  together = or stay, far
  candidate together
  even = uniform i
  equal = or even, far
  candidate equal
  below = ule i, lid.0
  candidate below
  c = ule lid.0, i
  branch c ? after : body
body:
  jump near
near:
  jump wait
wait:
  barrier group local
  j = add i, 1:i32
  jump head(j)
after:
  write i32 T[lid.0] = 1:i32
  jump last(0:i32)
last(k: i32):
  v = not write.T
  candidate v
  d = ult k, n
  branch d ? more : done
more:
  m = add k, 1:i32
  jump last(m)
done:
  return
"""


def test_engines_take_for_granted_what_barriers_of_a_loop_say(solver):
    """Behind a loop, LU assumes also what the barriers in it say, although no way leads from them to there."""
    kernel = parse(PARTING)
    assert not portfolio.infer(kernel, LAUNCH, solver).removed
    assert set(check_engines(kernel, LAUNCH, solver).values()) == {0}


def test_runs_end_when_they_have_seen_all_loops(monkeypatch):
    """One launch has two threads in one round of the loop. Without that, there are five."""
    whole, _ = with_candidates(parse(text("r10")), LAUNCH, ALL)
    launches = []
    real = portfolio.dynamic._RandomRun

    class Counted(real):
        def __init__(self, *given):
            launches.append(given)
            super().__init__(*given)

    monkeypatch.setattr(portfolio.dynamic, "_RandomRun", Counted)
    few = refuted_by("DYN", whole, LAUNCH, None)
    assert (len(launches), bool(few)) == (1, True)
    launches.clear()
    monkeypatch.setattr(Counted, "covered", lambda _: set())
    assert refuted_by("DYN", whole, LAUNCH, None) >= few
    assert len(launches) > 1


def test_a_run_ends_at_once_when_nobody_needs_it():
    """It is stopped when it comes to the header of a loop for the first time."""
    whole, _ = with_candidates(parse(text("r10")), LAUNCH, ALL)

    class Stopped(RefutedCandidates):
        looks = 0

    refuted = Stopped()
    refuted.stop.is_set = lambda: [setattr(refuted, "looks", refuted.looks + 1), refuted.looks > 1][1]
    portfolio.dynamic.refute(whole, LAUNCH, refuted)
    assert (refuted.looks, refuted.lines()) == (2, frozenset())


def check_random(solver, count):
    seen = dict.fromkeys((*REFUTERS, "H"), 0)

    @seed(5)
    @settings(SLOW, max_examples=count, database=None, phases=[Phase.generate])
    @given((kernels() | kernels(reads=True)).filter(lambda kernel: Flow(kernel).loops))
    def compare(kernel):
        for engine, number in check_engines(with_candidates(kernel, LAUNCH, ALL)[0], LAUNCH, solver).items():
            seen[engine] += number

    compare()
    print(seen)  # noqa: T201  (pytest -s shows it)
    return seen


@pytest.mark.full
def test_no_engine_refutes_what_houdini_keeps_in_random_kernels(solver):
    seen = check_random(solver, 15)
    assert all(seen.values())


@pytest.mark.exhaustive
def test_no_engine_refutes_what_houdini_keeps_in_many_random_kernels(solver):
    seen = check_random(solver, 300)
    assert all(seen.values())


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.c[lu]")), ids=lambda path: path.name)
def test_no_engine_refutes_what_houdini_keeps_in_everyday_kernels(solver, path):
    from test_loops import launch_of

    for kernel in read(path, SourceOptions()):
        check_engines(with_candidates(kernel, launch_of(path), ALL)[0], launch_of(path), solver)


@pytest.mark.full
@pytest.mark.parametrize("name", ["fused0", "fused3"])
def test_the_portfolio_keeps_the_same_in_larger_kernels(solver, tmp_path, name, monkeypatch):
    """However quick the machine is: Houdini begins when an engine beside it has refuted something."""
    path = tmp_path / f"{name}.cl"
    path.write_text(sources(4, least=3, most=4)[name], "utf-8")
    (kernel,) = read(path, SourceOptions())
    launch = Launch((FUSED_LOCAL,), (64,))
    whole, _ = with_candidates(kernel, launch, ALL)
    alone = portfolio.infer(whole, launch, solver)
    infer = portfolio.houdini.infer

    def infer_later(kernel, launch, solver, options, refuted):
        while not refuted.lines():
            time.sleep(0.01)
        return infer(kernel, launch, solver, options, refuted)

    monkeypatch.setattr(portfolio, "HEAD_START", 0.0)
    monkeypatch.setattr(portfolio.houdini, "infer", infer_later)
    inferred = portfolio.infer(whole, launch, solver, PORTFOLIO)
    assert inferred.removed == alone.removed
    assert not inferred.dropped | alone.dropped
    assert set(inferred.by.values()) & {"DYN", "SBASE"}


def test_engines_beside_houdini_end_with_it(solver, monkeypatch):
    """They start at once here. SBASE is in a query without an answer when Houdini begins, so only its end ends that."""
    asking, answers = threading.Event(), []
    refute, infer = portfolio.refute, portfolio.houdini.infer

    def ask_for_ever(engine, kernel, launch, own, *rest):
        if engine != "SBASE":
            refute(engine, kernel, launch, own, *rest)
            return
        own.seconds = 1e6
        asking.set()
        answers.append(own.ask(HARD).verdict)

    def infer_beside(*words):
        assert asking.wait(PATIENCE_S)
        return infer(*words)

    monkeypatch.setattr(portfolio, "refute", ask_for_ever)
    monkeypatch.setattr(portfolio, "HEAD_START", 0.0)
    monkeypatch.setattr(portfolio, "HEAD_STARTS", {})
    whole, _ = with_candidates(parse(text("r9")), LAUNCH, ALL)
    alone = portfolio.infer(whole, LAUNCH, solver).removed
    monkeypatch.setattr(portfolio.houdini, "infer", infer_beside)
    with ending():
        assert portfolio.infer(whole, LAUNCH, solver, PORTFOLIO).removed == alone
    assert answers == ["unknown"]


def test_a_fault_of_an_engine_is_raised(solver, monkeypatch):
    def fails(*_):
        raise ValueError("a fault")

    monkeypatch.setattr(portfolio, "HEAD_START", 0.0)
    monkeypatch.setattr(portfolio, "HEAD_STARTS", {})
    monkeypatch.setattr(portfolio.dynamic, "refute", fails)
    whole, _ = with_candidates(parse(text("r9")), LAUNCH, ALL)
    with pytest.raises(ValueError, match="a fault"):
        portfolio.infer(whole, LAUNCH, solver, PORTFOLIO)


@pytest.mark.parametrize(
    ("words", "combined"),
    [
        ("H", Engines()),
        ("sbase;H", Engines(("SBASE",))),
        ("LU(2); DYN; H", Engines(("LU(2)", "DYN"))),
        ("DYN||SBASE||H", Engines((), ("DYN", "SBASE"))),
        ("portfolio", Engines((), ("DYN", "SBASE"))),
        ("SSTEP;DYN||H", Engines(("SSTEP",), ("DYN",))),
    ],
)
def test_the_text_that_names_engines_is_read(words, combined):
    assert engines(words) == combined == engines(str(combined))


@pytest.mark.parametrize("words", ["", "SBASE", "H;SBASE", "LU(0);H", "LU(17);H", "LU;H", "H||H", "DYN|H"])
def test_a_text_that_names_no_engines_is_refused(words):
    with pytest.raises(InputError, match="expected H, engines before it"):
        engines(words)
