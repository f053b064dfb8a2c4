"""Test the checkers of proofs: they accept every genuine proof and no false one, and the twin agrees with the core.

The same false proofs find the faults that are planted in the twin here, and in the core by mutations/faults.toml.
"""

import functools
import random
import types
from pathlib import Path

import pytest

import proof_cases
from processes import interrupted_after
from proof_cases import dimacs, line, proof_of
from quick import mostly_full
from synth_checker import proofs
from synth_checker._native import ProofChecker
from synth_checker.twin import proofs as twin
from synth_search.completeness.checkers import checker_named

CHECKERS = {word: checker_named(word).refusal for word in ("native", "python", "dratify")}
OURS = [proofs.refusal, twin.refusal]
checkers = pytest.mark.parametrize("refusal", CHECKERS.values(), ids=CHECKERS)
ours = pytest.mark.parametrize("refusal", OURS, ids=["native", "python"])

#: Cases that are tried in quick tests.
FEW, MANY = 2000, 200_000


# --- what is refused and what is accepted ---

NOTHING_FOLLOWS = "proof line {} does not follow by unit propagation"
NO_STEP = "proof line {} is not a step: literals of the formula's variables and 0, maybe after 'd'"
NO_CLAUSE = "formula line {} is not a clause: literals of the header's variables, and then 0"
NO_HEADER = "formula line {} is neither a comment nor a header, such as 'p cnf 5 8'"
NO_END = "the empty clause is not in the proof"
TOO_LONG = "{} line {} is too long for a clause"

