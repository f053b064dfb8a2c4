"""Test that solvers answer queries within limits, and that a killed solver loses no verdict."""

import math
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quick import examples, mostly_full
from synth_checker.child import Child
from synth_checker.errors import InputError
from synth_solvers import peers
from synth_solvers.client import MAX_TRIES, Solver

#: Far more than any query here takes.
AMPLE_S = 120.0


def script(claim, declared="(declare-const x (_ BitVec 8))"):
    return f"(set-logic {'QF_ABV' if 'Array' in declared else 'QF_BV'})\n{declared}\n(assert {claim})\n(check-sat)\n"


SAT = script("(= (bvmul x #x03) #x0f)")
UNSAT = script("(= (bvadd x x) #x01)")
#: The factors of 3037000493 * 2860486313, which solvers for bit-vectors do not find in a second.
HARD = script(
    "(and (= (bvmul ((_ zero_extend 32) x) ((_ zero_extend 32) y)) #x788f7bd0c47a7eb5) (bvugt x #x00000001)"
    " (bvugt y #x00000001))",
    "(declare-const x (_ BitVec 32))(declare-const y (_ BitVec 32))",
)


@pytest.fixture(scope="module", params=peers.NAMES)
def solver(request):
    with Solver(request.param, seconds=AMPLE_S) as solver:
        yield solver


@pytest.fixture(scope="module")
def z3():
    with Solver(seconds=AMPLE_S) as solver:
        yield solver


@pytest.mark.full
def test_each_solver_says_both_verdicts_in_one_process(solver):
    assert solver.ask(SAT).verdict == "sat"
    first = solver.pid
    assert solver.ask(UNSAT).verdict == "unsat"
    assert solver.pid == first


@pytest.mark.full
def test_each_solver_gives_values(solver):
    declared = "(declare-const |x of 1| (_ BitVec 8))(declare-const b Bool)(declare-const a (Array (_ BitVec 2) Bool))"
    answer = solver.ask(script("(and (= |x of 1| #x05) (not b) (select a #b01))", declared))
    assert answer.values == {"x of 1": 5, "b": False}


@settings(max_examples=examples(20), deadline=None)
@given(st.integers(0, 255), st.integers(0, 255), st.sampled_from(["bvadd", "bvmul", "bvxor", "bvand"]))
def test_solvers_agree_with_trying_all_values(z3, factor, result, operation):
    """The slow twin: all 256 values."""
    compute = {
        "bvadd": int.__add__, "bvmul": int.__mul__, "bvxor": int.__xor__, "bvand": int.__and__,
    }[operation]  # fmt: skip
    is_solvable = any(compute(value, factor) % 256 == result for value in range(256))
    assert z3.ask(script(f"(= ({operation} x #x{factor:02x}) #x{result:02x})")).verdict == (
        "sat" if is_solvable else "unsat"
    )


def test_a_query_that_is_wrong_has_no_verdict_and_the_solver_goes_on(solver):
    answer = solver.ask(script("(= y #x00)"))
    assert answer.verdict == "unknown"
    assert "y" in answer.reason
    assert solver.ask(SAT).verdict == "sat"


def test_a_killed_solver_loses_no_verdict(z3):
    assert z3.ask(SAT).verdict == "sat"
    os.kill(z3.pid, signal.SIGKILL)
    assert z3.ask(UNSAT).verdict == "unsat"


def test_a_solver_that_always_dies_ends_as_unknown():
    started = []

    class Dying(Solver):
        def _start(self):
            child = super()._start()
            os.kill(child.pid, signal.SIGKILL)
            started.append(child.pid)
            return child

    with Dying(seconds=AMPLE_S) as solver:
        answer = solver.ask(SAT)
    assert (answer.verdict, len(set(started))) == ("unknown", MAX_TRIES)
    assert "ended without an answer" in answer.reason


