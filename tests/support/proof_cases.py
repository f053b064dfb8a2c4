"""Make false proofs for checkers of proofs: of small formulas that have a model, meant to deceive.

A seed decides each case, so that it is the same each time. A proof may have clauses that follow and clauses that do
not. It may remove clauses, above all those that have forced a literal, and then claim the negation of that literal. It
may have RAT steps, which keep some model but do not follow, repeated literals, tautologies, and now and then the empty
clause. Or it is the proof of another formula, complete or with a step changed, moved, doubled or left out. Some texts
are no proof at all.
"""

import itertools
import random
from typing import NamedTuple

from pysat.solvers import Solver

from synth_checker.twin import proofs as twin


class Case(NamedTuple):
    """A formula and a proof, as texts, and whether the formula has a model, or None if it is no formula."""

    formula: bytes
    proof: bytes
    satisfiable: bool | None


def dimacs(variables, clauses):
    return b"p cnf %d %d\n" % (variables, len(clauses)) + b"".join(map(line, clauses))


def line(clause, removed=False):  # noqa: FBT002
    return b"d " * removed + b"".join(b"%d " % literal for literal in clause) + b"0\n"


def satisfiable(variables, clauses):
    """Return whether some clauses have a model, by brute force."""
    return any(len(part) == len(clauses) for part in _parts_with_a_model(variables, clauses))


def _parts_with_a_model(variables, clauses):
    """Yield for each assignment the clauses that are true in it."""
    for signs in itertools.product((False, True), repeat=variables):
        yield [clause for clause in clauses if any((literal > 0) == signs[abs(literal) - 1] for literal in clause)]


def unsatisfiable(rng, variables):
    """Return clauses of up to three literals that have no model."""
    while satisfiable(variables, clauses := [_literals(rng, variables, 2, 3) for _ in range(6 * variables)]):
        pass
    return clauses


def proof_of(clauses, solver="glucose4"):
    """Return the steps by which a solver refutes some clauses, as lines."""
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as solving:
        assert not solving.solve()
        return [step.encode() + b"\n" for step in solving.get_proof() or ["0"]]


def cases(first, count):
    for seed in range(first, first + count):
        yield case(random.Random(seed))


def case(rng):
    variables = rng.randint(1, 6)
    if rng.random() < 0.25:
        return _stolen(rng, max(3, variables))
    model = [rng.choice((1, -1)) * v for v in range(1, variables + 1)]
    least = rng.choice((1, 1, 2))
    clauses = [_true_in(model, rng, least) for _ in range(rng.randint(1, 14))]
    attack = rng.choice((_random, _random, _forgets_why, _forgets_why, _goes_on, _goes_on, _tautologies))
    proof = b"".join(attack(rng, variables, clauses))
    formula = dimacs(variables, clauses)
    if rng.random() < 0.15:
        proof = _garbled(rng, proof)
    if rng.random() < 0.05:
        return Case(_garbled(rng, formula), proof, None)
    return Case(formula, proof, satisfiable=True)


def _literals(rng, variables, least=0, most=3):
    return [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.randint(least, most))]


def _true_in(model, rng, least):
    """Return a clause that is true in a model, now and then with repeated literals or as a tautology."""
    clause = [rng.choice(model), *_literals(rng, len(model), least - 1, rng.choice((least - 1, least, 2)))]
    rng.shuffle(clause)
    return clause


def _spoilt(rng, clause):
    """Return the same clause in another order, perhaps with a literal repeated."""
    clause = [*clause, *rng.sample(clause, min(len(clause), rng.choice((0, 0, 1))))]
    rng.shuffle(clause)
    return clause


def _ending(rng, variables):
    """Return the end of a false proof: perhaps a clause that is false in the model, and the empty clause."""
    steps = [line(_literals(rng, variables, 1, 2))] * rng.choice((0, 0, 1))
    steps += [line([])] * rng.choice((0, 1, 1, 1, 1, 1, 1, 2))
    return steps + [line(_literals(rng, variables))] * rng.choice((0,) * 9 + (1,))


def _random(rng, variables, clauses):
    there = list(clauses)
    for _ in range(rng.randint(0, 10)):
        if there and rng.random() < 0.4:
            yield line(_spoilt(rng, there.pop(rng.randrange(len(there)))), removed=True)
        elif rng.random() < 0.2:  # mostly of what is not there
            yield line(_literals(rng, variables), removed=True)
        else:
            there.append(_literals(rng, variables, rng.choice((0, 1, 1, 1))))
            yield line(_spoilt(rng, there[-1]))
    yield from _ending(rng, variables)