#: Unsatisfiable; 1 and then 0 is a proof.
SQUARE = b"p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n"
UNIT = b"p cnf 2 2\n1 0\n-1 2 0\n"
LONG = b"1 " * (twin.LONGEST_LINE // 2)

REFUSED = {
    "a unit removed by what it forced": (UNIT, b"d -1 2 0\n-2 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "a unit removed": (b"p cnf 1 1\n1 0\n", b"d 1 0\n-1 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "a pure literal": (b"p cnf 2 1\n1 2 0\n", b"1 0\n0\n", NOTHING_FOLLOWS.format(1)),
    "a blocked clause": (b"p cnf 3 2\n1 2 0\n-1 3 0\n", b"1 -2 -3 0\n0\n", NOTHING_FOLLOWS.format(1)),
    "a clause removed that is needed": (SQUARE, b"d 2 1 0\n1 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "a clause removed, repeating a literal": (SQUARE, b"d 2 2 1 0\n1 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "the empty clause assumed": (SQUARE, b"0\n", NOTHING_FOLLOWS.format(1)),
    "the empty clause, of nothing": (b"p cnf 0 0\n", b"0\n", NOTHING_FOLLOWS.format(1)),
    "a tautology used": (b"p cnf 2 1\n1 -1 2 0\n", b"1 -1 0\n2 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "a variable used twice": (b"p cnf 2 1\n1 1 2 0\n", b"2 -2 1 1 0\n1 0\n0\n", NOTHING_FOLLOWS.format(2)),
    "no proof": (SQUARE, b"", NO_END),
    "no last step": (SQUARE, b"1 0\n", NO_END),
    "no last step, refuted without it": (b"p cnf 1 2\n1 0\n-1 0\n", b"1 0\n", NO_END),
    "the empty clause removed": (SQUARE, b"1 0\nd 0\n", NO_END),
    "no step behind the empty clause": (SQUARE, b"1 0\n0\n1\n", NO_STEP.format(3)),
    "no zero": (SQUARE, b"1\n0\n", NO_STEP.format(1)),
    "no zero at the end": (SQUARE, b"1 0\n-", NO_STEP.format(2)),
    "a zero within": (SQUARE, b"1 0 2 0\n0\n", NO_STEP.format(1)),
    "another variable": (SQUARE, b"3 0\n0\n", NO_STEP.format(1)),
    "a huge variable": (SQUARE, b"18446744073709551617 0\n0\n", NO_STEP.format(1)),
    "a variable removed that is none": (SQUARE, b"d 3 0\n0\n", NO_STEP.format(1)),
    "no number": (SQUARE, b"1 0\nTrivial. 0\n", NO_STEP.format(2)),
    "two blanks": (SQUARE, b"1  0\n0\n", NO_STEP.format(1)),
    "other ends of lines": (SQUARE, b"1 0\r\n0\r\n", NO_STEP.format(1)),
    "a line of nothing": (SQUARE, b"1 0\n\n0\n", NO_STEP.format(2)),
    "a proof in binary": (SQUARE, b"a\x02\x00a\x00", NO_STEP.format(1)),
    "no header": (b"", b"0\n", "the formula has no header"),
    "only comments": (b"c\nc p cnf 0 0\n", b"0\n", "the formula has no header"),
    "a clause before the header": (b"1 0\n", b"0\n", NO_HEADER.format(1)),
    "too many variables": (b"p cnf 10000000 0\n", b"0\n", NO_HEADER.format(1)),
    "two headers": (b"p cnf 0 0\np cnf 0 0\n", b"0\n", NO_CLAUSE.format(2)),
    "a comment among the clauses": (b"p cnf 1 1\nc\n1 0\n", b"0\n", NO_CLAUSE.format(2)),
    "a clause of another variable": (b"p cnf 1 1\n2 0\n", b"0\n", NO_CLAUSE.format(2)),
    "a clause more": (b"p cnf 1 1\n1 0\n-1 0\n", b"0\n", "the formula has 2 clauses, its header says 1"),
    "a clause fewer": (b"p cnf 1 2\n1 0\n", b"0\n", "the formula has 1 clauses, its header says 2"),
    "a long line": (SQUARE, LONG + b"0\n", TOO_LONG.format("proof", 1)),
    "a long line without an end": (SQUARE, b"1 0\n" + LONG + b"0", TOO_LONG.format("proof", 2)),
    "a long comment": (b"c" + LONG + SQUARE, b"1 0\n0\n", TOO_LONG.format("formula", 1)),
}  # fmt: skip
ACCEPTED = {
    "two steps": (SQUARE, b"1 0\n0\n"),
    "no end of the last line": (SQUARE[:-1], b"1 0\n0"),
    "comments": (b"c one\nc\n" + SQUARE, b"1 0\n0\n"),
    "the empty clause in the formula": (b"p cnf 0 1\n0\n", b"0\n"),
    "the empty clause in the formula removed": (b"p cnf 0 1\n0\n", b"d 0\n0\n"),
    "a formula that propagation refutes": (b"p cnf 2 3\n1 0\n-1 2 0\n-2 -1 0\n", b"0\n"),
    "what forced a literal removed": (b"p cnf 2 3\n1 0\n-1 2 0\n-2 -1 0\n", b"d 1 0\nd -1 2 0\nd -1 -2 0\n0\n"),
    "a lemma removed that has forced a literal": (SQUARE, b"1 0\nd 1 0\nd 1 -2 0\n0\n"),
    "the formula removed behind a lemma": (SQUARE, b"1 0\nd 1 2 0\nd -1 2 0\nd 1 -2 0\nd -1 -2 0\n0\n"),
    "one of two equal clauses removed": (b"p cnf 2 5\n1 2 0\n" + SQUARE[10:], b"d 1 2 0\n1 0\n0\n"),
    "a clause removed that is not there": (SQUARE, b"d 1 0\nd 1 2 2 -1 0\n1 0\n0\n"),
    "a tautology, and it removed": (SQUARE, b"2 1 -2 0\nd 1 2 -2 0\n1 0\n0\n"),
    "a literal repeated": (SQUARE, b"1 1 1 0\n0\n"),
    "steps behind the empty clause": (SQUARE, b"1 0\n0\nd 1 2 0\n2 0\n0\n"),
    "steps that don't matter": (SQUARE, b"1 0\n-2 0\n2 0\n-1 0\n0\n"),
}  # fmt: skip


@ours
@pytest.mark.parametrize(("formula", "proof", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_proof_that_proves_nothing_is_refused_with_the_reason(refusal, formula, proof, reason):
    assert refusal([formula], [proof]) == reason


@ours
@pytest.mark.parametrize(("formula", "proof"), ACCEPTED.values(), ids=ACCEPTED)
def test_a_proof_that_proves_is_accepted(refusal, formula, proof):
    assert refusal([formula], [proof]) is None


@ours
@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_it_does_not_matter_where_a_text_is_cut_into_pieces(refusal, length):
    texts = [(*both, None) for both in ACCEPTED.values()]
    texts += [texts for texts in REFUSED.values() if max(map(len, texts)) < 100]
    for formula, proof, reason in texts:
        pieces = [[text[k : k + length] for k in range(0, len(text), length)] for text in (formula, proof)]
        assert refusal(*pieces) == reason


def test_a_proof_is_read_no_further_than_the_step_that_is_refused():
    def steps():
        yield b"1 0\n-1"
        yield b" 0\nTrivial.\n"
        raise AssertionError

    assert proofs.refusal([SQUARE], steps()) == NO_STEP.format(3)


def test_a_removed_clause_is_none_that_was_kept():
    """Many clauses, added and removed in another order, so that those that are left are moved together meanwhile."""
    rng = random.Random(5)
    variables = 400
    clauses = [tuple(rng.sample(range(3, variables + 1), 6)) for _ in range(40_000)]
    steps = [line((-1, *clause)) for clause in clauses]
    rng.shuffle(clauses)
    steps += [line((*clause, -1), removed=True) for clause in clauses[:-1]]
    rest = [-literal for literal in clauses[-1]]
    formula = dimacs(variables, [(-1, 2), (-1, -2)])
    kept = dimacs(variables, [(-1, 2), (-1, -2, 3), (-1, -2, -3)])
    assert proofs.refusal([formula], [b"".join(steps), b"0\n"]) == NOTHING_FOLLOWS.format(len(steps) + 1)
    assert proofs.refusal([kept], [b"".join(steps), b"-1 0\n", line(rest), b"0\n"]) == NOTHING_FOLLOWS.format(
        len(steps) + 2
    )


@pytest.mark.full
def test_an_interrupt_ends_a_long_check_at_once():
    """A piece of many steps, for each of which a long chain is followed."""
    length = 100_000
    formula = dimacs(length, [(-literal, literal + 1) for literal in range(1, length)])
    step = [-1, length]
    with interrupted_after(0.5):
        proofs.refusal([formula], [(line(step) + line(step, removed=True)) * 100_000])


@pytest.mark.full
def test_after_an_interrupt_nothing_is_proven():
    """What was assumed for the step in hand is still there, and from it anything follows."""
    length = 100_000
    checker = ProofChecker()
    assert checker.read_formula(dimacs(length, [(-literal, literal + 1) for literal in range(1, length)]))
    step = [-1, length]
    with interrupted_after(0.5):
        checker.read_proof((line(step) + line(step, removed=True)) * 100_000)
    assert not checker.read_proof(b"0\n")
    assert "was not checked to its end" in checker.refusal()


def test_a_formula_does_not_go_on_behind_the_proof():
    checker = ProofChecker()
    assert checker.read_formula(dimacs(1, [(1,)]))
    assert checker.read_proof(b"1 0\n")
    assert not checker.read_formula(b"-1 0\n")
    assert not checker.read_proof(b"0\n")
    assert checker.refusal() == "the formula continues after the proof"


# --- adversaries ---


def _first_difference(refusal, count, *, first=0):
    """The first false proof that a checker accepts, or where it disagrees with the core; None if there is none."""
    for case in proof_cases.cases(first, count):
        said = refusal([case.formula], [case.proof])
        if (said is None and case.satisfiable) or said != proofs.refusal([case.formula], [case.proof]):
            return case, said
    return None


def _first_accepted(refusal, count):
    for case in proof_cases.cases(0, count):
        if case.satisfiable and refusal([case.formula], [case.proof]) is None:
            return case
    return None


@checkers
def test_no_false_proof_is_accepted(refusal):
    assert _first_accepted(refusal, FEW) is None


@pytest.mark.exhaustive
@checkers
def test_none_of_very_many_false_proofs_is_accepted(refusal):
    assert _first_accepted(refusal, MANY) is None


def test_the_twin_says_of_each_proof_what_the_core_says():
    assert _first_difference(twin.refusal, FEW) is None


@pytest.mark.exhaustive
def test_the_twin_says_of_very_many_proofs_what_the_core_says():
    assert _first_difference(twin.refusal, MANY) is None


@pytest.mark.full
@checkers
@mostly_full("solver", ["glucose4", "cadical153", "cadical195"], quick=5)
def test_every_genuine_proof_is_accepted(refusal, solver):
    for variables, clauses in _unsatisfiable():
        assert refusal([dimacs(variables, clauses)], proof_of(clauses, solver)) is None


@functools.cache
def _unsatisfiable():
    rng = random.Random(1)
    return [(variables, proof_cases.unsatisfiable(rng, variables)) for variables in range(3, 9) for _ in range(8)]


# --- the twin with faults ---

RAT = """
def _rat(clauses, fixed, clause):
    return bool(clause) and any(
        all(
            _propagated(
                clauses,
                fixed
                | {-literal for literal in clause}
                | {-literal for literal in other if literal != -pivot},
            )
            is None
            for other in clauses
            if -pivot in other
        )
        for pivot in clause
    )
"""
FOLLOWS = "_propagated(clauses, fixed | {-literal for literal in clause}) is not None:"
ADMITTED = f"{FOLLOWS[:-1]} and not _rat(clauses, fixed, clause):"
FORGETS = ("                clauses.remove(clause)\n", "                clauses.remove(clause)\n" + 16 * " ")
FORGETS = (FORGETS[0], FORGETS[1] + "fixed = None if fixed is None else _propagated(clauses, frozenset())\n")
NO_TAUTOLOGY = ("return any(-literal in clause for literal in clause)", "return False")
#: What is replaced by what in the twin; whether false proofs are then accepted, or only other steps than by the core.
FAULTS = {
    "a unit kept after its reason is removed, and RAT": ([(FOLLOWS, ADMITTED)], True),
    "RAT, and a unit forgotten with its reason": ([(FOLLOWS, ADMITTED), FORGETS], False),
    "a tautology used as a reason": (
        [
            NO_TAUTOLOGY,
            ("frozenset(literals) if", "frozenset({abs(literal): literal for literal in literals}.values()) if"),
        ],
        True,
    ),
    "the empty clause assumed at the end": (
        [('raise _InvalidProof("the empty clause is not in the proof")', "return")],
        True,
    ),
    "the empty clause assumed": ([("if fixed is not None and", "if clause and fixed is not None and")], True),
    "every removal is of the last clause": ([("clauses.remove(clause)", "clauses.pop()")], False),
    "no removal": ([("clauses.remove(clause)", "pass")], False),
    "a removal adds": ([("clauses.remove(clause)", "clauses.append(clause)")], False),
    "assumptions kept": (
        [("_propagated(clauses, fixed)", "_propagated(clauses, fixed | {-literal for literal in clause})")],
        True,
    ),
    "assumed true": ([(FOLLOWS, FOLLOWS.replace("{-literal", "{literal"))], True),
    "one literal left is a contradiction": ([("if not possible:", "if len(possible) <= 1:")], True),
    "a removal adds what is not there": (
        [("            if clause in clauses:", f"{12 * ' '}clauses += {{clause}} - {{*clauses}}\n{12 * ' '}if False:")],
        True,
    ),
    "garbage is the empty clause": ([("        return None\n    *lit", "        return frozenset()\n    *lit")], False),
    "any variable": ([("all(abs(literal) <= variables for literal in literals)", "True")], False),
    "the number of clauses": ([("if len(clauses) != announced:", "if len(clauses) > announced:")], False),
}  # fmt: skip


@mostly_full(("changes", "accepts"), FAULTS.values(), ids=FAULTS, quick=5)
def test_the_same_proofs_find_a_fault_that_is_planted(changes, accepts):
    source = Path(twin.__file__).read_text("utf-8") + RAT
    for old, new in changes:
        assert source.count(old) == 1
        source = source.replace(old, new)
    faulty = types.ModuleType("faulty")
    exec(compile(source, "faulty", "exec"), vars(faulty))  # noqa: S102
    search = _first_accepted if accepts else _first_difference
    assert search(faulty.refusal, FEW) is not None