def test_a_solver_that_does_not_answer_is_killed():
    """It is stopped, so it can't keep the limit itself."""
    with Solver(seconds=AMPLE_S) as solver:
        solver.ask(SAT)
        first = solver.pid
        solver.seconds = 0.01
        os.kill(first, signal.SIGSTOP)
        assert solver.ask(SAT).reason == "time limit"
        assert solver.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)


@pytest.mark.full
def test_a_hard_query_ends_at_the_limit_of_time():
    with Solver(seconds=1.0) as solver:
        answer = solver.ask(HARD)
    assert answer.verdict == "unknown"
    assert answer.reason in {"time limit", "timeout", "canceled"}


@pytest.mark.full
def test_all_queries_end_at_one_time():
    with Solver(seconds=AMPLE_S) as solver:
        solver.ask(SAT)
        solver.until = time.monotonic() + 1.0
        assert solver.ask(HARD).verdict == "unknown"
        assert solver.is_late
        assert solver.ask(SAT).reason == "time limit"
        solver.until = math.inf
        assert solver.ask(SAT).verdict == "sat"


@pytest.mark.full
def test_a_limit_of_memory_is_kept():
    """Arrays of so many distinct bits take more than 30 MB."""
    names = [f"x{number}" for number in range(1500)]
    declared = "".join(f"(declare-const {name} (_ BitVec 64))" for name in names)
    large = script(f"(distinct {' '.join(f'(bvmul {a} {b})' for a, b in zip(names, names[1:]))})", declared)  # noqa: B905, RUF007
    with Solver(seconds=AMPLE_S, memory=30 << 20) as solver:
        answer = solver.ask(large)
    assert answer.verdict == "unknown"
    assert "time" not in answer.reason


@pytest.mark.full
def test_a_limit_of_the_processor_that_others_have_set_is_kept():
    script = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (40, 40))\n"
    script += "from synth_solvers.client import Solver\n"
    script += "with Solver(seconds=60.0) as solver: print(solver.ask('(check-sat)').verdict)"
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("sat\n", "")


def test_queries_are_dumped(tmp_path):
    with Solver(seconds=AMPLE_S, dump=tmp_path / "queries") as solver:
        solver.ask(SAT)
        solver.ask(UNSAT)
    assert [file.read_text() for file in sorted((tmp_path / "queries").iterdir())] == [SAT, UNSAT]


def test_no_process_is_left():
    with Solver(seconds=AMPLE_S) as solver:
        solver.ask(SAT)
        pid = solver.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.full
def test_a_solver_may_start_before_its_first_query():
    with Solver("z3", seconds=60.0) as solver:
        assert solver.pid is None
        solver.start()
        early = solver.pid
        solver.start()
        assert solver.ask("(declare-const x Bool)(assert x)(check-sat)").verdict == "sat"
        assert (solver.pid, early is None) == (early, False)
    assert solver.pid is None


@pytest.mark.full
def test_an_unknown_solver_is_refused():
    with pytest.raises(InputError, match=r"did you mean bitwuzla"):
        Solver("bitwuzzla", seconds=1.0)


#: A claim about integers that neither solver decides soon: x³ + y³ + z³ = 42 has only solutions of 17 digits.
ENDLESS = (
    "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
    "(assert (= 42 (+ (* x x x) (* y y y) (* z z z))))(check-sat)"
)


@pytest.mark.full
@mostly_full(("name", "query"), [("z3", ENDLESS), ("cvc5", ENDLESS), ("bitwuzla", HARD)])
def test_a_solver_is_limited_by_its_own_work(name, query):
    with Solver(name, seconds=AMPLE_S) as solver:
        assert solver.ask(UNSAT).verdict == "unsat"
        begin, solver.worked, solver.seconds = solver.pid, 0.0, 0.05
        assert solver.ask(query).verdict == "unknown"
        assert 0.0 < solver.worked < AMPLE_S / 4
        # The process is the same, and has not been killed.
        assert solver.pid == begin
        solver.seconds = AMPLE_S
        assert solver.ask(SAT).verdict == "sat"