def _forgets_why(rng, variables, clauses):
    """Remove all clauses with a literal, which may have forced it, and claim the negation, alone or with others."""
    pivots = [clause[0] for clause in clauses if len(set(clause)) == 1]
    pivot = rng.choice(pivots or _literals(rng, variables, 1, 1))
    for clause in clauses:
        if pivot in clause and rng.random() < 0.9:
            yield line(_spoilt(rng, clause), removed=True)
    yield line([-pivot, *_literals(rng, variables, most=rng.choice((0, 0, 1)))])
    yield from _ending(rng, variables)


def _goes_on(rng, variables, clauses):
    """Return clauses that follow and removals, as a solver would write them, and then a clause that was removed."""
    there, removed = list(clauses), []
    for _ in range(rng.randint(1, 12)):
        clause = _literals(rng, variables, 1, 3)
        if rng.random() < 0.4 and there:
            removed.append(there.pop(rng.randrange(len(there))))
            yield line(_spoilt(rng, removed[-1]), removed=True)
        elif _follows(there, clause):
            there.append(clause)
            yield line(_spoilt(rng, clause))
    for clause in rng.sample(removed, min(1, len(removed))):
        yield line(_spoilt(rng, clause))
    yield from _ending(rng, variables)


def _follows(clauses, clause):
    sets = [frozenset(clause) for clause in clauses]
    return twin._propagated(sets, frozenset(-literal for literal in clause)) is None


def _tautologies(rng, variables, clauses):
    for _ in range(rng.randint(1, 3)):
        literal, *more = _literals(rng, variables, 1, 2)
        steps = [_spoilt(rng, [literal, -literal, *more]) for _ in range(2)]
        yield line(steps[0])
        if rng.random() < 0.3:
            yield line(steps[1], removed=True)
    yield from _random(rng, variables, clauses)


def _stolen(rng, variables):
    """Return a solver's proof of other clauses, of which the formula lacks only enough to have a model.

    The proof may be changed, too. One in ten is a changed proof of all the clauses, which may still be right.
    """
    clauses = unsatisfiable(rng, variables)
    steps = poisoned(rng, variables, proof_of(clauses))
    left = clauses if rng.random() < 0.1 else min(_parts_with_a_model(variables, clauses), key=lambda part: -len(part))
    return Case(dimacs(variables, left), b"".join(steps), left is not clauses)


def poisoned(rng, variables, steps):
    """Return the steps of a proof as they are, or with one step changed, moved, doubled or left out."""
    steps = list(steps)
    place = rng.randrange(len(steps))
    match rng.choice(("whole", "changed", "moved", "doubled", "left out", "not removed")):
        case "changed":
            words = steps[place].split()
            words[rng.randrange(len(words))] = b"%d" % rng.choice(_literals(rng, variables, 1, 1))
            steps[place] = b" ".join(words) + b"\n"
        case "moved":
            steps.insert(rng.randrange(len(steps)), steps.pop(place))
        case "doubled":
            steps.insert(rng.randrange(len(steps)), steps[place])
        case "left out":
            del steps[place]
        case "not removed":
            steps = [step for step in steps if not step.startswith(b"d")]
    return steps


_GARBAGE = [
    *(b"Trivial.", b"d", b"d ", b"-0 0", b"0 0", b"1 0 0", b"1", b"01 0", b"--1 0", b"- 1 0", b"+1 0", b"1,2 0"),
    *(b"d d 1 0", b"D 1 0", b"  1 0", b"1  0", b"1 0 ", b"1 0\r", b"\t1 0", b"", b" ", b"c 1 0", b"a 1 0", b"\x00"),
    *(b"7 0", b"-7 0", b"99 0", b"2147483648 0", b"-2147483649 0", b"4294967297 0", b"18446744073709551617 0"),
    *(b"9999999 0", b"d 9999999 0", b"9" * 200 + b" 0", b"\xff\xfe", "½ 0".encode(), b"d 0", b"p cnf 1 1"),
]


def _garbled(rng, text):
    """Return a text with a wrong line, without a line, cut off, or with a byte changed, added or left out."""
    place = rng.randrange(len(text) + 1)
    lines = text.split(b"\n")
    match rng.randrange(7):
        case 0 | 1:
            lines.insert(rng.randrange(len(lines)), rng.choice(_GARBAGE))
            return b"\n".join(lines)
        case 5:
            del lines[rng.randrange(len(lines))]
            return b"\n".join(lines)
        case 2:
            return text[:place]
        case 3:
            return text[:place] + bytes([rng.randrange(256)]) + text[place + rng.randrange(2) :]
        case 4:
            return text[:place] + text[place + 1 :]
        case _:
            return text[:place] + rng.randbytes(rng.randrange(20))