@pytest.mark.full
def test_the_same_queries_take_the_same_steps():
    """Also after other queries, and with assumptions that change."""
    queries = [f"{SWITCHED}(check-sat-assuming ({literals}))\n" for literals in ("a", "(not a) c", "a c", "a")]
    with Solver(seconds=AMPLE_S) as solver:
        first = [solver.ask(query).worked for query in queries]
    with Solver(seconds=AMPLE_S) as solver:
        assert solver.ask(UNSAT).verdict == "unsat"
        assert [solver.ask(query).worked for query in queries] == first
    assert all(first)


#: The program of a solver that works on a query without end, and counts no steps.
BUSY = """
import synth_solvers.server as server
def answer(name, script, *_):
    while "bvmul" in script:
        pass
    return server.SolverAnswer("unsat")
server.answer = answer
server.main("z3", 0)
"""


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="only Unix has limits of the processor")
def test_a_solver_that_counts_no_steps_is_ended_and_not_asked_again():
    started = []

    class Busy(Solver):
        def _start(self):
            started.append(True)
            return Child([sys.executable, "-c", BUSY], os.environ, f"solver{os.getpid()}.busy;")

    with Busy(seconds=AMPLE_S) as solver:
        assert solver.ask(UNSAT).verdict == "unsat"
        solver.seconds = 0.1
        assert solver.ask(SAT).reason == "time limit"
    assert len(started) == 1


#: The switches that are on, of three: each one says a part of `x * 5 = 40, x odd or below 4`.
SWITCHES = st.sets(st.sampled_from(["a", "|b (2)|", "c"]))
SWITCHED = (
    "(set-logic QF_BV)(declare-const x (_ BitVec 8))(declare-const a Bool)(declare-const |b (2)| Bool)"
    "(declare-fun c () Bool)(define-fun p () (_ BitVec 8) (bvmul x #x05))"
    "(assert (=> a (= p #x28)))(assert (=> |b (2)| (= ((_ extract 0 0) x) #b1)))(assert (=> c (bvult x #x04)))\n"
)


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(SWITCHES, min_size=1, max_size=4), st.booleans())
def test_assumptions_are_as_assertions(solver, switch_sets, other_between):
    """The slow twin: all 256 values. A query that assumes something else must not change the next one."""
    for number, switches in enumerate(switch_sets):
        if other_between and number == 1:
            assert solver.ask(SAT).verdict == "sat"
        literals = " ".join(name if name in switches else f"(not {name})" for name in ("a", "|b (2)|", "c"))
        answer = solver.ask(f"{SWITCHED}(check-sat-assuming ({literals}))\n")
        fitting = {
            value
            for value in range(256)
            if ("a" not in switches or value * 5 % 256 == 40)
            and ("|b (2)|" not in switches or value % 2)
            and ("c" not in switches or value < 4)
        }
        assert answer.verdict == ("sat" if fitting else "unsat")
        if fitting:
            assert answer.values.get("x", 0) in fitting
            assert {name for name in ("a", "b (2)", "c") if answer.values[name]} == {
                switch.strip("|") for switch in switches
            }


@pytest.mark.full
def test_z3_goes_on_with_a_script_of_which_only_assumptions_change():
    base = "(declare-const x (_ BitVec 8))(declare-const a Bool)(assert (=> a (= x #x07)))"
    assert peers.answer("z3", f"{base}(check-sat-assuming (a))", AMPLE_S).values == {"x": 7, "a": True}
    read = peers._last
    assert peers.answer("z3", f"{base}(check-sat-assuming ((not a)))", AMPLE_S).verdict == "sat"
    assert peers._last is read
    assert peers.answer("z3", f"{base}(assert (not a))(check-sat-assuming (a))", AMPLE_S).verdict == "unsat"
    assert peers._last is not read
